#include "gen/lower_sector.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

namespace mtb {
namespace {

constexpr Code kLargestByte = std::numeric_limits<std::uint8_t>::max();

}  // namespace

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

Result<LowerSector> LowerSector::load(const TableFile& table) {
  std::optional<Error> error;
  const bool narrow = table.header().packing == Packing::byte;
  LowerSector sector =
      from_codes(table.index(), narrow ? kLargestByte : std::numeric_limits<Code>::max(),
                 [&](Slot first, std::span<Code> codes) {
                   if (Result<void> read = table.read_codes(first / kBlockSlots, codes); !read) {
#pragma omp critical(mtb_lower_sector_error)
                     error = read.error();
                   }
                 });
  if (error) return tl::unexpected<Error>(*error);
  return sector;
}

template <class Cell>
LowerRows<Cell>::LowerRows(const LowerSector* sector) : sector_(sector) {
  if (sector == nullptr) return;
  columns_ = sector->index().columns();
  if constexpr (sizeof(Cell) == 1) {
    whole_ = sector->bytes_.data();
  } else {
    whole_ = sector->words_.data();
  }
}

template <class Cell>
const Cell* LowerRows<Cell>::fetch(std::uint32_t row) {
  const std::uint8_t* bytes = sector_->bytes_.data() + std::size_t{row} * columns_;
  buffer_.assign(bytes, bytes + columns_);
  return buffer_.data();
}

template class LowerRows<std::uint8_t>;
template class LowerRows<Code>;

}  // namespace mtb
