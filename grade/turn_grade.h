// One turn against the best that its position had.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "game/position.h"
#include "game/turns.h"
#include "probe/tablebase.h"

namespace mtb {

/// What there is to choose in a position. Values are those of the player to move.
struct Choice {
  Evaluation best;  ///< of the best turn
  Turn best_turn;
  std::uint32_t turns = 0;    ///< legal ones, as positions they lead to: orders of shots count once
  std::uint32_t keeping = 0;  ///< those that keep the outcome of the best

  /// Whether there is something to decide: turns differ in outcome.
  bool is_decision() const { return keeping < turns; }
};

/// The choice among all turns of a position, the best first, at least one. Error: the first of
/// theirs, when the tables do not know the value of some turn.
Result<Choice> choice_among(std::span<const RankedTurn> ranked);

/// How a turn compares with the others.
struct TurnGrade : Choice {
  Evaluation played;  ///< of the turn that was played
  /// Plies that a win was delayed, or a loss hastened; where the outcome was kept and the distances
  /// are known. With the clock applied they are those to the next shot, else those to the end.
  std::optional<std::uint32_t> plies_lost;

  bool keeps_outcome() const { return played.outcome == best.outcome; }
  /// By how many outcomes, from win to loss, the turn fell short: 0..4.
  int outcomes_lost() const {
    return static_cast<int>(played.outcome) - static_cast<int>(best.outcome);
  }
};

/// `turn` is one of legal_turns(). Errors: those of Tablebase::rank() and choice_among().
Result<TurnGrade> grade_turn(const Tablebase& base, const Position& position, const Turn& turn);

/// Best play by both sides from a position, at most so many turns; fewer where the game ends or the
/// tables do.
std::vector<Turn> best_play(const Tablebase& base, Position position, std::size_t turns);

}  // namespace mtb
