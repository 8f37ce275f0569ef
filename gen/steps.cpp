#include "gen/steps.h"

#include <algorithm>
#include <bit>

namespace mtb {

StepTable::StepTable(const SubsetTable& columns, int points) {
  const auto pairs = static_cast<std::size_t>(points * (points - 1) / 2);
  ends_.reserve(bytes(points, std::popcount(columns.mask(0))) / sizeof(Ends));
  for (int high = 1; high < points; ++high) {
    for (int low = 0; low < high; ++low) {
      const std::uint32_t from = 1u << low;
      const std::uint32_t to = 1u << high;
      for (std::uint32_t column = 0; column < columns.count(); ++column) {
        const std::uint32_t set = columns.mask(column);
        if ((set & (from | to)) != from) continue;
        ends_.push_back({static_cast<std::uint16_t>(column),
                         static_cast<std::uint16_t>(columns.rank(set ^ from ^ to))});
      }
    }
  }
  pairs_of_columns_ = ends_.size() / pairs;
}

std::uint64_t StepTable::bytes(int points, int size) {
  return std::uint64_t{binomial(points, 2)} * binomial(points - 2, size - 1) * sizeof(Ends);
}

std::span<const std::uint8_t> StepCounts::count(const RowFrame& frame) {
  std::ranges::fill(counts_, std::uint8_t{0});
  std::uint8_t* counts = counts_.data();
  const std::uint32_t* arrived = arrived_.data();
  for (int edge = 0; edge < frame.edges(); ++edge) {
    const std::uint32_t ends = frame.ends(edge);
    const int low = std::countr_zero(ends);
    const int high = std::bit_width(ends) - 1;
    for (const StepTable::Ends pair : steps_.between(low, high)) {
      counts[pair.low] =
          static_cast<std::uint8_t>(counts[pair.low] + (arrived[pair.high] >> high & 1));
      counts[pair.high] =
          static_cast<std::uint8_t>(counts[pair.high] + (arrived[pair.low] >> low & 1));
    }
  }
  std::ranges::fill(arrived_, 0u);
  return counts_;
}

}  // namespace mtb
