// Alpha-beta search that counts cows.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <stop_token>
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

/// What ends a search, whichever is first.
struct SearchLimits {
  std::optional<int> depth = std::nullopt;                          ///< plies, at least 1
  std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();  ///< positions looked at
  std::optional<std::chrono::steady_clock::time_point> deadline = std::nullopt;
  std::stop_token stop = {};  ///< may be asked to stop by another thread
};

/// All legal turns of a position with their exact scores after `depth` plies, at least 1.
std::vector<SearchedTurn> search_turns(const RuleSet& rules, const Position& position, int depth);

/// The outcome of a search that goes deeper ply by ply.
struct DeepenedSearch {
  std::vector<SearchedTurn> turns;  ///< all legal ones, with their exact scores after `depth` plies
  int depth = 0;                    ///< that was searched to the end, at least 1
  std::uint64_t nodes = 0;          ///< positions looked at
};

/// Searches 1 ply, then 2, and so on up to `limits.depth` or `depth` where that is not given. A
/// depth that the limits cut short counts for nothing; the first ply is never cut, so that there
/// are scores always.
DeepenedSearch deepen(const RuleSet& rules, const Position& position, int depth,
                      const SearchLimits& limits);

}  // namespace mtb
