#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "game/rule_set.h"
#include "game/text.h"

namespace mtb {
namespace {

// The words of the rules text, in the order of the enumerators.
constexpr std::array<std::string_view, 3> kDiagonals = {"mills", "moves_only", "none"};
constexpr std::array<std::string_view, 2> kShots = {"one", "per_mill"};
constexpr std::array<std::string_view, 2> kShooting = {"forced", "optional"};
constexpr std::array<std::string_view, 3> kTargets = {"protected", "strict", "any"};
constexpr std::array<std::string_view, 3> kBlocked = {"loss", "pass", "draw"};
constexpr std::array<std::string_view, 2> kFullBoard = {"loss", "draw"};
constexpr std::array<std::string_view, 3> kTriggers = {"always", "either_at_three",
                                                       "both_at_three"};
constexpr std::array<std::string_view, 4> kReform = {"none", "cow_if_mill", "mill", "cow"};

constexpr std::int64_t kMostPlies = 10000;

template <std::size_t N>
using Words = std::array<std::string_view, N>;

/// `"word"`, as TOML writes it.
template <class Enum, std::size_t N>
std::string word(const Words<N>& words, Enum value) {
  return '"' + std::string(words[static_cast<std::size_t>(value)]) + '"';
}

template <class Enum, std::size_t N>
std::optional<Enum> find_word(const Words<N>& words, std::string_view text) {
  const auto found = std::find(words.begin(), words.end(), text);
  if (found == words.end()) return std::nullopt;
  return static_cast<Enum>(found - words.begin());
}

/// `"loss", "pass", "draw"`
template <std::size_t N>
std::string list(const Words<N>& words) {
  std::string text;
  for (std::size_t i = 0; i < N; ++i) text += (i == 0 ? "" : ", ") + word(words, i);
  return text;
}

/// Takes values out of a TOML table. The first thing that is wrong goes to `error`; values that
/// could not be read stay as they were.
class TableReader {
 public:
  /// `prefix` stands before the keys in messages.
  TableReader(const toml::table& table, std::string_view origin, std::string prefix,
              std::string& error)
      : table_(table), origin_(origin), prefix_(std::move(prefix)), error_(error) {}

  template <std::size_t N>
  void refuse_keys_beyond(const Words<N>& known) {
    for (const auto& [key, node] : table_) {
      if (find_word<std::size_t>(known, key.str())) continue;
      say(key.source(), key.str(), "is unknown, write " + list(known) + " alone");
    }
  }

  template <class Number, class IsAllowed>
  void number(std::string_view key, Number& into, IsAllowed is_allowed, const std::string& wanted) {
    const toml::node* node = find(key, wanted);
    if (node == nullptr) return;
    const auto value = node->value_exact<std::int64_t>();
    if (!value || !is_allowed(*value)) return refuse(*node, key, wanted);
    into = static_cast<Number>(*value);
  }

  template <class Enum, std::size_t N>
  void choice(std::string_view key, Enum& into, const Words<N>& words) {
    const toml::node* node = find(key, list(words));
    if (node == nullptr) return;
    const auto text = node->value_exact<std::string_view>();
    const auto value = text ? find_word<Enum>(words, *text) : std::nullopt;
    if (!value) return refuse(*node, key, list(words));
    into = *value;
  }

  void clock(std::string_view key, Clock& into) {
    const std::string wanted =
        "\"off\", \"PLIES, TRIGGER\" or { plies = PLIES, trigger = TRIGGER } with PLIES 1 to " +
        std::to_string(kMostPlies) + " and TRIGGER of " + list(kTriggers);
    const toml::node* node = find(key, wanted);
    if (node == nullptr) return;
    if (const toml::table* inner = node->as_table()) {
      TableReader reader(*inner, origin_, std::string(key) + '.', error_);
      reader.refuse_keys_beyond(Words<2>{"plies", "trigger"});
      reader.number("plies", into.plies, is_number_of_plies,
                    "1 to " + std::to_string(kMostPlies) +
                        "; no clock is clock = \"off\", without a trigger");
      reader.choice("trigger", into.trigger, kTriggers);
      return;
    }
    const auto text = node->value_exact<std::string_view>();
    if (text && *text == "off") return;
    const auto parts = split(text.value_or(""), ',');
    const auto plies = parse_number(trimmed(parts.front()), kMostPlies);
    const auto trigger = find_word<ClockTrigger>(kTriggers, trimmed(parts.back()));
    if (parts.size() != 2 || !plies || *plies == 0 || !trigger) return refuse(*node, key, wanted);
    into = {static_cast<std::uint16_t>(*plies), *trigger};
  }

  /// Parameters that are in order one by one and make no sense together.
  void refuse_contradictions(const RuleSet& rules) {
    const std::string cows = "cows = " + std::to_string(rules.cows);
    if (rules.fly_at > rules.cows) {
      contradict("fly_at", "lets more cows fly than " + cows + " gives a player");
    }
    // Three cows that break a mill close none.
    if (rules.reform != Reform::none && rules.cows < 4) {
      contradict("reform", "forbids what " + cows + " never allows, write \"none\"");
    }
  }

 private:
  void contradict(std::string_view key, const std::string& what) {
    say(table_.get(key)->source(), key, what);
  }

  static bool is_number_of_plies(std::int64_t n) { return 1 <= n && n <= kMostPlies; }

  static std::string_view trimmed(std::string_view text) {
    const auto words = split_blanks(text);
    return words.size() == 1 ? words.front() : std::string_view();
  }

  const toml::node* find(std::string_view key, const std::string& wanted) {
    const toml::node* node = table_.get(key);
    if (node == nullptr) say({}, key, "is missing, write " + wanted);
    return node;
  }

  void refuse(const toml::node& node, std::string_view key, const std::string& wanted) {
    say(node.source(), key, "has a wrong value, write " + wanted);
  }

  void say(const toml::source_region& where, std::string_view key, const std::string& what) {
    if (!error_.empty()) return;
    error_ = std::string(origin_) + ':';
    if (where.begin.line != 0) error_ += std::to_string(where.begin.line) + ':';
    error_ += " key " + quoted(prefix_ + std::string(key)) + ' ' + what;
  }

  const toml::table& table_;
  std::string_view origin_;
  std::string prefix_;
  std::string& error_;
};

}  // namespace

Result<RuleSet> parse_rule_set(std::string_view toml, std::string_view origin) {
  const toml::parse_result parsed = toml::parse(toml);
  if (!parsed) {
    return fail(Fault::bad_input, std::string(origin) + ':' +
                                      std::to_string(parsed.error().source().begin.line) + ": " +
                                      printable(parsed.error().description()));
  }
  RuleSet rules;
  std::string error;
  TableReader reader(parsed.table(), origin, "", error);
  reader.refuse_keys_beyond(Words<10>{"cows", "diagonals", "shots", "shot", "targets", "fly_at",
                                      "blocked", "full_board", "clock", "reform"});
  reader.number(
      "cows", rules.cows, [](std::int64_t n) { return kMinCows <= n && n <= kMaxCows; },
      std::to_string(kMinCows) + " to " + std::to_string(kMaxCows));
  reader.choice("diagonals", rules.diagonals, kDiagonals);
  reader.choice("shots", rules.shots, kShots);
  reader.choice("shot", rules.shot, kShooting);
  reader.choice("targets", rules.targets, kTargets);
  reader.number(
      "fly_at", rules.fly_at, [](std::int64_t n) { return n == 0 || n == 3 || n == 4; },
      "0 (never), 3 or 4");
  reader.choice("blocked", rules.blocked, kBlocked);
  reader.choice("full_board", rules.full_board, kFullBoard);
  reader.clock("clock", rules.clock);
  reader.choice("reform", rules.reform, kReform);
  if (error.empty()) reader.refuse_contradictions(rules);
  if (!error.empty()) return fail(Fault::bad_input, error);
  return rules;
}

std::string canonical_text(const RuleSet& rules) {
  std::string text;
  const auto line = [&text](std::string_view key, const std::string& value) {
    text += std::string(key) + " = " + value + '\n';
  };
  line("cows", std::to_string(rules.cows));
  line("diagonals", word(kDiagonals, rules.diagonals));
  line("shots", word(kShots, rules.shots));
  line("shot", word(kShooting, rules.shot));
  line("targets", word(kTargets, rules.targets));
  line("fly_at", std::to_string(rules.fly_at));
  line("blocked", word(kBlocked, rules.blocked));
  line("full_board", word(kFullBoard, rules.full_board));
  line("clock", rules.clock.plies == 0
                    ? "\"off\""
                    : "{ plies = " + std::to_string(rules.clock.plies) +
                          ", trigger = " + word(kTriggers, rules.clock.trigger) + " }");
  line("reform", word(kReform, rules.reform));
  return text;
}

}  // namespace mtb
