#include "grade/turn_grade.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace mtb {
namespace {

/// The distance that best play under these tables looks at.
std::optional<std::uint32_t> distance(const Evaluation& value) {
  return value.clock == ClockUse::applied ? value.dtc : value.dtw;
}

std::optional<std::uint32_t> plies_lost(const Evaluation& best, const Evaluation& played) {
  const auto best_plies = distance(best);
  const auto plies = distance(played);
  if (best.outcome != played.outcome || !best_plies || !plies) return std::nullopt;
  const bool wins = best.outcome < Outcome::draw;
  const auto [less, more] = wins ? std::pair(*best_plies, *plies) : std::pair(*plies, *best_plies);
  return more > less ? more - less : 0;
}

}  // namespace

Result<Choice> choice_among(std::span<const RankedTurn> ranked) {
  std::vector<const Position*> seen;
  Choice choice;
  for (const RankedTurn& turn : ranked) {
    if (!turn.value) return tl::unexpected(turn.value.error());
    // The same shots in another order are no other choice.
    const bool again =
        std::ranges::any_of(seen, [&](const Position* before) { return *before == turn.position; });
    if (again) continue;
    seen.push_back(&turn.position);
    ++choice.turns;
    choice.keeping += turn.value->outcome == ranked.front().value->outcome ? 1 : 0;
  }
  choice.best = *ranked.front().value;
  choice.best_turn = ranked.front().turn;
  return choice;
}

Result<TurnGrade> grade_turn(const Tablebase& base, const Position& position, const Turn& turn) {
  // Beyond the tables, which is where most turns of a game are, one look tells.
  const Result<Outcome> reached = base.probe_outcome(play(base.rules(), position, turn));
  if (!reached) return tl::unexpected(reached.error());
  const Result<std::vector<RankedTurn>> ranked = base.rank(position);
  if (!ranked) return tl::unexpected(ranked.error());
  const auto played = std::ranges::find(*ranked, turn, &RankedTurn::turn);
  if (played == ranked->end()) {
    return fail(Fault::bad_input, "the turn that is to be graded is not legal");
  }
  const Result<Choice> choice = choice_among(*ranked);
  if (!choice) return tl::unexpected(choice.error());
  return TurnGrade{*choice, *played->value, plies_lost(choice->best, *played->value)};
}

std::vector<Turn> best_play(const Tablebase& base, Position position, std::size_t turns) {
  std::vector<Turn> line;
  while (line.size() < turns) {
    const Result<std::vector<RankedTurn>> ranked = base.rank(position);
    // The best turn is known when all are.
    if (!ranked || ranked->empty() || !ranked->back().value) break;
    line.push_back(ranked->front().turn);
    position = ranked->front().position;
  }
  return line;
}

}  // namespace mtb
