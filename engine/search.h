// Alpha-beta search that counts cows.
#pragma once

#include <vector>

#include "game/position.h"
#include "game/rule_set.h"
#include "game/turns.h"

namespace mtb {

/// A turn with what a search makes of it for its player; decided games lie beyond all others.
struct SearchedTurn {
  Turn turn;
  int score = 0;
};

/// All legal turns of a position with their exact scores after `depth` plies, at least 1.
std::vector<SearchedTurn> search_turns(const RuleSet& rules, const Position& position, int depth);

}  // namespace mtb
