#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

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

struct Contradiction {
  std::string_view key;
  std::string what;
};

/// Parameters that are in order one by one and make no sense together.
std::optional<Contradiction> contradiction(const RuleSet& rules) {
  const std::string cows = "cows = " + std::to_string(rules.cows);
  if (rules.fly_at > rules.cows) {
    return Contradiction{"fly_at", "lets more cows fly than " + cows + " gives a player"};
  }
  // Three cows that break a mill close none.
  if (rules.reform != Reform::none && rules.cows < 4) {
    return Contradiction{"reform", "forbids what " + cows + " never allows, write \"none\""};
  }
  return std::nullopt;
}

constexpr bool is_number_of_cows(std::int64_t n) { return kMinCows <= n && n <= kMaxCows; }
constexpr bool is_number_of_plies(std::int64_t n) { return 1 <= n && n <= kMostPlies; }
constexpr bool is_number_to_fly_at(std::int64_t n) { return n == 0 || n == 3 || n == 4; }

/// `key = value`. What is none of these values is of a kind that no rule set has.
struct Entry {
  using Table = std::vector<Entry>;
  std::string key;
  std::variant<std::monostate, std::int64_t, std::string, Table> value;
  std::size_t line;  ///< from 1
};

/// Reads one line of TOML, of which rule sets need little: keys, whole numbers, strings on one line
/// without escapes, inline tables, comments.
class Line {
 public:
  Line(std::string_view text, std::size_t number) : rest_(text), number_(number) {}

  /// Whether nothing but a comment is left.
  bool at_end() {
    pass_blanks();
    return rest_.empty() || rest_.front() == '#';
  }

  /// Nothing where there is no key and value.
  std::optional<Entry> entry() {
    pass_blanks();
    std::optional<std::string> key = string();
    if (!key) key = take_while(is_bare);
    if (key->empty() || !take('=')) return std::nullopt;
    pass_blanks();
    Entry entry{std::move(*key), {}, number_};
    if (auto text = string()) {
      entry.value = std::move(*text);
    } else if (take('{')) {
      Entry::Table inner;
      if (!take('}')) {
        do {
          auto part = depth_ == 0 ? inner_entry() : std::nullopt;
          if (!part) return std::nullopt;
          inner.push_back(std::move(*part));
        } while (take(','));
        if (!take('}')) return std::nullopt;
      }
      entry.value = std::move(inner);
    } else {
      const std::string word = take_while([](char c) {
        return is_bare(c) || std::string_view("+.:[]").find(c) != std::string_view::npos;
      });
      if (word.empty()) return std::nullopt;
      const bool is_plain = word == "0" || word.front() != '0';
      const auto number = parse_number(word, kMostPlies);
      if (number && is_plain) entry.value = static_cast<std::int64_t>(*number);
    }
    return entry;
  }

 private:
  static bool is_bare(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  }

  void pass_blanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r"), rest_.size()));
  }

  bool take(char c) {
    pass_blanks();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  template <class Allowed>
  std::string take_while(Allowed allowed) {
    const auto end = std::find_if_not(rest_.begin(), rest_.end(), allowed);
    const std::string taken(rest_.begin(), end);
    rest_.remove_prefix(taken.size());
    return taken;
  }

  /// In either kind of quotes.
  std::optional<std::string> string() {
    if (!rest_.starts_with('"') && !rest_.starts_with('\'')) return std::nullopt;
    const std::size_t end = rest_.find(rest_.front(), 1);
    if (end == std::string_view::npos) return std::nullopt;
    std::string text(rest_.substr(1, end - 1));
    const bool has_escapes = rest_.front() == '"' && text.find('\\') != std::string::npos;
    if (has_escapes) return std::nullopt;
    rest_.remove_prefix(end + 1);
    return text;
  }

  /// Of a table that is none of a table's own.
  std::optional<Entry> inner_entry() {
    ++depth_;
    auto result = entry();
    --depth_;
    return result;
  }

  std::string_view rest_;
  std::size_t number_;
  int depth_ = 0;
};

/// The entries of a text, or the line that is none.
tl::expected<Entry::Table, std::size_t> read_entries(std::string_view toml) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (toml.starts_with(kByteOrderMark)) toml.remove_prefix(kByteOrderMark.size());
  Entry::Table entries;
  std::size_t number = 0;
  for (const std::string_view text : split(toml, '\n')) {
    Line line(text, ++number);
    if (line.at_end()) continue;
    auto entry = line.entry();
    if (!entry || !line.at_end()) return tl::unexpected(number);
    entries.push_back(std::move(*entry));
  }
  return entries;
}

/// Takes values out of a table. The first thing that is wrong goes to `error`; values that
/// could not be read stay as they were.
class TableReader {
 public:
  /// `prefix` stands before the keys in messages.
  TableReader(const Entry::Table& table, std::string_view origin, std::string prefix,
              std::string& error)
      : table_(table), origin_(origin), prefix_(std::move(prefix)), error_(error) {}

  template <std::size_t N>
  void refuse_keys_beyond(const Words<N>& known) {
    for (auto entry = table_.begin(); entry != table_.end(); ++entry) {
      const auto is_same = [&](const Entry& other) { return other.key == entry->key; };
      if (!find_word<std::size_t>(known, entry->key)) {
        say(entry->line, entry->key, "is unknown, write " + list(known) + " alone");
      } else if (std::any_of(table_.begin(), entry, is_same)) {
        say(entry->line, entry->key, "is there twice, write it once");
      }
    }
  }

  template <class Number, class IsAllowed>
  void number(std::string_view key, Number& into, IsAllowed is_allowed, const std::string& wanted) {
    const Entry* const entry = find(key, wanted);
    if (entry == nullptr) return;
    const auto* const value = std::get_if<std::int64_t>(&entry->value);
    if (value == nullptr || !is_allowed(*value)) return refuse(*entry, wanted);
    into = static_cast<Number>(*value);
  }

  template <class Enum, std::size_t N>
  void choice(std::string_view key, Enum& into, const Words<N>& words) {
    const Entry* const entry = find(key, list(words));
    if (entry == nullptr) return;
    const auto* const text = std::get_if<std::string>(&entry->value);
    const auto value = text != nullptr ? find_word<Enum>(words, *text) : std::nullopt;
    if (!value) return refuse(*entry, list(words));
    into = *value;
  }

  void clock(std::string_view key, Clock& into) {
    const std::string wanted =
        "\"off\", \"PLIES, TRIGGER\" or { plies = PLIES, trigger = TRIGGER } with PLIES 1 to " +
        std::to_string(kMostPlies) + " and TRIGGER of " + list(kTriggers);
    const Entry* const entry = find(key, wanted);
    if (entry == nullptr) return;
    if (const auto* const inner = std::get_if<Entry::Table>(&entry->value)) {
      TableReader reader(*inner, origin_, std::string(key) + '.', error_);
      reader.refuse_keys_beyond(Words<2>{"plies", "trigger"});
      reader.number("plies", into.plies, is_number_of_plies,
                    "1 to " + std::to_string(kMostPlies) +
                        "; no clock is clock = \"off\", without a trigger");
      reader.choice("trigger", into.trigger, kTriggers);
      return;
    }
    const auto* const text = std::get_if<std::string>(&entry->value);
    if (text != nullptr && *text == "off") return;
    const auto parts = split(text != nullptr ? *text : std::string_view(), ',');
    const auto plies = parse_number(trimmed(parts.front()), kMostPlies);
    const auto trigger = find_word<ClockTrigger>(kTriggers, trimmed(parts.back()));
    if (parts.size() != 2 || !plies || *plies == 0 || !trigger) return refuse(*entry, wanted);
    into = {static_cast<std::uint16_t>(*plies), *trigger};
  }

  void refuse_contradictions(const RuleSet& rules) {
    if (const auto found = contradiction(rules)) {
      say(find(found->key, "it")->line, found->key, found->what);
    }
  }

 private:
  static std::string_view trimmed(std::string_view text) {
    const auto words = split_blanks(text);
    return words.size() == 1 ? words.front() : std::string_view();
  }

  const Entry* find(std::string_view key, const std::string& wanted) {
    const auto entry = std::find_if(table_.begin(), table_.end(),
                                    [&](const Entry& other) { return other.key == key; });
    if (entry != table_.end()) return &*entry;
    say(std::nullopt, key, "is missing, write " + wanted);
    return nullptr;
  }

  void refuse(const Entry& entry, const std::string& wanted) {
    say(entry.line, entry.key, "has a wrong value, write " + wanted);
  }

  void say(std::optional<std::size_t> line, std::string_view key, const std::string& what) {
    if (!error_.empty()) return;
    error_ = std::string(origin_) + ':';
    if (line) error_ += std::to_string(*line) + ':';
    error_ += " key " + quoted(prefix_ + std::string(key)) + ' ' + what;
  }

  const Entry::Table& table_;
  std::string_view origin_;
  std::string prefix_;
  std::string& error_;
};

}  // namespace

Result<RuleSet> parse_rule_set(std::string_view toml, std::string_view origin) {
  const auto entries = read_entries(toml);
  if (!entries) {
    return fail(Fault::bad_input, std::string(origin) + ':' + std::to_string(entries.error()) +
                                      ": write key = value, values being numbers, words in quotes "
                                      "or { key = value, ... }");
  }
  RuleSet rules;
  std::string error;
  TableReader reader(*entries, origin, "", error);
  reader.refuse_keys_beyond(Words<10>{"cows", "diagonals", "shots", "shot", "targets", "fly_at",
                                      "blocked", "full_board", "clock", "reform"});
  reader.number("cows", rules.cows, is_number_of_cows,
                std::to_string(kMinCows) + " to " + std::to_string(kMaxCows));
  reader.choice("diagonals", rules.diagonals, kDiagonals);
  reader.choice("shots", rules.shots, kShots);
  reader.choice("shot", rules.shot, kShooting);
  reader.choice("targets", rules.targets, kTargets);
  reader.number("fly_at", rules.fly_at, is_number_to_fly_at, "0 (never), 3 or 4");
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

std::optional<RuleSet> read_canonical_text(std::string_view text) {
  RuleSet rules;
  std::string_view rest = text;
  bool sound = true;
  const auto value = [&](std::string_view key) -> std::string_view {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    constexpr std::string_view kEquals = " = ";
    sound = sound && line.starts_with(key) && line.substr(key.size()).starts_with(kEquals);
    return sound ? line.substr(key.size() + kEquals.size()) : std::string_view();
  };
  const auto number = [&](std::string_view digits, auto& into, const auto& is_allowed) {
    const auto found = parse_number(digits, kMostPlies);
    sound = sound && found && is_allowed(static_cast<std::int64_t>(*found));
    if (sound) into = static_cast<std::decay_t<decltype(into)>>(*found);
  };
  const auto choice = [&](std::string_view quoted_word, auto& into, const auto& words) {
    using Enum = std::decay_t<decltype(into)>;
    const bool is_quoted = quoted_word.size() >= 2;
    const auto found = is_quoted
                           ? find_word<Enum>(words, quoted_word.substr(1, quoted_word.size() - 2))
                           : std::nullopt;
    sound = sound && found;
    if (sound) into = *found;
  };
  number(value("cows"), rules.cows, is_number_of_cows);
  choice(value("diagonals"), rules.diagonals, kDiagonals);
  choice(value("shots"), rules.shots, kShots);
  choice(value("shot"), rules.shot, kShooting);
  choice(value("targets"), rules.targets, kTargets);
  number(value("fly_at"), rules.fly_at, is_number_to_fly_at);
  choice(value("blocked"), rules.blocked, kBlocked);
  choice(value("full_board"), rules.full_board, kFullBoard);
  if (const std::string_view clock = value("clock"); clock != "\"off\"") {
    const std::vector<std::string_view> words =
        split_blanks(clock);  // { plies = 50, trigger = "always" }
    sound = sound && words.size() == 8;
    if (sound) {
      number(words[3].substr(0, words[3].size() - 1), rules.clock.plies, is_number_of_plies);
      choice(words[6], rules.clock.trigger, kTriggers);
    }
  }
  choice(value("reform"), rules.reform, kReform);
  // Whatever was passed over above shows here.
  if (!sound || contradiction(rules) || canonical_text(rules) != text) return std::nullopt;
  return rules;
}

}  // namespace mtb
