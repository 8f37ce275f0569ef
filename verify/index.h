// Which slot of a table a position has, from FORMAT.md ("Index").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "verify/board.h"

namespace mtb::deep {

using Slot = std::uint64_t;

/// Number of k-subsets of an n-set, 0 when k > n; 0 <= n, k <= 24.
std::uint32_t choose(int n, int k);

/// C(p1, 1) + C(p2, 2) + ... for the points p1 < p2 < ... of a set: its number among the sets of
/// its size.
std::uint32_t rank_of(Set set);

/// Tables behind rank_of(), for loops that cannot afford to fetch them each time.
struct Ranks {
  static const Ranks& get();
  std::uint32_t operator()(Set set) const {
    const std::uint32_t low = lows[set & 4095];
    return (low & 0xFFFF) + highs[low >> 16][set >> 12];
  }
  std::array<std::uint32_t, 4096> lows{};  ///< the sum, and the number of points from bit 16 on
  std::array<std::array<std::uint32_t, 4096>, 13> highs{};  ///< by the number of points below 12
};

/// The set of `size` points with that number.
Set set_of_rank(std::uint32_t rank, int size);

/// All of them among the first `points` points, in order.
std::vector<Set> sets_by_rank(int points, int size);

/// The points of `set` that are in `within`, numbered by their order in `within`.
Set compacted(Set set, Set within);
/// The reverse.
Set spread(Set compact, Set within);

/// spread() within the same set again and again.
class Spreading {
 public:
  explicit Spreading(Set within) {
    std::array<Set, kPoints> single{};
    std::size_t count = 0;
    for_each_point(within, [&](int point) { single[count++] = bit(point); });
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      for (Set set = 1; set < parts_[part].size(); ++set) {
        parts_[part][set] = parts_[part][set & (set - 1)] |
                            single[8 * part + static_cast<std::size_t>(lowest(set))];
      }
    }
  }
  Set operator()(Set compact) const {
    return parts_[0][compact & 255] | parts_[1][(compact >> 8) & 255] | parts_[2][compact >> 16];
  }

 private:
  std::array<std::array<Set, 256>, 3> parts_{};
};

/// The classes of sets of one size under the symmetries: the rows. Immutable.
class Classes {
 public:
  /// 0 <= cows <= 12; takes up to 0.1 s, and 4 bytes for each of the sets.
  explicit Classes(int cows);

  struct Place {
    std::uint32_t row;
    int symmetry;  ///< the lowest-numbered that maps the set onto the representative
  };
  Place place(Set set) const {
    const std::uint32_t found = places_[Ranks::get()(set)];
    return {found / kSymmetries, static_cast<int>(found % kSymmetries)};
  }
  std::uint32_t rows() const { return static_cast<std::uint32_t>(representatives_.size()); }
  Set representative(std::uint32_t row) const { return representatives_[row]; }
  /// The number of different images of the representative.
  int images(std::uint32_t row) const;

 private:
  std::vector<Set> representatives_;
  std::vector<std::uint32_t> places_;  ///< by rank: 16 * row + symmetry
};

/// The slots of one table.
struct Geometry {
  int mover = 0;
  int opponent = 0;
  bool key_is_mover = true;
  const Classes* classes = nullptr;  ///< of the key's sets
  std::uint32_t columns = 0;

  Geometry() = default;
  Geometry(int mover_cows, int opponent_cows, bool mover_is_key, const Classes& key_classes);

  Slot slots() const { return Slot{classes->rows()} * columns; }
  Slot slot(Set mover_set, Set opponent_set) const;
  struct Sets {
    Set mover;
    Set opponent;
  };
  Sets sets(Slot slot) const;
};

}  // namespace mtb::deep
