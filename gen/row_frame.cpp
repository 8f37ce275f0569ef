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

RowFrame::RowFrame(PointSet key, const Board& board) : key_(key) {
  for (Point p : free()) {
    points_of_[static_cast<std::size_t>(points_)] = p;
    bits_of_[static_cast<std::size_t>(index(p))] = 1u << points_;
    ++points_;
  }
  for (int i = 0; i < points_; ++i) {
    const auto p = static_cast<std::size_t>(index(point_of(i)));
    neighbours_[static_cast<std::size_t>(i)] = compress(board.neighbours[p]);
  }
  for (int i = 0; i < board.line_count; ++i) {
    const PointSet line = board.lines[static_cast<std::size_t>(i)];
    if (!line.intersects(key)) lines_[static_cast<std::size_t>(line_count_++)] = compress(line);
  }
}

std::uint32_t RowFrame::compress(PointSet set) const {
  std::uint32_t result = 0;
  for (Point p : set) result |= bit_of(p);
  return result;
}

BitImages RowFrame::images_in(const RowFrame& other, Symmetry symmetry) const {
  const auto& images = kImages[static_cast<std::size_t>(symmetry.number())];
  BitImages result{};
  for (int i = 0; i < points_; ++i) {
    const auto p = static_cast<std::size_t>(index(point_of(i)));
    result[static_cast<std::size_t>(i)] = other.bit_of(images[p]);
  }
  return result;
}

}  // namespace mtb
