// A finished sector in memory, as the sectors above it need it.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "format/index.h"
#include "format/table.h"
#include "format/values.h"
#include "game/result.h"
#include "gen/big_array.h"

namespace mtb {

/// Distances of one finished sector, one code a slot, in a byte each where all of them fit.
class LowerSector {
 public:
  /// Decodes a whole `dtw` table, blocks in parallel. Errors as TableFile::read_codes().
  static Result<LowerSector> load(const TableFile& table);

  /// Takes the codes from `source(first, codes)`, called by several threads; `largest` is the
  /// largest that occurs.
  static LowerSector from_codes(SectorIndex index, Code largest,
                                const std::function<void(Slot, std::span<Code>)>& source);

  const SectorIndex& index() const { return index_; }
  bool narrow() const { return !bytes_.empty(); }
  Code code(Slot slot) const { return narrow() ? bytes_[slot] : words_[slot]; }

  /// The codes of one row, index().columns() of them. Only the form that narrow() tells exists.
  const std::uint8_t* narrow_row(std::uint32_t row) const {
    return bytes_.data() + std::uint64_t{row} * index_.columns();
  }
  const Code* wide_row(std::uint32_t row) const {
    return words_.data() + std::uint64_t{row} * index_.columns();
  }

 private:
  LowerSector(SectorIndex index, bool narrow);
  void store(Slot first, std::span<const Code> codes);

  SectorIndex index_;
  BigArray<std::uint8_t> bytes_;
  BigArray<Code> words_;
};

}  // namespace mtb
