// Random cows for tests.
#pragma once

#include <algorithm>
#include <cstddef>
#include <random>
#include <vector>

#include "format/index.h"

namespace mtb::tests {

/// Disjoint random sets.
inline SectorIndex::Placement random_placement(Sector sector, std::mt19937& random) {
  std::vector<int> points(kPointCount);
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = static_cast<int>(i);
  std::shuffle(points.begin(), points.end(), random);
  SectorIndex::Placement placement;
  for (int i = 0; i < sector.mover + sector.opponent; ++i) {
    PointSet& set = i < sector.mover ? placement.mover : placement.opponent;
    set = set.with(point(points[static_cast<std::size_t>(i)]));
  }
  return placement;
}

}  // namespace mtb::tests
