// What the value of a position must be, from all its turns, one position at a time.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "verify/merit.h"
#include "verify/turns.h"
#include "verify/values.h"

namespace mtb::deep {

/// Not safe for concurrent use: each thread has its own. Tables hold positions without bans; what a
/// position with bans is worth is searched (README.md, "Bans").
class PlainChecker {
 public:
  /// `tables` has all sectors that turns from the positions asked lead to, and their own.
  PlainChecker(const Game& game, const Tables& tables) : game_(game), tables_(tables) {}

  /// What follows for the mover, in codes of the position's sector. No table's value of the
  /// position itself is used.
  Code expected(const Position& position);

  /// The best that a move, with its shots, gives the mover. The position has no bans.
  Merit merit_of_move(const Position& position, int from, int to);

 private:
  struct Node {
    Position position;
    Code code = 0;
  };

  const Scale& scale(const Position& position) const {
    return tables_.find(size_of(position.mover), size_of(position.opponent))->scale();
  }
  Merit merit(const Position& position);
  Merit merit_after(const Scale& here, const Successor& successor);
  Merit merit_when_blocked(const Position& position);
  Code code_of(const Position& position);
  void settle();

  const Game& game_;
  const Tables& tables_;
  /// Positions whose codes are known for good.
  std::map<Position, Code> settled_;
  /// Positions with a ban of the last turn that the search has come to, with what is known of them.
  std::vector<Node> open_;
  std::map<Position, std::size_t> open_places_;
  bool searching_ = false;
};

}  // namespace mtb::deep
