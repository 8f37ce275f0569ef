// A finished sector, as the pairs above it need it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "format/index.h"
#include "format/table.h"
#include "format/values.h"
#include "game/result.h"
#include "gen/big_array.h"
#include "gen/lower_blocks.h"

namespace mtb {

/// Values of one finished sector as the solver takes them (lower_values()): all in memory, one code
/// a slot, in a byte each where all of them fit; or in their file, of which the blocks in use are
/// decoded. LowerRows reads both.
class LowerSector {
 public:
  /// Decodes a whole table, blocks in parallel. Errors as TableFile::read_slots(). A `map`, if
  /// there is one, has an entry for every code of the table.
  static Result<LowerSector> load(const TableFile& table, CodeMap map = {});

  /// Leaves a table in its file. Room for about `cache_bytes` of decoded blocks is used, one
  /// block at least.
  static LowerSector in_file(TableFile table, CodeMap map, std::uint64_t cache_bytes);

  /// Takes the codes from `source(first, codes)`, called by several threads; `largest` is the
  /// largest that occurs.
  static LowerSector from_codes(SectorIndex index, Code largest,
                                const std::function<void(Slot, std::span<Code>)>& source);

  const SectorIndex& index() const { return index_; }
  bool narrow() const { return blocks_ ? blocks_->narrow() : !bytes_.empty(); }
  /// Quick only for a sector in memory.
  Code code(Slot slot) const {
    if (blocks_) return code_in_file(slot);
    return narrow() ? bytes_[slot] : words_[slot];
  }

  /// The first error in reading a sector from its file. The codes that could not be read were taken
  /// for draws: with an error, nothing that was made of them holds.
  std::optional<Error> failure() const;

 private:
  template <class Cell>
  friend class LowerRows;

  explicit LowerSector(SectorIndex index) : index_(std::move(index)) {}
  LowerSector(SectorIndex index, bool narrow);
  Code code_in_file(Slot slot) const;
  void store(Slot first, std::span<const Code> codes);

  SectorIndex index_;
  BigArray<std::uint8_t> bytes_;
  BigArray<Code> words_;
  std::unique_ptr<LowerBlocks> blocks_;
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
  // Otherwise, of the row that was read last:
  std::vector<Cell> buffer_;
  std::shared_ptr<const LowerBlocks::Block> block_;  ///< the last block that held some of it
  std::uint64_t block_number_ = 0;
};

extern template class LowerRows<std::uint8_t>;
extern template class LowerRows<Code>;

}  // namespace mtb
