// A finished sector in memory, as the sectors above it need it.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

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

 private:
  template <class Cell>
  friend class LowerRows;

  LowerSector(SectorIndex index, bool narrow);
  void store(Slot first, std::span<const Code> codes);

  SectorIndex index_;
  BigArray<std::uint8_t> bytes_;
  BigArray<Code> words_;
};

/// Reads a finished sector for one thread, without its caller knowing how the sector is held. Cell:
/// std::uint8_t, for narrow() sectors only, or Code.
template <class Cell>
class LowerRows {
 public:
  /// A null pointer stands for a sector that does not exist; then nothing may be read.
  explicit LowerRows(const LowerSector* sector);

  explicit operator bool() const { return sector_ != nullptr; }
  const SectorIndex& index() const { return sector_->index(); }

  /// The codes of one row, index().columns() of them; valid until the next call.
  const Cell* row(std::uint32_t row) {
    return whole_ != nullptr ? whole_ + std::size_t{row} * columns_ : fetch(row);
  }
  Cell code(Slot slot) {
    return whole_ != nullptr ? whole_[slot]
                             : fetch(static_cast<std::uint32_t>(slot / columns_))[slot % columns_];
  }

 private:
  const Cell* fetch(std::uint32_t row);

  const LowerSector* sector_;
  const Cell* whole_ = nullptr;  ///< all codes, where they are in memory as cells
  std::size_t columns_ = 0;
  std::vector<Cell> buffer_;  ///< otherwise: the row read last
};

extern template class LowerRows<std::uint8_t>;
extern template class LowerRows<Code>;

}  // namespace mtb
