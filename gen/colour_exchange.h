// Equal pairs: the same position seen with the colours exchanged.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "format/index.h"
#include "gen/relabelling.h"
#include "gen/row_frame.h"
#include "gen/subset_table.h"

namespace mtb {

/// A slot by row and column.
struct Cell {
  std::uint32_t row;
  std::uint32_t column;
};

/// In a sector of equal numbers, a placement with the other player to move is the slot of the
/// placement with the colours exchanged. Immutable, safe for concurrent use.
class ColourExchange {
 public:
  ColourExchange(const SectorIndex& index, const SubsetTable& columns);

  /// Appends to `cells` those of the exchanged placements of some columns of a row. With a
  /// placement come all that are equivalent to it under the symmetries of the row it falls into,
  /// so that a set of columns that is closed under equivalence gives one that is closed.
  void append_exchanged(std::uint32_t row, std::span<const std::uint16_t> columns,
                        std::vector<Cell>& cells) const;

  static std::uint64_t bytes(std::uint64_t rows) { return rows * sizeof(std::uint16_t); }

 private:
  const SectorIndex& index_;
  const SubsetTable& columns_;
  std::vector<std::uint16_t> fixing_;  ///< by row: the symmetries that keep its key set, a bit each
};

}  // namespace mtb
