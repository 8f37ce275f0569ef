// Counting, for many sets at once, the moves that earn no shot.
#pragma once

#include <cstdint>
#include <span>

#include "game/board.h"
#include "game/rule_set.h"

namespace mtb {

/// counts[i] = number of moves of the cows `sets[i]` that close no mill, on a board where `key` is
/// taken by the other player. The sets are board sets of one size, disjoint from `key`; flights are
/// counted as the rules have them. At most 80. Both spans have one length.
void count_quiet_moves(std::span<const std::uint32_t> sets, PointSet key, const RuleSet& rules,
                       std::span<std::uint8_t> counts);

/// The same for all moves, mills closed or not.
void count_moves(std::span<const std::uint32_t> sets, PointSet key, const RuleSet& rules,
                 std::span<std::uint8_t> counts);

}  // namespace mtb
