// How often each value occurs in a table.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "format/table.h"
#include "game/outcome.h"
#include "game/position.h"
#include "game/result.h"

namespace mtb {

/// One value of a table.
struct ValueCount {
  Outcome outcome = Outcome::draw;
  std::optional<std::uint32_t> plies;  ///< of decided values, where the table stores distances
  std::uint64_t positions = 0;         ///< placements that have it, symmetric ones counted each
  Position example;  ///< the one of the lowest slot, White to move, without bans or clock
};

/// All values that occur in a table: the outcomes from win to loss, each by ascending distance.
/// Goes through the whole table, by all threads of OpenMP. Errors: those of TableFile::prepare()
/// and read_codes(); damaged, also when there are other placements of an outcome than the header
/// says.
Result<std::vector<ValueCount>> count_values(const TableFile& table);

}  // namespace mtb
