#include "audit/audit.h"

#include <algorithm>
#include <cmath>

#include "engine/player.h"
#include "game/repetition.h"

namespace mtb {

void AuditScore::add(const Audited& audited) {
  ++positions;
  kept += audited.kept() ? 1 : 0;
  if (audited.failure) ++failures[static_cast<std::size_t>(*audited.failure)];
  if (audited.grade) score.add(*audited.grade);
}

namespace {

/// The same question to an engine for each position, until it is given up.
template <class Answer, class Ask>
Result<Answers<Answer>> ask_all(const std::vector<Sampled>& positions, Ask ask,
                                const std::function<void(std::size_t)>& told) {
  Answers<Answer> result;
  for (const Sampled& position : positions) {
    std::optional<Error> lost;
    Result<Answer> answer = ask(position, lost);
    if (!answer) return tl::unexpected(std::move(answer.error()));
    if (lost && result.answers.empty()) return tl::unexpected(std::move(*lost));
    result.answers.push_back(std::move(*answer));
    if (told) told(result.answers.size());
    if (!lost) continue;
    result.given_up = std::move(lost);
    break;
  }
  return result;
}

/// The engine's answer. One that did not come up has ended, and is lost, which `lost` is told.
Result<EngineClient::Answer> ask(EngineClient& client, const Position& position,
                                 std::optional<Error>& lost) {
  Result<EngineClient::Answer> answer = client.ask(position);
  if (answer || answer.error().fault != Fault::not_found) return answer;
  lost = std::move(answer.error());
  return EngineClient::Answer{std::nullopt, Failure::ended, ""};
}

}  // namespace

Result<Answers<Audited>> audit_engine(const Tablebase& base, const EngineCommand& engine,
                                      const std::vector<Sampled>& positions,
                                      const std::function<void(std::size_t)>& told) {
  EngineClient client(base.rules(), engine);
  const auto ask_one = [&](const Sampled& asked, std::optional<Error>& lost) -> Result<Audited> {
    const Result<EngineClient::Answer> answer = ask(client, asked.position, lost);
    if (!answer) return tl::unexpected(answer.error());
    Audited audited{asked, answer->turn, std::nullopt, answer->failure, answer->said};
    if (answer->turn) {
      const Result<TurnGrade> grade = grade_turn(base, asked.position, *answer->turn);
      if (!grade) return tl::unexpected(grade.error());
      audited.grade = *grade;
    }
    return audited;
  };
  return ask_all<Audited>(positions, ask_one, told);
}

AuditSums sums_of(const std::vector<Audited>& audited) {
  AuditSums sums;
  for (const Audited& one : audited) {
    sums.all.add(one);
    sums.by_sector[one.asked.position.sector()].add(one);
    sums.by_difficulty[difficulty_of(one.asked.keeping)].add(one);
    sums.by_outcome[one.asked.outcome].add(one);
  }
  return sums;
}

namespace {

/// The end of a game for the player of `side`.
std::optional<Outcome> ended(const RuleSet& rules, const Position& position, Colour side) {
  switch (verdict(rules, position)) {
    case Verdict::open:
      return std::nullopt;
    case Verdict::draw:
      return Outcome::draw;
    case Verdict::win:
      return position.side == side ? Outcome::win : Outcome::loss;
    case Verdict::loss:
      return position.side == side ? Outcome::loss : Outcome::win;
  }
  return std::nullopt;
}

Result<PlayedOut> play_one(const Tablebase& base, EngineClient& client, Player& best,
                           const Sampled& start, std::uint32_t most_plies,
                           std::optional<Error>& lost) {
  PlayedOut game{start, Outcome::draw, 0, std::nullopt};
  Position position = start.position;
  const Colour engine_side = position.side;
  Repetitions seen;
  for (; game.plies < most_plies; ++game.plies) {
    if (const auto end = ended(base.rules(), position, engine_side)) {
      game.result = *end;
      return game;
    }
    if (seen.add(position) == 3) return game;
    Turn turn;
    if (position.side == engine_side) {
      const Result<EngineClient::Answer> answer = ask(client, position, lost);
      if (!answer) return tl::unexpected(answer.error());
      if (!answer->turn) {
        game.failure = answer->failure;
        game.result = Outcome::loss;
        return game;
      }
      turn = *answer->turn;
    } else {
      const Result<Player::Choice> choice = best.choose(position);
      if (!choice) return tl::unexpected(choice.error());
      turn = choice->turn;
    }
    position = play(base.rules(), position, turn);
  }
  return game;
}

}  // namespace

Result<Answers<PlayedOut>> play_out(const Tablebase& base, const EngineCommand& engine,
                                    const std::vector<Sampled>& positions, std::uint32_t most_plies,
                                    const std::function<void(std::size_t)>& told) {
  EngineClient client(base.rules(), engine);
  const auto best = table_player(base, 0, 1, 1);
  const auto play = [&](const Sampled& start, std::optional<Error>& lost) {
    return play_one(base, client, *best, start, most_plies, lost);
  };
  return ask_all<PlayedOut>(positions, play, told);
}

Comparison compare(const std::vector<bool>& first, const std::vector<bool>& second) {
  Comparison result;
  result.positions = std::min(first.size(), second.size());
  for (std::size_t i = 0; i < result.positions; ++i) {
    result.both += first[i] && second[i] ? 1 : 0;
    result.only_first += first[i] && !second[i] ? 1 : 0;
    result.only_second += !first[i] && second[i] ? 1 : 0;
  }
  // Q. McNemar, 1947: of the positions in which the two differ, each has either for winner with
  // even chances. The probability of a split at least as uneven, from the logarithms of binomials.
  const auto n = static_cast<double>(result.only_first + result.only_second);
  const std::uint64_t fewer = std::min(result.only_first, result.only_second);
  double tail = 0;
  for (std::uint64_t k = 0; k <= fewer; ++k) {
    const auto i = static_cast<double>(k);
    tail += std::exp(std::lgamma(n + 1) - std::lgamma(i + 1) - std::lgamma(n - i + 1) -
                     n * std::log(2.0));
  }
  result.probability = std::min(1.0, 2 * tail);
  return result;
}

}  // namespace mtb
