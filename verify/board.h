// Points, lines, ways and symmetries of the board, from RULES.md and FORMAT.md ("Board").
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "verify/rules.h"

namespace mtb::deep {

/// A set of points: bit i is point i of FORMAT.md.
using Set = std::uint32_t;

inline constexpr Set kAllPoints = (Set{1} << kPoints) - 1;
inline constexpr int kSymmetries = 16;

constexpr Set bit(int point) { return Set{1} << point; }
/// Not every processor that this must run on can count bits at once.
inline constexpr auto kSizes = [] {
  std::array<std::uint8_t, 4096> sizes{};
  for (std::size_t set = 0; set < sizes.size(); ++set) {
    sizes[set] = static_cast<std::uint8_t>(std::popcount(set));
  }
  return sizes;
}();
constexpr int size_of(Set set) { return kSizes[set & 4095] + kSizes[set >> 12]; }
constexpr int lowest(Set set) { return std::countr_zero(set); }

/// Calls visit(point) for each point of a set, ascending.
template <class Visit>
void for_each_point(Set set, Visit&& visit) {
  for (; set != 0; set &= set - 1) visit(lowest(set));
}

/// `a7` for point 0.
std::string point_name(int point);
/// `a7,d7`, or `-` for none.
std::string set_name(Set set);

/// What the rules call lines and ways.
struct Board {
  explicit Board(const Rules& rules);

  /// Mills that a cow on `point` is in, the others on `cows`.
  int mills_at(int point, Set cows) const {
    int count = 0;
    for (const Set pair : mates[static_cast<std::size_t>(point)]) {
      count += (pair & ~cows) == 0 ? 1 : 0;
    }
    return count;
  }
  Set in_mills(Set cows) const {
    Set result = 0;
    for (const Set line : lines) {
      if ((line & ~cows) == 0) result |= line;
    }
    return result;
  }

  std::vector<Set> lines;
  std::array<Set, kPoints> ways{};
  /// By point, the other two points of each line through it.
  std::array<std::vector<Set>, kPoints> mates;
};

/// The cows that may be shot.
Set aims_at(const Rules& rules, const Board& board, Set cows);

/// Where a symmetry takes a point.
int image_of_point(int symmetry, int point);
/// Where it takes a set.
Set image(int symmetry, Set set);
int inverse(int symmetry);

}  // namespace mtb::deep
