#include "engine/protocol.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "game/notation.h"
#include "game/text.h"

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
  if (name == "MtbRules") {
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
  if (command == "quit") return false;
  if (command == "uci") {
    identify();
  } else if (command == "isready") {
    if (Result<void> ready = prepare(); !ready) complain(ready.error());
    out_ << "readyok\n";
  } else if (command == "ucinewgame") {
    game_.reset();
    due_at_.reset();
  } else if (command == "setoption") {
    set_option(words);
  } else if (command == "position") {
    set_position(words);
  } else if (command == "go") {
    go();
  } else if (command != "stop" && command != "ponderhit" && command != "debug") {
    out_ << "info string unknown command " << quoted(command) << '\n';
  }
  out_.flush();
  return true;
}

void Engine::identify() {
  out_ << "id name " << settings_.name << "\nid author the mtb project\n"
       << "option name MtbPath type string default <empty>\n"
       << "option name MtbRules type string default traditional\n"
       << "option name MtbCacheMB type spin default " << (settings_.cache_bytes >> 20)
       << " min 0 max 1048576\n"
       << "option name Player type combo default " << to_string(settings_.who);
  for (const NamedWho& who : kWho) out_ << " var " << who.name;
  out_ << "\noption name Skill type string default 100\n"
       << "option name Depth type spin default " << settings_.depth << " min 1 max " << kMostDepth
       << "\noption name Seed type spin default 1 min 0 max 9007199254740992\n"
       << "uciok\n";
}

void Engine::set_option(const std::vector<std::string_view>& words) {
  const auto value = std::ranges::find(words, "value");
  if (words.size() < 3 || words[1] != "name" || value == words.begin() + 2) {
    out_ << "info string error: an option is set by setoption name NAME value VALUE\n";
    return;
  }
  const auto text_of = [](auto begin, auto end) { return join({begin, end}); };
  const std::string name = text_of(words.begin() + 2, value);
  const std::string text = value == words.end() ? "" : text_of(value + 1, words.end());
  if (!set(settings_, name, text == "<empty>" ? "" : text)) {
    out_ << "info string error: option " << quoted(name) << " cannot be set to " << quoted(text)
         << "; see the answer to uci\n";
    return;
  }
  player_.reset();
  base_.reset();
  due_at_.reset();
}

void Engine::set_position(const std::vector<std::string_view>& words) {
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
      const std::vector<std::filesystem::path> folders(s.folders.begin(), s.folders.end());
      TablebaseOptions options;
      options.expected = s.rules;
      options.cache_bytes = s.cache_bytes;
      options.may_be_empty = true;
      Result<Tablebase> base = Tablebase::open(folders, options);
      if (!base) return tl::unexpected(base.error());
      base_.emplace(std::move(*base));
      for (const Refusal& refusal : base_->refused()) {
        out_ << "info string not used: " << refusal.error.message << '\n';
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

/// What is to be played in the present position, as one token.
Result<std::string> Engine::next_token() {
  if (due_at_ != game_->position()) {
    if (Result<void> ready = prepare(); !ready) return tl::unexpected(ready.error());
    const Result<Player::Choice> choice = player_->choose(game_->position());
    if (!choice) return tl::unexpected(choice.error());
    if (!choice->remark.empty()) out_ << "info string " << choice->remark << '\n';
    due_ = tokens_of(choice->turn);
  }
  const std::string token = due_.front();
  due_.erase(due_.begin());
  // Shots are asked for when they are due; they were chosen with the move.
  due_at_.reset();
  if (!due_.empty()) {
    TokenGame next = *game_;
    if (Result<void> played = next.play(token); !played) return tl::unexpected(played.error());
    due_at_ = next.position();
  }
  return token;
}

void Engine::go() {
  if (!game_) {
    out_ << "info string error: there is no position; name one by position\nbestmove (none)\n";
    return;
  }
  if (verdict(settings_.rules, game_->position()) != Verdict::open) {
    out_ << "info string the game is over\nbestmove (none)\n";
    return;
  }
  const Result<std::string> token = next_token();
  if (!token) complain(token.error());
  out_ << "bestmove " << (token ? *token : "(none)") << '\n';
}

}  // namespace mtb
