// Who chooses turns: at random, greedily, by a shallow search, or from tables.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <string>

#include "engine/search.h"
#include "game/position.h"
#include "game/result.h"
#include "game/rule_set.h"
#include "game/turns.h"
#include "probe/tablebase.h"

namespace mtb {

/// One object serves one game at a time, in one thread. Chance comes from its own generator, so
/// that a seed and the positions asked determine all turns.
class Player {
 public:
  virtual ~Player() = default;

  struct Choice {
    Turn turn;
    std::string remark;  ///< what is to be said about it; may be empty
  };
  /// A legal turn of a position that is not over; who searches minds the limits. Errors: those of
  /// the tables.
  virtual Result<Choice> choose(const Position& position, const SearchLimits& limits) = 0;
  Result<Choice> choose(const Position& position) { return choose(position, {}); }
};

/// Any legal turn with equal chances.
std::unique_ptr<Player> random_player(const RuleSet& rules, std::uint64_t seed);

/// A turn that shoots the most cows; of these one at random.
std::unique_ptr<Player> greedy_player(const RuleSet& rules, std::uint64_t seed);

/// Searches `depth` plies, at least 1, unless the limits say otherwise, and counts cows at the end;
/// equal turns at random.
std::unique_ptr<Player> searching_player(const RuleSet& rules, int depth, std::uint64_t seed);

/// The best turn by the tables. In a decision, that is where turns differ in outcome, it plays with
/// a chance of `error_rate` (0 to 1) one of those that give the outcome away. Where the tables do
/// not reach, it says so and searches `depth` plies. `base` must outlive it.
std::unique_ptr<Player> table_player(const Tablebase& base, double error_rate, int depth,
                                     std::uint64_t seed);

}  // namespace mtb
