// What is known about a position, and how the values of its turns make up its own.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "format/table.h"
#include "game/outcome.h"
#include "game/position.h"
#include "game/result.h"
#include "game/turns.h"

namespace mtb {

/// What the tables say about a position, from the view of the player to move.
struct Evaluation {
  Outcome outcome = Outcome::draw;
  /// Plies to the end with best play, without the draw clock; only for wins and losses, and only
  /// where the tables say it.
  std::optional<std::uint32_t> dtw;
  /// Plies to the next shot or the end with best play, where tables with the clock say it: the
  /// least for the winner that keeps the outcome, the most for the loser. Of clock wins and clock
  /// losses see FORMAT.md, "Values"; it counts from clock zero, whatever the position's clock.
  std::optional<std::uint32_t> dtc;
  /// `none` when the rules have no draw clock, `applied` when the outcome is that at the position's
  /// clock, `ignored` when the rules have a clock that the answer does not know of.
  ClockUse clock = ClockUse::none;
  bool operator==(const Evaluation&) const = default;
};

/// A legal turn and where it leads.
struct RankedTurn {
  Turn turn;
  Position position;         ///< after the turn
  Result<Evaluation> value;  ///< from the view of the player who makes the turn, the turn counted
};

/// Won, drawn or lost when nobody looks at the clock.
Outcome unclocked(Outcome outcome);

/// The best first, as Tablebase::rank() says; equal turns keep their order.
void sort_best_first(std::vector<RankedTurn>& turns);

/// The value of a position from those of its turns, at least one. Error: the first of theirs.
Result<Evaluation> best_value(std::span<const RankedTurn> turns);

/// Whether a turn of this value may be what makes a position worth `best`, in its outcome or in a
/// distance.
bool may_make(const Evaluation& value, const Evaluation& best);

/// Whether a turn worth `most` could make a position worth more than `best`, in its outcome or in a
/// distance.
bool may_improve(const Evaluation& most, const Evaluation& best);

}  // namespace mtb
