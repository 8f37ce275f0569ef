// Counting the values of a table. For the reader and the writer of this folder only.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "format/index.h"
#include "format/table.h"
#include "format/values.h"

namespace mtb {

/// What a table says about its values as a whole.
struct Tally {
  std::array<std::uint64_t, kOutcomeCount> counts{};  ///< placements, symmetric ones counted each
  std::uint32_t longest_win = 0;                      ///< plies, where codes are distances
  std::uint32_t longest_loss = 0;
  Code largest_code = 0;

  /// Counts the codes of slots first, first + 1, ...; codes that the metric has.
  void add(const SectorIndex& index, CodeMeaning meaning, Slot first, std::span<const Code> codes);
  void add(const Tally& other);
  /// Copies counts and distances to a header.
  void enter(TableHeader& header) const;
};

}  // namespace mtb
