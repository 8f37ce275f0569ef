// Which pairs to solve, in which order, and what that takes.
#pragma once

#include <cstdint>
#include <vector>

#include "format/index.h"
#include "game/result.h"
#include "game/rule_set.h"
#include "gen/pair.h"

namespace mtb {

/// One pair of a plan.
struct PlanStep {
  Pair pair;
  std::uint64_t slots = 0;         ///< of both sectors; of the one sector of an equal pair
  std::uint64_t memory_bytes = 0;  ///< largest amount that the process needs for this pair
};

/// All pairs without cows in hand with at most `total` cows on the board, and at most rules.cows on
/// each side; in an order in which every pair follows those that its shots lead to.
std::vector<Pair> pairs_up_to_total(int total, const RuleSet& rules);

/// The pair of a sector and all pairs that its shots lead to, in such an order.
/// Errors: bad_input when the sector has fewer than 3 or more than rules.cows cows on a side;
/// not_supported when it has cows in hand.
Result<std::vector<Pair>> pairs_needed_by(Sector sector, const RuleSet& rules);

/// What the work on a pair takes, all its lower sectors in memory.
PlanStep plan_step(Pair pair, const RuleSet& rules, const ClassCache& cache);

}  // namespace mtb
