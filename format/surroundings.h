// What reader and writer both know of a slot before its value: where its neighbours lie, and which
// mills are at hand (FORMAT.md, "Modelled blocks").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "format/index.h"
#include "game/rule_set.h"

namespace mtb {

/// For each set of a number of points in ascending order, the empty points on which its owner could
/// complete a mill in one move, as bits. Immutable.
class MillPoints {
 public:
  /// 0 <= cows <= kMaxCows. A cow that slides comes from a neighbouring point outside the line; one
  /// that does not comes from anywhere. Some 50 ns and 4 bytes a set: 0.1 s for 12 cows.
  MillPoints(int cows, Diagonals diagonals, bool slides);

  /// By the set's rank among the sets of its size.
  std::uint32_t operator[](std::size_t rank) const { return points_[rank]; }
  const std::uint32_t* from(std::size_t rank) const { return points_.data() + rank; }

  /// The same for one set.
  static std::uint32_t of(std::uint32_t set, Diagonals diagonals, bool slides);

 private:
  std::vector<std::uint32_t> points_;
};

/// Of one sector under one rule set. Immutable, safe for concurrent use.
class Surroundings {
 public:
  static constexpr int kMaxNeighbours = 6;
  static constexpr unsigned kHints = 9;  ///< hints are below this

  /// `reach`: neighbours as many slots away or more are left out.
  Surroundings(const SectorIndex& index, const RuleSet& rules, std::uint32_t reach,
               const ClassCache& cache);

  std::uint32_t columns() const { return columns_; }
  /// Neighbours of a slot: the columns in which one of the lowest cows stands one free point lower.
  int neighbours() const { return neighbours_; }
  /// What to add to a slot of this column to reach its neighbours, neighbours() numbers; 0 where
  /// there is none. The next column's follow.
  const std::int16_t* steps(std::uint32_t column) const {
    return steps_.data() + std::size_t{column} * static_cast<std::size_t>(neighbours_);
  }

  /// Hints of slots first, first + 1, ...
  void fill_hints(Slot first, std::span<std::uint8_t> hints) const;

 private:
  void fill_row(std::uint32_t row, std::uint32_t column, std::span<std::uint8_t> hints) const;

  std::uint32_t columns_;
  int members_;     ///< cows of the player who is not the key
  int neighbours_;  ///< the lesser of members_ and kMaxNeighbours
  Diagonals diagonals_;
  bool key_slides_;
  std::shared_ptr<const KeyClasses> classes_;
  std::shared_ptr<const MillPoints> other_mills_;
  std::vector<std::int16_t> steps_;
};

}  // namespace mtb
