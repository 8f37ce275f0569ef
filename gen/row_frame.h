// What a row of a sector looks like from inside: the free points, numbered compactly.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "game/board.h"
#include "gen/relabelling.h"

namespace mtb {

/// A key set and the compact numbering of the points it leaves free (ascending, as the columns
/// count them). Cheap to make.
class RowPoints {
 public:
  explicit RowPoints(PointSet key) : key_(key) {
    for (Point p : free()) {
      points_of_[static_cast<std::size_t>(points_)] = p;
      bits_of_[static_cast<std::size_t>(index(p))] = 1u << points_;
      ++points_;
    }
  }

  PointSet key() const { return key_; }
  PointSet free() const { return ~key_; }
  /// Number of free points.
  int points() const { return points_; }
  std::uint32_t all() const { return (1u << points_) - 1; }
  /// Board point of a compact one.
  Point point_of(int compact) const { return points_of_[static_cast<std::size_t>(compact)]; }
  /// Compact bit of a board point; 0 for a point of the key.
  std::uint32_t bit_of(Point p) const { return bits_of_[static_cast<std::size_t>(index(p))]; }
  std::uint32_t compress(PointSet set) const {
    std::uint32_t result = 0;
    for (Point p : set) result |= bit_of(p);
    return result;
  }

  PointSet board_set(std::uint32_t compact) const {
    PointSet set;
    for (; compact != 0; compact &= compact - 1)
      set = set.with(point_of(std::countr_zero(compact)));
    return set;
  }

  /// The compact points as bits of a board set.
  BitImages board_bits() const {
    BitImages result;
    for (int i = 0; i < points_; ++i) {
      result[static_cast<std::size_t>(i)] = PointSet::of(point_of(i)).bits();
    }
    return result;
  }

  /// Images of this row's compact points in `other`, when `symmetry` maps this board onto the
  /// other's. Points that fall on the other's key have image 0.
  BitImages images_in(const RowPoints& other, Symmetry symmetry) const;

 private:
  PointSet key_;
  int points_ = 0;
  std::array<Point, kPointCount> points_of_{};
  std::array<std::uint32_t, kPointCount> bits_of_{};
};

/// A row's free points with the edges and mill lines that lie among them.
class RowFrame : public RowPoints {
 public:
  RowFrame(PointSet key, const Board& board);

  /// Compact points next to a compact point.
  std::uint32_t neighbours(int compact) const {
    return neighbours_[static_cast<std::size_t>(compact)];
  }

  /// The edges with exactly one end in a compact set, one bit an edge: an edge with both ends in
  /// the set cancels out of the sum.
  std::uint64_t boundary(std::uint32_t set) const {
    std::uint64_t edges = 0;
    for (; set != 0; set &= set - 1) {
      edges ^= incident_[static_cast<std::size_t>(std::countr_zero(set))];
    }
    return edges;
  }
  /// Number of edges among the free points.
  int edges() const { return edges_; }
  /// Both ends of an edge, as a compact set.
  std::uint32_t ends(int edge) const { return ends_[static_cast<std::size_t>(edge)]; }

  /// The mill lines among the free points, as compact sets.
  std::span<const std::uint32_t> lines() const {
    return {lines_.data(), static_cast<std::size_t>(line_count_)};
  }

  /// The members of a compact set that stand in mills.
  std::uint32_t in_mills(std::uint32_t set) const {
    std::uint32_t result = 0;
    for (int i = 0; i < line_count_; ++i) {
      const std::uint32_t line = lines_[static_cast<std::size_t>(i)];
      result |= (set & line) == line ? line : 0;
    }
    return result;
  }

  /// in_mills() of many compact sets at once, added to `result`, which has one entry a set.
  void add_mills(std::span<const std::uint32_t> sets, std::span<std::uint32_t> result) const {
    for (int i = 0; i < line_count_; ++i) {
      const std::uint32_t line = lines_[static_cast<std::size_t>(i)];
      for (std::size_t c = 0; c < sets.size(); ++c) {
        result[c] |= (sets[c] & line) == line ? line : 0;
      }
    }
  }

  /// Number of mills of a compact set through one of its members.
  int mills_at(std::uint32_t bit, std::uint32_t set) const {
    int count = 0;
    for (int i = 0; i < line_count_; ++i) {
      const std::uint32_t line = lines_[static_cast<std::size_t>(i)];
      count += (line & bit) != 0 && (set & line) == line ? 1 : 0;
    }
    return count;
  }

 private:
  std::array<std::uint32_t, kPointCount> neighbours_{};
  std::array<std::uint64_t, kPointCount> incident_{};  ///< by compact point: its edges
  std::array<std::uint32_t, 64> ends_;                 ///< only those of edges in use are set
  std::array<std::uint32_t, 20> lines_;
  int line_count_ = 0;
  int edges_ = 0;
};

}  // namespace mtb
