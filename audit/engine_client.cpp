#include "audit/engine_client.h"

#include <algorithm>

#include "engine/protocol.h"
#include "engine/token_game.h"
#include "game/notation.h"
#include "game/text.h"
#include "probe/rules_name.h"

namespace mtb {
namespace {

/// A turn has at most a move and three shots.
constexpr int kMostTokens = 4;
/// How often an engine that has been up is started before it is given up.
constexpr int kMostStarts = 3;
/// Of what an engine said, in bytes: longer than any token.
constexpr std::size_t kMostSaid = 80;

std::string excerpt(std::string_view said) {
  return printable(said.substr(0, kMostSaid)) + (said.size() > kMostSaid ? "..." : "");
}

}  // namespace

std::string_view to_string(Failure failure) {
  switch (failure) {
    case Failure::late:
      return "late";
    case Failure::ended:
      return "ended";
    case Failure::illegal:
      return "illegal";
  }
  return "";
}

std::optional<Failure> EngineClient::wait_for(std::string_view word, std::string& rest) {
  const Child::Clock::time_point deadline = Child::Clock::now() + engine_.patience;
  std::string line;
  for (;;) {
    switch (child_->read_line(line, deadline)) {
      case Child::Got::nothing_in_time:
        return Failure::late;
      case Child::Got::end:
        return Failure::ended;
      case Child::Got::line:
        break;
    }
    const std::vector<std::string_view> words = split_blanks(line);
    lists_rules_ = lists_rules_ || (words.size() > 2 && words[0] == "option" &&
                                    words[1] == "name" && words[2] == kRulesOption);
    if (words.empty() || words.front() != word) continue;
    rest = words.size() > 1 ? std::string(words[1]) : "";
    return std::nullopt;
  }
}

bool EngineClient::must_be_told_rules() const {
  return lists_rules_ && std::ranges::none_of(engine_.options, [](const auto& option) {
           return option.first == kRulesOption;
         });
}

Result<void> EngineClient::come_up() {
  Result<void> up = start();
  for (int starts = 1; !up && was_up_ && starts < kMostStarts; ++starts) up = start();
  was_up_ = was_up_ || up;
  return up;
}

Result<void> EngineClient::start() {
  Result<Child> child = Child::start(engine_.command);
  if (!child) return tl::unexpected(child.error());
  child_.emplace(std::move(*child));
  const auto refused = [&](std::string_view word, Failure failure) {
    child_.reset();
    return fail(Fault::not_found,
                "`" + engine_.command + "` did not answer " + std::string(word) +
                    (failure == Failure::late ? " in time" : " but ended") +
                    "; check that it is an engine that speaks the protocol of mill engines");
  };
  std::string ignored;
  child_->write_line("uci");
  if (auto failure = wait_for("uciok", ignored)) return refused("uci", *failure);
  if (const auto rules = rule_set_name(rules_); rules && must_be_told_rules()) {
    child_->write_line("setoption name " + std::string(kRulesOption) + " value " +
                       std::string(*rules));
  }
  for (const auto& [name, value] : engine_.options) {
    child_->write_line("setoption name " + name + " value " + value);
  }
  child_->write_line("isready");
  if (auto failure = wait_for("readyok", ignored)) return refused("isready", *failure);
  child_->write_line("ucinewgame");
  return {};
}

Result<EngineClient::Answer> EngineClient::ask(const Position& position) {
  if (!child_) {
    if (Result<void> up = come_up(); !up) return tl::unexpected(up.error());
  }
  TokenGame game(rules_, position);
  std::string command = "position fen " + to_fen(position);
  std::string text;  // of the whole turn
  for (int i = 0; i < kMostTokens; ++i) {
    std::string token;
    child_->write_line(command);
    child_->write_line(engine_.go);
    if (const auto failure = wait_for("bestmove", token)) {
      child_.reset();  // what it may still say would be taken for the next answer
      return Answer{std::nullopt, failure, ""};
    }
    if (Result<void> played = game.play(token); !played) {
      return Answer{std::nullopt, Failure::illegal, excerpt(token)};
    }
    // An engine may decline shots by going on without them; a turn ends when the side changes.
    text += token;
    command += (i == 0 ? " moves " : " ") + token;
    if (game.position().side != position.side || game.position().owed == 0) {
      const Result<Turn> turn = parse_turn(text);
      if (!turn) return Answer{std::nullopt, Failure::illegal, excerpt(text)};
      return Answer{*turn, std::nullopt, ""};
    }
  }
  return Answer{std::nullopt, Failure::illegal, excerpt(text)};
}

}  // namespace mtb
