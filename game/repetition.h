// Positions that come again.
#pragma once

#include <map>
#include <string>

#include "game/notation.h"
#include "game/position.h"

namespace mtb {

/// Counts the positions of a game. The clock is no part of what is repeated.
class Repetitions {
 public:
  /// How often the position has been there, this time included.
  int add(Position position) {
    position.clock = 0;
    return ++times_[to_string(position)];
  }

 private:
  std::map<std::string, int> times_;
};

}  // namespace mtb
