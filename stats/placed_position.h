// Placements as positions that people read.
#pragma once

#include "format/index.h"
#include "game/position.h"

namespace mtb {

/// A placement with White to move, no cows in hand, and nothing of the game before.
inline Position placed_position(const SectorIndex::Placement& placement) {
  Position position;
  position.cows = {placement.mover, placement.opponent};
  position.side = Colour::white;
  return position;
}

}  // namespace mtb
