#include "gen/flights.h"

#include <algorithm>

namespace mtb {
namespace {

/// The sweep works on so many columns at once, and may read and write as many too far.
constexpr int kStride = 16;

/// Colex rank of a pair of points.
constexpr std::size_t pair_rank(int low, int high) {
  return static_cast<std::size_t>(high * (high - 1) / 2 + low);
}

}  // namespace

FlightCounts::FlightCounts(int points)
    : points_(points),
      marked_(binomial(points, 3) + kStride),
      pairs_(binomial(points, 2) + kStride),
      counts_(binomial(points, 3) + kStride) {}

void FlightCounts::mark(std::uint16_t column, std::uint32_t set) {
  const int p = std::countr_zero(set);
  const std::uint32_t two = set & (set - 1);
  const int q = std::countr_zero(two);
  const int r = std::countr_zero(two & (two - 1));
  ++pairs_[pair_rank(p, q)];
  ++pairs_[pair_rank(p, r)];
  ++pairs_[pair_rank(q, r)];
  marked_[column] = 3;
}

std::span<const std::uint8_t> FlightCounts::count() {
  // Columns in colex order: {p < q < r} ascending by r, then q, then p. What is written too far is
  // overwritten by what follows.
  const std::uint8_t* marked = marked_.data();
  std::uint8_t* counts = counts_.data();
  for (int r = 2; r < points_; ++r) {
    const std::uint8_t* with_r = pairs_.data() + pair_rank(0, r);
    for (int q = 1; q < r; ++q) {
      const std::uint8_t* with_q = pairs_.data() + pair_rank(0, q);
      const std::uint8_t both = with_r[q];
      for (int first = 0; first < q; first += kStride) {
        for (int p = first; p < first + kStride; ++p) {
          counts[p] = static_cast<std::uint8_t>(with_q[p] + with_r[p] + both - marked[p]);
        }
      }
      counts += q;
      marked += q;
    }
  }
  std::fill(marked_.begin(), marked_.end(), std::uint8_t{0});
  std::fill(pairs_.begin(), pairs_.end(), std::uint8_t{0});
  return {counts_.data(), counts_.size() - kStride};
}

}  // namespace mtb
