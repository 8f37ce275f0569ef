#include "probe/evaluation.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace mtb {
namespace {

/// Smaller is better for the player who makes the turn: outcome, then distances.
using Badness = std::tuple<std::size_t, std::int64_t, std::int64_t>;

Badness badness(const RankedTurn& ranked) {
  constexpr std::int64_t kUnknownDistance = std::numeric_limits<std::int64_t>::max();
  if (!ranked.value) return {kOutcomeCount, 0, 0};
  const Outcome outcome = ranked.value->outcome;
  const auto rank = static_cast<std::size_t>(outcome);
  if (outcome == Outcome::draw) return {rank, 0, 0};
  const auto badness_of = [&](const std::optional<std::uint32_t>& plies) {
    if (!plies) return kUnknownDistance;
    return outcome < Outcome::draw ? std::int64_t{*plies} : -std::int64_t{*plies};
  };
  const std::int64_t dtw = badness_of(ranked.value->dtw);
  // With a clock, the next shot comes before the end of the game.
  if (ranked.value->clock != ClockUse::applied) return {rank, dtw, 0};
  return {rank, badness_of(ranked.value->dtc), dtw};
}

}  // namespace

void sort_best_first(std::vector<RankedTurn>& turns) {
  std::stable_sort(turns.begin(), turns.end(), [](const RankedTurn& a, const RankedTurn& b) {
    return badness(a) < badness(b);
  });
}

Outcome unclocked(Outcome outcome) {
  if (outcome == Outcome::clock_win) return Outcome::win;
  return outcome == Outcome::clock_loss ? Outcome::loss : outcome;
}

Result<Evaluation> best_value(std::span<const RankedTurn> turns) {
  for (const RankedTurn& turn : turns) {
    if (!turn.value) return turn.value;
  }
  Evaluation best = *std::ranges::min_element(turns, {}, badness)->value;
  // Each distance is that of its own best turn: the quickest to a shot need not be the quickest to
  // the end. A turn at an unknown distance may be nearer (or, losing, farther).
  const auto take_best = [&](std::optional<std::uint32_t> Evaluation::*distance, auto&& as_good) {
    for (const RankedTurn& turn : turns) {
      if (!as_good(turn.value->outcome)) continue;
      const std::optional<std::uint32_t>& plies = *turn.value.*distance;
      if (!plies) {
        (best.*distance).reset();
        return;
      }
      best.*distance = best.outcome < Outcome::draw ? std::min(*(best.*distance), *plies)
                                                    : std::max(*(best.*distance), *plies);
    }
  };
  if (best.dtw) {
    const Outcome outcome = unclocked(best.outcome);
    take_best(&Evaluation::dtw, [&](Outcome other) { return unclocked(other) == outcome; });
  }
  if (best.dtc) {
    take_best(&Evaluation::dtc, [&](Outcome other) { return other == best.outcome; });
  }
  return best;
}

bool may_make(const Evaluation& value, const Evaluation& best) {
  if (unclocked(value.outcome) != unclocked(best.outcome)) return false;
  if (best.dtw && (!value.dtw || *value.dtw == *best.dtw)) return true;
  if (value.outcome != best.outcome) return false;
  if (best.dtc) return !value.dtc || *value.dtc == *best.dtc;
  return best.clock == ClockUse::applied || !best.dtw;
}

bool may_improve(const Evaluation& most, const Evaluation& best) {
  const auto nearer = [&](const std::optional<std::uint32_t>& a,
                          const std::optional<std::uint32_t>& b) {
    if (!b) return false;
    return !a || (best.outcome < Outcome::draw ? *a < *b : *a > *b);
  };
  if (most.outcome < best.outcome) return true;
  if (unclocked(most.outcome) != unclocked(best.outcome)) return false;
  return nearer(most.dtw, best.dtw) || (most.outcome == best.outcome && nearer(most.dtc, best.dtc));
}

}  // namespace mtb
