// Columns of a row: the n-subsets of the points that a key set leaves free, in colex order.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <vector>

#include "format/index.h"

namespace mtb {

/// The subsets of `size` among `points` compact points, both ways between bit masks and ranks.
/// Immutable. At most 65,536 subsets; the rank tables have 2^ceil(points / 2) entries.
class SubsetTable {
 public:
  SubsetTable(int points, int size)
      : split_((points + 1) / 2),
        low_mask_((1u << split_) - 1),
        low_(std::size_t{1} << split_, 0),
        high_(std::size_t{1} << (points - split_), 0) {
    assert(binomial(points, size) <= 1u << 16);
    // Colex rank of {p1 < p2 < ...} is C(p1, 1) + C(p2, 2) + ... (FORMAT.md). What the low half
    // contributes depends on it alone; the high half's members follow size - popcount(high) others.
    for (std::uint32_t mask = 0; mask < low_.size(); ++mask) {
      low_[mask] = static_cast<std::uint16_t>(weight(mask, 0, 0));
    }
    for (std::uint32_t mask = 0; mask < high_.size(); ++mask) {
      const int before = size - std::popcount(mask);
      if (before >= 0) high_[mask] = static_cast<std::uint16_t>(weight(mask, split_, before));
    }
    masks_.reserve(binomial(points, size));
    std::uint32_t mask = (1u << size) - 1;
    for (std::uint32_t i = 0; i < binomial(points, size); ++i) {
      masks_.push_back(mask);
      mask = next_of_size(mask);  // colex order is the order of the masks as numbers
    }
  }

  std::uint32_t count() const { return static_cast<std::uint32_t>(masks_.size()); }
  std::uint32_t rank(std::uint32_t mask) const {
    return std::uint32_t{low_[mask & low_mask_]} + high_[mask >> split_];
  }
  std::uint32_t mask(std::uint32_t rank) const { return masks_[rank]; }
  const std::vector<std::uint32_t>& masks() const { return masks_; }

 private:
  static std::uint32_t weight(std::uint32_t mask, int offset, int before) {
    std::uint32_t sum = 0;
    for (int i = before + 1; mask != 0; mask &= mask - 1, ++i) {
      sum += binomial(offset + std::countr_zero(mask), i);
    }
    return sum;
  }

  int split_;
  std::uint32_t low_mask_;
  std::vector<std::uint16_t> low_;
  std::vector<std::uint16_t> high_;
  std::vector<std::uint32_t> masks_;
};

}  // namespace mtb
