#include "engine/protocol.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <new>
#include <utility>

#include "game/notation.h"
#include "probe/rules_name.h"

namespace mtb {
namespace {

struct NamedWho {
  std::string_view name;
  EngineSettings::Who who;
};
constexpr std::array<NamedWho, 4> kWho = {{{"tables", EngineSettings::Who::tables},
                                           {"search", EngineSettings::Who::search},
                                           {"greedy", EngineSettings::Who::greedy},
                                           {"random", EngineSettings::Who::random}}};

constexpr int kMostDepth = 12;
/// More than this is no other wish: a thousand years, and depths that no search comes to.
constexpr std::uint64_t kMostMilliseconds = std::uint64_t{1} << 45;
constexpr std::uint64_t kMostPliesAsked = 1000;

std::string_view to_string(EngineSettings::Who who) {
  return std::ranges::find(kWho, who, &NamedWho::who)->name;
}

std::string join(std::span<const std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) text += (text.empty() ? "" : " ") + std::string(word);
  return text;
}

/// A number between 0 and 100 that may have decimals.
std::optional<double> parse_percent(std::string_view text) {
  const std::size_t point = text.find('.');
  const auto whole = parse_number(text.substr(0, point), 100);
  if (!whole) return std::nullopt;
  double value = static_cast<double>(*whole);
  if (point != std::string_view::npos) {
    double unit = 0.1;
    for (const char digit : text.substr(point + 1)) {
      if (digit < '0' || digit > '9') return std::nullopt;
      value += unit * (digit - '0');
      unit /= 10;
    }
  }
  return value <= 100 ? std::optional(value) : std::nullopt;
}

/// Sets the option; whether its name and its value are known.
bool set(EngineSettings& settings, std::string_view name, std::string_view value) {
  if (name == "MtbPath") {
    settings.folders.clear();
    for (const std::string_view folder : split(value, ':')) {
      if (!folder.empty()) settings.folders.emplace_back(folder);
    }
    return true;
  }
  if (name == kRulesOption) {
    const auto rules = rule_set_named(value);
    if (rules) settings.rules = *rules;
    return rules.has_value();
  }
  if (name == "Player") {
    const auto found = std::ranges::find(kWho, value, &NamedWho::name);
    if (found != kWho.end()) settings.who = found->who;
    return found != kWho.end();
  }
  if (name == "Skill") {
    const auto percent = parse_percent(value);
    if (percent) settings.skill = *percent;
    return percent.has_value();
  }
  const auto number = parse_number(value, std::uint64_t{1} << 53);
  if (!number) return false;
  if (name == "Seed") {
    settings.seed = *number;
  } else if (name == "MtbCacheMB" && *number <= (1u << 20)) {
    settings.cache_bytes = static_cast<std::size_t>(*number) << 20;
  } else if (name == "Depth" && *number >= 1 && *number <= kMostDepth) {
    settings.depth = static_cast<int>(*number);
  } else {
    return false;
  }
  return true;
}

}  // namespace

bool Engine::obey(std::string_view line) {
  const std::vector<std::string_view> words = split_blanks(line);
  if (words.empty()) return true;
  const std::string_view command = words.front();
  if (command == "stop" || command == "quit") {
    thinking_.request_stop();
    if (command == "stop") return out_works_;
    finish_thinking();
    return false;
  }
  // Whoever thinks has opened the tables.
  if (command == "isready" && thinks_) {
    say("readyok");
    return out_works_;
  }
  finish_thinking();
  if (command == "uci") {
    identify();
  } else if (command == "isready") {
    if (Result<void> ready = prepare(); !ready) complain(ready.error());
    say("readyok");
  } else if (command == "ucinewgame") {
    game_.reset();
    due_at_.reset();
  } else if (command == "setoption") {
    set_option(words);
  } else if (command == "position") {
    set_position(words);
  } else if (command == "go") {
    go(words);
  } else if (command != "ponderhit" && command != "debug") {
    say("info string unknown command " + quoted(command));
  }
  return out_works_;
}

void Engine::say(std::string_view line) {
  const std::lock_guard lock(out_in_use_);
  if (!(out_ << line << '\n' << std::flush)) out_works_ = false;
}

/// Waits for the thought that is under way; one without an end of its own is ended.
void Engine::finish_thinking() {
  if (until_stopped_) thinking_.request_stop();
  if (thinking_.joinable()) thinking_.join();
}

void Engine::identify() {
  std::string who =
      "option name Player type combo default " + std::string(to_string(settings_.who));
  for (const NamedWho& named : kWho) who += " var " + std::string(named.name);
  const std::string rules(rule_set_name(settings_.rules).value_or("<empty>"));
  for (const std::string& line :
       {"id name " + settings_.name, std::string("id author the mtb project"),
        std::string("option name MtbPath type string default <empty>"),
        "option name " + std::string(kRulesOption) + " type string default " + rules,
        "option name MtbCacheMB type spin default " + std::to_string(settings_.cache_bytes >> 20) +
            " min 0 max 1048576",
        who, std::string("option name Skill type string default 100"),
        "option name Depth type spin default " + std::to_string(settings_.depth) + " min 1 max " +
            std::to_string(kMostDepth),
        std::string("option name Seed type spin default 1 min 0 max 9007199254740992"),
        std::string("uciok")}) {
    say(line);
  }
}

void Engine::set_option(Words words) {
  const auto value = std::ranges::find(words, "value");
  if (words.size() < 3 || words[1] != "name" || value == words.begin() + 2) {
    return say("info string error: an option is set by setoption name NAME value VALUE");
  }
  const auto text_of = [](auto begin, auto end) { return join({begin, end}); };
  const std::string name = text_of(words.begin() + 2, value);
  const std::string text = value == words.end() ? "" : text_of(value + 1, words.end());
  const RuleSet before = settings_.rules;
  if (!set(settings_, name, text == "<empty>" ? "" : text)) {
    return say("info string error: option " + quoted(std::string_view(name)) +
               " cannot be set to " + quoted(std::string_view(text)) + "; see the answer to uci");
  }
  // A position is one of its rules.
  if (settings_.rules != before) game_.reset();
  player_.reset();
  base_.reset();
  due_at_.reset();
}

void Engine::set_position(Words words) {
  game_.reset();
  const auto moves = std::ranges::find(words, "moves");
  Result<Position> start = start_position(settings_.rules);
  if (words.size() > 1 && words[1] == "fen") {
    const std::string fen = join({words.begin() + 2, moves});
    start = parse_position(fen).and_then([&](const Position& position) {
      return validate(position, settings_.rules).map([&] { return position; });
    });
  } else if (words.size() < 2 || words[1] != "startpos") {
    start = fail(Fault::bad_input, "position startpos or position fen FEN is wanted");
  }
  if (!start) return complain(start.error());
  TokenGame game(settings_.rules, *start);
  for (auto token = moves; token != words.end(); ++token) {
    if (token == moves) continue;
    if (Result<void> played = game.play(*token); !played) return complain(played.error());
  }
  game_ = game;
}

/// Opens the tables and seats the player, if that has not been done with the present options.
Result<void> Engine::prepare() {
  if (player_) return {};
  const EngineSettings& s = settings_;
  switch (s.who) {
    case EngineSettings::Who::tables: {
      const std::vector<std::string> names =
          s.folders.empty() && s.usual_folders ? s.usual_folders(s.rules) : s.folders;
      const std::vector<std::filesystem::path> folders(names.begin(), names.end());
      TablebaseOptions options;
      options.expected = s.rules;
      options.cache_bytes = s.cache_bytes;
      options.may_be_empty = true;
      Result<Tablebase> base = Tablebase::open(folders, options);
      if (!base) return tl::unexpected(base.error());
      base_.emplace(std::move(*base));
      for (const Refusal& refusal : base_->refused()) {
        say("info string not used: " + printable(refusal.error.message));
      }
      player_ = table_player(*base_, 1 - s.skill / 100, s.depth, s.seed);
      break;
    }
    case EngineSettings::Who::search:
      player_ = searching_player(s.rules, s.depth, s.seed);
      break;
    case EngineSettings::Who::greedy:
      player_ = greedy_player(s.rules, s.seed);
      break;
    case EngineSettings::Who::random:
      player_ = random_player(s.rules, s.seed);
      break;
  }
  return {};
}

/// A turn of the player, or where it cannot tell one, any.
Player::Choice Engine::choose(const SearchLimits& limits) {
  const Position& position = game_->position();
  Result<Player::Choice> choice =
      prepare().and_then([&] { return player_->choose(position, limits); });
  if (choice) return std::move(*choice);
  complain(choice.error());
  return {legal_turns(settings_.rules, position).front(), "any legal turn"};
}

/// What is to be played in the present position, as one token.
std::string Engine::next_token(const SearchLimits& limits) {
  if (due_at_ != game_->position()) {
    const Player::Choice choice = choose(limits);
    if (!choice.remark.empty()) say("info string " + printable(choice.remark));
    due_ = tokens_of(choice.turn);
  }
  std::string token = due_.front();
  due_.erase(due_.begin());
  // Shots are asked for when they are due; they were chosen with the move.
  due_at_.reset();
  if (!due_.empty()) {
    TokenGame next = *game_;
    if (next.play(token)) due_at_ = next.position();
  }
  return token;
}

/// The limits behind `go`; other words are passed over.
SearchLimits Engine::limits_of(Words words) {
  SearchLimits limits;
  const auto number = [&](std::string_view name, std::uint64_t least,
                          std::uint64_t most) -> std::optional<std::uint64_t> {
    const auto word = std::ranges::find(words, name);
    if (word == words.end()) return std::nullopt;
    const std::string_view text = word + 1 == words.end() ? std::string_view() : *(word + 1);
    const auto value = parse_number(text, most);
    if (value && *value >= least) return value;
    say("info string error: " + std::string(name) + " wants a number from " +
        std::to_string(least) + " to " + std::to_string(most) + ", not " + quoted(text));
    return std::nullopt;
  };
  if (const auto plies = number("depth", 1, kMostPliesAsked)) {
    limits.depth = static_cast<int>(*plies);
  }
  limits.nodes = number("nodes", 0, limits.nodes).value_or(limits.nodes);
  if (const auto time = number("movetime", 0, kMostMilliseconds)) {
    limits.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(*time);
  }
  return limits;
}

void Engine::go(Words words) {
  if (!game_) {
    say("info string error: there is no position; name one by position");
    return say("bestmove (none)");
  }
  if (verdict(settings_.rules, game_->position()) != Verdict::open) {
    say("info string the game is over");
    return say("bestmove (none)");
  }
  SearchLimits limits = limits_of(words);
  until_stopped_ = std::ranges::find(words, "infinite") != words.end();
  if (until_stopped_) limits.depth = limits.depth.value_or(kMostPliesAsked);
  thinks_ = true;
  thinking_ = std::jthread([this, limits](std::stop_token stop) mutable {
    limits.stop = std::move(stop);
    think(limits, until_stopped_);
  });
}

/// What the thread does.
void Engine::think(SearchLimits limits, bool until_stopped) {
  std::string token = "(none)";
  try {
    token = next_token(limits);
  } catch (const std::bad_alloc&) {
    say("info string error: out of memory; set a smaller MtbCacheMB");
  }
  if (until_stopped) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any().wait(lock, limits.stop, [] { return false; });
  }
  thinks_ = false;
  say("bestmove " + token);
}

}  // namespace mtb
