// Placements in which whoever is to move loses.
#pragma once

#include <cstdint>
#include <optional>

#include "format/table.h"
#include "game/position.h"
#include "game/result.h"

namespace mtb {

struct ZugzwangCount {
  std::uint64_t positions = 0;      ///< placements, symmetric ones counted each
  std::optional<Position> example;  ///< the one of the lowest slot of the first table
};

/// Counts the placements of a sector that are lost both for its own player to move and, in the
/// table of the sector with the players exchanged (the same table for equal numbers of cows), for
/// the other. Each is counted once in every sector: for equal numbers, once for either colouring.
/// Holds a bit for each slot of `exchanged`; by all threads of OpenMP. Errors: bad_input when the
/// tables do not belong together; those of TableFile::prepare() and read_codes(). Throws
/// std::bad_alloc only.
Result<ZugzwangCount> count_mutual_zugzwangs(const TableFile& table, const TableFile& exchanged);

}  // namespace mtb
