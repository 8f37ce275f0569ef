// A finished sector that stays in its file, the blocks in use decoded in memory.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "format/table.h"
#include "game/first_error.h"
#include "game/result.h"

namespace mtb {

/// Largest code of a sector that is held in a byte a slot.
inline constexpr Code kLargestByte = std::numeric_limits<std::uint8_t>::max();

/// What the codes of a lower table stand for in the solver: nothing for themselves, or one for
/// each.
using CodeMap = std::span<const Code>;

/// Whether all codes of a table, mapped, fit a byte, going by its header.
bool fits_bytes(const TableHeader& header, CodeMap map);

/// TableFile::read_slots(), mapped, that finds damaged, too, what a header with fits_bytes()
/// denies.
Result<void> read_lower_codes(const TableFile& table, CodeMap map, Slot first,
                              std::span<Code> codes);

/// A bounded cache of decoded blocks, each of kBlockSlots slots however the table is coded: the
/// least recently used one makes room. Safe for concurrent use; block() may read and decode in
/// several threads at once.
class LowerBlocks {
 public:
  /// The codes of a block, in the one of the two forms that the table needs.
  struct Block {
    std::vector<std::uint8_t> bytes;
    std::vector<Code> words;
  };

  /// Holds `blocks` blocks, at least one.
  LowerBlocks(TableFile table, CodeMap map, std::uint64_t blocks);

  bool narrow() const { return narrow_; }

  /// A block that cannot be read, or that is damaged, holds draws alone, and failure() tells.
  std::shared_ptr<const Block> block(std::uint64_t number);

  /// The first error that block() met.
  std::optional<Error> failure() const { return failure_.get(); }

 private:
  static constexpr std::uint32_t kAbsent = 0xFFFFFFFF;
  struct Kept {
    std::shared_ptr<const Block> block;
    std::uint64_t number = 0;
    std::uint64_t last_use = 0;
  };

  std::shared_ptr<const Block> decode(std::uint64_t number);

  const TableFile table_;
  const std::vector<Code> map_;
  const bool narrow_;
  mutable std::mutex mutex_;
  std::vector<Kept> kept_;
  std::vector<std::uint32_t> place_;  ///< by number of the block: where in kept_, or kAbsent
  std::uint64_t clock_ = 0;
  FirstError failure_;
};

}  // namespace mtb
