#include "gen/row_frame.h"

namespace mtb {
namespace {

/// Point images under each symmetry.
constexpr auto kImages = [] {
  std::array<std::array<Point, kPointCount>, Symmetry::kCount> images{};
  for (int s = 0; s < Symmetry::kCount; ++s) {
    for (int p = 0; p < kPointCount; ++p) {
      images[static_cast<std::size_t>(s)][static_cast<std::size_t>(p)] = Symmetry(s)(point(p));
    }
  }
  return images;
}();

}  // namespace

BitImages RowPoints::images_in(const RowPoints& other, Symmetry symmetry) const {
  const auto& images = kImages[static_cast<std::size_t>(symmetry.number())];
  BitImages result;
  for (int i = 0; i < points_; ++i) {
    const auto p = static_cast<std::size_t>(index(point_of(i)));
    result[static_cast<std::size_t>(i)] = other.bit_of(images[p]);
  }
  return result;
}

RowFrame::RowFrame(PointSet key, const Board& board) : RowPoints(key) {
  for (int i = 0; i < points(); ++i) {
    const std::size_t from = static_cast<std::size_t>(i);
    neighbours_[from] =
        compress(board.neighbours[static_cast<std::size_t>(index(point_of(i)))] - key);
    for (std::uint32_t lower = neighbours_[from] & ((1u << i) - 1); lower != 0;
         lower &= lower - 1) {
      ends_[static_cast<std::size_t>(edges_)] = 1u << i | (lower & (~lower + 1));
      incident_[from] |= std::uint64_t{1} << edges_;
      incident_[static_cast<std::size_t>(std::countr_zero(lower))] |= std::uint64_t{1} << edges_;
      ++edges_;
    }
  }
  for (int i = 0; i < board.line_count; ++i) {
    const PointSet line = board.lines[static_cast<std::size_t>(i)];
    if (!line.intersects(key)) lines_[static_cast<std::size_t>(line_count_++)] = compress(line);
  }
}

}  // namespace mtb
