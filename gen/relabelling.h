// Sets of compact points carried from one row's numbering to another's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "game/board.h"

namespace mtb {

/// For each compact point of one row, its bit in the other numbering (0 for a point without one).
/// Only the entries of points in use are set.
using BitImages = std::array<std::uint32_t, kPointCount>;

/// A map of sets given by the images of single points, as one table for each third of the bits:
/// three such tables are quickly filled and stay in the fastest cache.
/// Reused by one thread for many maps; only the entries in use are touched.
class Relabelling {
 public:
  /// `points` compact points, at most 24.
  void build(const BitImages& images, int points) {
    third_ = (points + 2) / 3;
    mask_ = (1u << third_) - 1;
    double_up(low_.data(), images.data(), third_);
    double_up(middle_.data(), images.data() + third_, third_);
    double_up(high_.data(), images.data() + 2 * third_, points - 2 * third_);
  }

  std::uint32_t operator()(std::uint32_t set) const {
    return low_[set & mask_] | middle_[set >> third_ & mask_] | high_[set >> 2 * third_];
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

  int third_ = 0;
  std::uint32_t mask_ = 0;
  std::array<std::uint32_t, 256> low_;
  std::array<std::uint32_t, 256> middle_;
  std::array<std::uint32_t, 256> high_;
};

}  // namespace mtb
