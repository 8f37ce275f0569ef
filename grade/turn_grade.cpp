#include "grade/turn_grade.h"

#include <algorithm>
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

Result<TurnGrade> grade_turn(const Tablebase& base, const Position& position, const Turn& turn) {
  const Result<std::vector<RankedTurn>> ranked = base.rank(position);
  if (!ranked) return tl::unexpected(ranked.error());
  const auto played =
      std::ranges::find_if(*ranked, [&](const RankedTurn& other) { return other.turn == turn; });
  if (played == ranked->end()) {
    return fail(Fault::bad_input, "the turn that is to be graded is not legal");
  }
  std::vector<const Position*> seen;
  TurnGrade grade;
  for (const RankedTurn& other : *ranked) {
    if (!other.value) return tl::unexpected(other.value.error());
    // The same shots in another order are no other choice.
    const bool again = std::ranges::any_of(
        seen, [&](const Position* position_before) { return *position_before == other.position; });
    if (again) continue;
    seen.push_back(&other.position);
    ++grade.turns;
    grade.keeping += other.value->outcome == ranked->front().value->outcome ? 1 : 0;
  }
  grade.best = *ranked->front().value;
  grade.best_turn = ranked->front().turn;
  grade.played = *played->value;
  grade.plies_lost = plies_lost(grade.best, grade.played);
  return grade;
}

}  // namespace mtb
