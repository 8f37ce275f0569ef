// What the benchmarks work on, the same for every run.
#pragma once

#include <random>
#include <vector>

#include "format/index.h"
#include "game/position.h"

namespace mtb {

inline PointSet random_set(std::mt19937_64& random, int size, PointSet avoid = {}) {
  PointSet set;
  while (set.size() < size) {
    const Point p = point(static_cast<int>(random() % kPointCount));
    if (!avoid.contains(p)) set = set.with(p);
  }
  return set;
}

/// Random placements of a sector, mover and opponent.
inline std::vector<SectorIndex::Placement> random_placements(Sector sector, std::size_t count) {
  std::mt19937_64 random(1);
  std::vector<SectorIndex::Placement> placements(count);
  for (auto& placement : placements) {
    placement.mover = random_set(random, sector.mover);
    placement.opponent = random_set(random, sector.opponent, placement.mover);
  }
  return placements;
}

/// The same as positions with White to move.
inline std::vector<Position> random_positions(Sector sector, std::size_t count) {
  std::vector<Position> positions;
  for (const auto& placement : random_placements(sector, count)) {
    Position position;
    position.cows = {placement.mover, placement.opponent};
    positions.push_back(position);
  }
  return positions;
}

}  // namespace mtb
