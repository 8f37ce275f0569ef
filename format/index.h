// The perfect hash of a sector: position <-> slot (FORMAT.md, "Index").
//
// One player's set is the key, brought to the canonical member of its symmetry class; the class is
// the row. The other player's set, mapped by the same symmetry and seen among the points that the
// key leaves free, is ranked among the subsets of its size; the rank is the column.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "game/board.h"
#include "game/rule_set.h"
#include "game/sector.h"

namespace mtb {

/// Number of a position within its sector.
using Slot = std::uint64_t;

/// Number of k-subsets of an n-set, 0 <= n <= 24; 0 when k > n.
constexpr std::uint32_t binomial(int n, int k) {
  if (k < 0 || k > n) return 0;
  std::uint64_t result = 1;
  for (int i = 1; i <= k; ++i) {
    result = result * static_cast<std::uint64_t>(n - k + i) / static_cast<std::uint64_t>(i);
  }
  return static_cast<std::uint32_t>(result);
}

/// The same for n <= 24 and k <= kMaxCows, by n, then k.
inline constexpr auto kBinomials = [] {
  std::array<std::array<std::uint32_t, kMaxCows + 1>, kPointCount + 1> table{};
  for (int n = 0; n <= kPointCount; ++n) {
    for (int k = 0; k <= kMaxCows; ++k) {
      table[static_cast<std::size_t>(n)][static_cast<std::size_t>(k)] = binomial(n, k);
    }
  }
  return table;
}();

/// The next larger number with as many bits as `set`, which is below 2^31; 0 for 0.
constexpr std::uint32_t next_of_size(std::uint32_t set) {
  if (set == 0) return 0;
  // The lowest run of bits: its top one moves up, the others fall to the bottom.
  const std::uint32_t lowest = set & (~set + 1);
  const std::uint32_t carried = set + lowest;
  return carried | (((set ^ carried) >> 2) >> std::countr_zero(lowest));
}

/// The symmetry classes of the sets of a given size, numbered in ascending order of their
/// representatives; the representative is the member with the smallest bits. Immutable.
class KeyClasses {
 public:
  /// Enumerates the classes; 0 <= cows <= kMaxCows. Some 10 ms and 1.1 MB for 12 cows.
  explicit KeyClasses(int cows);

  int cows() const { return cows_; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(representatives_.size()); }
  PointSet representative(std::uint32_t row) const { return PointSet(representatives_[row]); }

  /// Number of different images of the class's representative, 1..16.
  int orbit(std::uint32_t row) const;

  struct Canonical {
    std::uint32_t row;
    Symmetry symmetry;  ///< maps the set onto the representative; the lowest-numbered such
  };
  /// The class of a set of cows() points.
  Canonical classify(PointSet set) const;

 private:
  friend class SectorIndex;
  /// classify(), compiled into the caller and for the caller's processor.
  Canonical classify_inline(PointSet set) const;

  int cows_;
  std::vector<std::uint32_t> representatives_;  ///< ascending
  /// The representatives with a given inner and middle ring: the first of them, and where the
  /// steps for their outer rings begin. By number of the inner ring, then middle ring.
  struct Prefix {
    std::uint32_t first_row;
    std::uint32_t first_step;
  };
  std::vector<Prefix> prefixes_;
  /// Rows from the first of the prefix, for each outer ring with the right number of cows.
  std::vector<std::uint8_t> steps_;
};

/// How bits are gathered; both give the same slots.
enum class GatherMethod : std::uint8_t { pext, portable };

/// Whether this processor has pext (BMI2), and AVX2, for which slots are compiled along with it.
bool has_pext();

/// pext where the processor has a fast one, portable otherwise.
GatherMethod preferred_gather();

class MillPoints;

/// Makes each KeyClasses and MillPoints when it is first asked for, and keeps it; says how all
/// indexes made with it gather bits. Copies share what they keep. Safe for concurrent use.
class ClassCache {
 public:
  /// The method must be one that the processor has.
  explicit ClassCache(GatherMethod method = preferred_gather());

  GatherMethod gather_method() const { return method_; }
  /// 0 <= cows <= kMaxCows.
  std::shared_ptr<const KeyClasses> get(int cows) const;
  /// As the constructor of MillPoints.
  std::shared_ptr<const MillPoints> mill_points(int cows, Diagonals diagonals, bool slides) const;

 private:
  struct Kept;

  GatherMethod method_;
  std::shared_ptr<Kept> kept_;
};

/// Whose set is the key.
enum class KeySide : std::uint8_t { mover, opponent };

/// The key side that generated tables use: the player with more cows; the mover when equal.
constexpr KeySide default_key(Sector sector) {
  return sector.mover >= sector.opponent ? KeySide::mover : KeySide::opponent;
}

/// The two directions of the hash for one sector. Immutable, safe for concurrent use.
class SectorIndex {
 public:
  SectorIndex(Sector sector, KeySide key, const ClassCache& cache);

  Sector sector() const { return sector_; }
  KeySide key() const { return key_; }
  std::uint32_t rows() const { return classes_->count(); }
  std::uint32_t columns() const { return columns_; }
  std::uint64_t slots() const { return std::uint64_t{rows()} * columns_; }
  const KeyClasses& classes() const { return *classes_; }

  struct Placement {
    PointSet mover;
    PointSet opponent;
    bool operator==(const Placement&) const = default;
  };

  /// Disjoint sets of the sector's sizes.
  Slot slot(Placement placement) const;

  /// Column of a set, of the player who is not the key, that is disjoint from a row's
  /// representative.
  std::uint32_t column(std::uint32_t row, PointSet other) const;

  /// The placement with canonical key set that a slot stands for; slot < slots().
  Placement placement(Slot slot) const;

 private:
  using Gather = std::uint32_t(std::uint32_t set, std::uint32_t mask);
  template <Gather kGather>
  Slot slot_inline(PointSet key, PointSet other) const;
  template <Gather kGather>
  std::uint32_t column_inline(std::uint32_t row, PointSet other) const;
  Slot slot_with_pext(PointSet key, PointSet other) const;

  Sector sector_;
  KeySide key_;
  GatherMethod method_;
  int members_;  ///< of the set that is ranked
  std::uint32_t columns_;
  std::shared_ptr<const KeyClasses> classes_;
};

}  // namespace mtb
