#include "gen/lower_sector.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include "game/first_error.h"

namespace mtb {

LowerSector::LowerSector(SectorIndex index, bool narrow) : index_(std::move(index)) {
  if (narrow) {
    bytes_ = BigArray<std::uint8_t>(index_.slots());
  } else {
    words_ = BigArray<Code>(index_.slots());
  }
}

void LowerSector::store(Slot first, std::span<const Code> codes) {
  if (narrow()) {
    std::transform(codes.begin(), codes.end(), bytes_.begin() + first,
                   [](Code code) { return static_cast<std::uint8_t>(code); });
  } else {
    std::copy(codes.begin(), codes.end(), words_.begin() + first);
  }
}

LowerSector LowerSector::from_codes(SectorIndex index, Code largest,
                                    const std::function<void(Slot, std::span<Code>)>& source) {
  LowerSector sector(std::move(index), largest <= kLargestByte);
  const std::uint64_t slots = sector.index_.slots();
  const auto blocks = static_cast<std::int64_t>((slots + kBlockSlots - 1) / kBlockSlots);
#pragma omp parallel
  {
    std::vector<Code> codes;
#pragma omp for schedule(dynamic, 4)
    for (std::int64_t i = 0; i < blocks; ++i) {
      const Slot first = static_cast<std::uint64_t>(i) * kBlockSlots;
      codes.resize(std::min<std::uint64_t>(kBlockSlots, slots - first));
      source(first, codes);
      sector.store(first, codes);
    }
  }
  return sector;
}

Result<LowerSector> LowerSector::load(const TableFile& table, CodeMap map) {
  FirstError error;
  const Code largest =
      fits_bytes(table.header(), map) ? kLargestByte : std::numeric_limits<Code>::max();
  LowerSector sector = from_codes(table.index(), largest, [&](Slot first, std::span<Code> codes) {
    if (Result<void> read = read_lower_codes(table, map, first, codes); !read) {
      error.tell(read.error());
    }
  });
  if (error.any()) return tl::unexpected(*error.get());
  return sector;
}

LowerSector LowerSector::in_file(TableFile table, CodeMap map, std::uint64_t cache_bytes) {
  LowerSector sector(table.index());
  const std::uint64_t cell = fits_bytes(table.header(), map) ? 1 : sizeof(Code);
  sector.blocks_ =
      std::make_unique<LowerBlocks>(std::move(table), map, cache_bytes / (cell * kBlockSlots));
  return sector;
}

Code LowerSector::code_in_file(Slot slot) const {
  const auto block = blocks_->block(slot / kBlockSlots);
  const std::size_t place = slot % kBlockSlots;
  return narrow() ? block->bytes[place] : block->words[place];
}

std::optional<Error> LowerSector::failure() const {
  return blocks_ ? blocks_->failure() : std::nullopt;
}

template <class Cell>
LowerRows<Cell>::LowerRows(const LowerSector* sector) : sector_(sector) {
  if (sector == nullptr) return;
  columns_ = sector->index().columns();
  if (sector->blocks_) return;
  if constexpr (sizeof(Cell) == 1) {
    whole_ = sector->bytes_.data();
  } else {
    whole_ = sector->words_.data();
  }
}

template <class Cell>
const Cell* LowerRows<Cell>::fetch(std::uint32_t row) {
  Slot slot = Slot{row} * columns_;
  const Slot end = slot + columns_;
  buffer_.clear();
  if (!sector_->blocks_) {  // bytes in memory, read as words
    buffer_.assign(sector_->bytes_.begin() + slot, sector_->bytes_.begin() + end);
    return buffer_.data();
  }
  while (slot < end) {
    const std::uint64_t number = slot / kBlockSlots;
    if (!block_ || block_number_ != number) {
      block_ = sector_->blocks_->block(number);
      block_number_ = number;
    }
    const std::size_t first = slot % kBlockSlots;
    const std::size_t count = std::min<std::uint64_t>(end - slot, kBlockSlots - first);
    const auto take = [&](const auto& codes) -> const Cell* {
      if constexpr (std::is_same_v<decltype(codes.data()), const Cell*>) {
        if (count == columns_) return codes.data() + first;
      }
      const auto begin = codes.begin() + static_cast<std::ptrdiff_t>(first);
      std::transform(begin, begin + static_cast<std::ptrdiff_t>(count), std::back_inserter(buffer_),
                     [](auto code) { return static_cast<Cell>(code); });
      return nullptr;
    };
    const Cell* inside = sector_->narrow() ? take(block_->bytes) : take(block_->words);
    if (inside != nullptr) return inside;
    slot += count;
  }
  return buffer_.data();
}

template class LowerRows<std::uint8_t>;
template class LowerRows<Code>;

}  // namespace mtb
