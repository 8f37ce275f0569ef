// One turn against the best that its position had.
#pragma once

#include <cstdint>
#include <optional>

#include "game/position.h"
#include "game/turns.h"
#include "probe/tablebase.h"

namespace mtb {

/// Values are those of the player who makes the turn.
struct TurnGrade {
  Evaluation best;    ///< of the best turn
  Evaluation played;  ///< of the turn that was played
  Turn best_turn;
  std::uint32_t turns = 0;    ///< legal ones, as positions they lead to: orders of shots count once
  std::uint32_t keeping = 0;  ///< those that keep the outcome of the best
  /// Plies that a win was delayed, or a loss hastened; where the outcome was kept and the distances
  /// are known. With the clock applied they are those to the next shot, else those to the end.
  std::optional<std::uint32_t> plies_lost;

  bool keeps_outcome() const { return played.outcome == best.outcome; }
  /// Whether there was something to decide: turns differ in outcome.
  bool is_decision() const { return keeping < turns; }
  /// By how many outcomes, from win to loss, the turn fell short: 0..4.
  int outcomes_lost() const {
    return static_cast<int>(played.outcome) - static_cast<int>(best.outcome);
  }
};

/// `turn` is one of legal_turns(). Errors: those of Tablebase::rank(); when the tables do not know
/// the value of some turn, its error.
Result<TurnGrade> grade_turn(const Tablebase& base, const Position& position, const Turn& turn);

}  // namespace mtb
