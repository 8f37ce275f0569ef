// Sets of compact points carried from one row's numbering to another's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "game/board.h"

namespace mtb {

/// For each compact point of one row, its bit in the other numbering (0 for a point without one).
using BitImages = std::array<std::uint32_t, kPointCount>;

/// A map of sets given by the images of single points, as one table for each half of the bits.
/// Reused by one thread for many maps; only the entries in use are touched.
class Relabelling {
 public:
  /// `points` compact points, at most 24.
  void build(const BitImages& images, int points) {
    split_ = (points + 1) / 2;
    low_mask_ = (1u << split_) - 1;
    double_up(low_.data(), images.data(), split_);
    double_up(high_.data(), images.data() + split_, points - split_);
  }

  std::uint32_t operator()(std::uint32_t mask) const {
    return low_[mask & low_mask_] | high_[mask >> split_];
  }

 private:
  /// Each bit doubles the table: the sets with it are those without it, plus its image.
  static void double_up(std::uint32_t* table, const std::uint32_t* images, int bits) {
    table[0] = 0;
    for (int bit = 0; bit < bits; ++bit) {
      const std::size_t half = std::size_t{1} << bit;
      const std::uint32_t image = images[bit];
      for (std::size_t i = 0; i < half; ++i) table[half + i] = table[i] | image;
    }
  }

  int split_ = 0;
  std::uint32_t low_mask_ = 0;
  std::array<std::uint32_t, 4096> low_;
  std::array<std::uint32_t, 4096> high_;
};

}  // namespace mtb
