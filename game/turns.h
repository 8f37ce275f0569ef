// The rules at work: which turns are legal, what they lead to, and when a game is over.
//
// This is the readable statement of the rules; speed matters little here. The generator has its own
// row-wise machinery, which the tests hold against these functions.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "game/position.h"
#include "game/rule_set.h"

namespace mtb {

/// A complete turn: a placement, a move (flights included) or a pass, with all shots of the turn.
/// In a position where shots are owed, a turn is `shoot`: the remaining shots alone.
struct Turn {
  enum class Kind : std::uint8_t { place, move, pass, shoot };

  Kind kind = Kind::pass;
  Point from{};                  ///< move only
  Point to{};                    ///< place and move
  std::uint8_t shot_count = 0;   ///< 0..3
  std::array<Point, 3> shots{};  ///< in the order in which they are taken
  bool declined = false;         ///< shots that were still owed were declined

  auto operator<=>(const Turn&) const = default;
};

/// Which of a player's cows on the board may be shot; empty when none may.
PointSet targets(const RuleSet& rules, PointSet cows);

/// Whether a ban {from = Y, to = X} of the player with the cows `mover` forbids the move
/// `from`-`to`.
bool is_banned(const RuleSet& rules, PointSet mover, const Ban& ban, Point from, Point to);

/// Whether the draw clock, if the rules have one, counts plies in the positions of a sector: in the
/// moving phase, while its trigger holds.
bool clock_runs(const RuleSet& rules, Sector sector);

/// How a game stands before the mover's turn.
enum class Verdict : std::uint8_t { open, win, draw, loss };  ///< from the mover's view

/// Whether the game is over, and how: too few cows, a blocked player, a full board, the draw clock.
/// Repetition is not a matter of one position. A position with owed shots is open.
Verdict verdict(const RuleSet& rules, const Position& position);

/// All legal turns, in ascending order of (kind, from, to, shots); none when the game is over.
/// Sequences that shoot the same cows in different orders are different turns.
std::vector<Turn> legal_turns(const RuleSet& rules, const Position& position);

/// The position after a legal turn. The turn must be one of legal_turns().
Position play(const RuleSet& rules, const Position& position, const Turn& turn);

/// Number of sequences of `depth` complete turns from the position (1 for depth 0).
std::uint64_t perft(const RuleSet& rules, const Position& position, int depth);

}  // namespace mtb
