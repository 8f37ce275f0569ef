#include "gen/quiet_moves.h"

#include <bit>
#include <cstddef>

namespace mtb {
namespace {

// All of this works on whole sets, three rings of eight bits side by side, without branches, so
// that the compiler turns the loops below into vector code.

constexpr std::uint32_t kAll = 0xFFFFFF;
constexpr std::uint32_t kCorners = 0x555555;
constexpr std::uint32_t kMidpoints = 0xAAAAAA;

/// Bit p of a ring set when the set has the next spot, p + 1.
constexpr std::uint32_t next_spot(std::uint32_t set) {
  return (set >> 1 & 0x7F7F7F) | (set << 7 & 0x808080);
}

/// Bit p of a ring set when the set has the spot before, p - 1.
constexpr std::uint32_t last_spot(std::uint32_t set) {
  return (set << 1 & 0xFEFEFE) | (set >> 7 & 0x010101);
}

constexpr std::uint32_t bit_count(std::uint32_t set) {
  set = set - (set >> 1 & 0x55555555);
  set = (set & 0x33333333) + (set >> 2 & 0x33333333);
  set = (set + (set >> 4)) & 0x0F0F0F0F;
  return (set + (set >> 8) + (set >> 16)) & 0x3F;
}

/// Points at which a cow would complete a mill with cows of a set, by kind of line.
struct Closable {
  std::uint32_t side_ahead;   ///< a corner, with the side that runs to p + 1, p + 2
  std::uint32_t side_behind;  ///< a corner, with the side that runs to p - 1, p - 2
  std::uint32_t side_middle;  ///< a midpoint, with its two corners
  std::uint32_t across;       ///< with the same spot of the other two rings
};

constexpr Closable closable(std::uint32_t set, std::uint32_t across_spots) {
  const std::uint32_t ahead = next_spot(set);
  const std::uint32_t behind = last_spot(set);
  const std::uint32_t across = (set >> 8 & set >> 16 & 0x0000FF) |
                               (set << 8 & set >> 8 & 0x00FF00) | (set << 8 & set << 16 & 0xFF0000);
  return {ahead & next_spot(ahead) & kCorners, behind & last_spot(behind) & kCorners,
          ahead & behind & kMidpoints, across & across_spots};
}

struct Spots {
  std::uint32_t steps_across;  ///< spots at which the rings are joined by an edge
  std::uint32_t mills_across;  ///< spots at which three rings make a mill
};

constexpr Spots spots(Diagonals diagonals) {
  return {kMidpoints | (diagonals == Diagonals::none ? 0 : kCorners),
          kMidpoints | (diagonals == Diagonals::mills ? kCorners : 0)};
}

/// Moves along edges. A line through the arrival point is no mill when the cow came along it.
template <bool kWithMills>
constexpr std::uint32_t steps(std::uint32_t set, std::uint32_t key, Spots board) {
  const std::uint32_t empty = ~(set | key) & kAll;
  std::uint32_t forward = last_spot(set) & empty;
  std::uint32_t backward = next_spot(set) & empty;
  std::uint32_t outward = set >> 8 & empty & board.steps_across;
  std::uint32_t inward = set << 8 & empty & board.steps_across;
  if constexpr (!kWithMills) {
    const Closable lines = closable(set, board.mills_across);
    const std::uint32_t sides = lines.side_ahead | lines.side_behind | lines.side_middle;
    forward &= ~(lines.side_ahead | lines.across);
    backward &= ~(lines.side_behind | lines.across);
    outward &= ~sides;
    inward &= ~sides;
  }
  return bit_count(forward) + bit_count(backward) + bit_count(outward) + bit_count(inward);
}

/// Flights to any empty point. A point that completes one line does so unless the cow itself came
/// from that line, so for size - 2 cows; one that completes several does so for every cow.
template <bool kWithMills>
constexpr std::uint32_t flights(std::uint32_t set, std::uint32_t key, Spots board,
                                std::uint32_t size) {
  const std::uint32_t empty = ~(set | key) & kAll;
  const std::uint32_t all = size * bit_count(empty);
  if constexpr (kWithMills) return all;
  const Closable lines = closable(set, board.mills_across);
  const std::uint32_t a = lines.side_ahead & empty;
  const std::uint32_t b = lines.side_behind & empty;
  const std::uint32_t c = lines.side_middle & empty;
  const std::uint32_t d = lines.across & empty;
  const std::uint32_t several = (a & b) | ((a | b | c) & d);
  const std::uint32_t single = (a | b | c | d) & ~several;
  return all - (size - 2) * bit_count(single) - size * bit_count(several);
}

template <bool kWithMills>
void count(std::span<const std::uint32_t> sets, PointSet key, const RuleSet& rules,
           std::span<std::uint8_t> counts) {
  if (sets.empty()) return;
  const Spots board = spots(rules.diagonals);
  const std::uint32_t taken = key.bits();
  const auto size = static_cast<std::uint32_t>(std::popcount(sets[0]));
  const std::size_t n = sets.size();
  if (size <= rules.fly_at) {
    for (std::size_t i = 0; i < n; ++i) {
      counts[i] = static_cast<std::uint8_t>(flights<kWithMills>(sets[i], taken, board, size));
    }
  } else {
    for (std::size_t i = 0; i < n; ++i) {
      counts[i] = static_cast<std::uint8_t>(steps<kWithMills>(sets[i], taken, board));
    }
  }
}

}  // namespace

void count_quiet_moves(std::span<const std::uint32_t> sets, PointSet key, const RuleSet& rules,
                       std::span<std::uint8_t> counts) {
  count<false>(sets, key, rules, counts);
}

void count_moves(std::span<const std::uint32_t> sets, PointSet key, const RuleSet& rules,
                 std::span<std::uint8_t> counts) {
  count<true>(sets, key, rules, counts);
}

}  // namespace mtb
