// Numbers for all placements of two players' cows, symmetric ones counted as one.
#pragma once

#include <cstdint>
#include <vector>

#include "game/board.h"

namespace oracle {

class Positions {
 public:
  /// Numbers of cows on the board.
  Positions(int mover, int opponent);

  struct Found {
    std::uint32_t number;
    mtb::Symmetry to_representative;
  };

  std::uint32_t count() const { return static_cast<std::uint32_t>(representatives_.size()); }
  /// Of placements with these numbers of cows.
  Found find(mtb::PointSet mover, mtb::PointSet opponent) const;

  mtb::PointSet mover(std::uint32_t number) const { return representatives_[number].mover; }
  mtb::PointSet opponent(std::uint32_t number) const { return representatives_[number].opponent; }
  /// How many placements it stands for, itself included.
  int images(std::uint32_t number) const { return representatives_[number].images; }

 private:
  struct Representative {
    mtb::PointSet mover, opponent;
    int images;
  };
  /// What is to be known of a set of the mover's cows.
  struct MoverSet {
    std::uint32_t orbit = 0;
    std::vector<mtb::Symmetry> to_first;  ///< those that lead to the first set of its orbit
  };
  struct Canonical {
    std::size_t place;  ///< in numbers_
    mtb::Symmetry symmetry;
  };

  /// The placement's image with the first mover's set of the orbit, and then the first opponent's.
  Canonical canonical(mtb::PointSet mover, mtb::PointSet opponent) const;

  std::size_t opponent_sets_;
  std::vector<MoverSet> mover_sets_;    ///< by rank
  std::vector<std::uint32_t> numbers_;  ///< by orbit of the mover's set and rank of the opponent's
  std::vector<Representative> representatives_;
};

}  // namespace oracle
