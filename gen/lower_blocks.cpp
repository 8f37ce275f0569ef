#include "gen/lower_blocks.h"

#include <algorithm>
#include <limits>

namespace mtb {

bool fits_bytes(const TableHeader& header, CodeMap map) {
  if (map.empty()) return header.largest_code() <= kLargestByte;
  return *std::ranges::max_element(map) <= kLargestByte;
}

Result<void> read_lower_codes(const TableFile& table, CodeMap map, Slot first,
                              std::span<Code> codes) {
  if (Result<void> read = table.read_slots(first, codes); !read) return read;
  if (!map.empty()) {
    for (Code& code : codes) code = map[code];
    return {};
  }
  if (!fits_bytes(table.header(), map) || *std::ranges::max_element(codes) <= kLargestByte) {
    return {};
  }
  return fail(Fault::damaged, table.path().string() +
                                  " is damaged: it holds longer distances than its header says; "
                                  "get or generate it again");
}

LowerBlocks::LowerBlocks(TableFile table, CodeMap map, std::uint64_t blocks)
    : table_(std::move(table)),
      map_(map.begin(), map.end()),
      narrow_(fits_bytes(table_.header(), map_)),
      place_((table_.header().slots + kBlockSlots - 1) / kBlockSlots, kAbsent) {
  kept_.resize(static_cast<std::size_t>(
      std::clamp<std::uint64_t>(blocks, 1, std::max<std::size_t>(1, place_.size()))));
}

std::shared_ptr<const LowerBlocks::Block> LowerBlocks::block(std::uint64_t number) {
  {
    const std::lock_guard lock(mutex_);
    if (place_[number] != kAbsent) {
      Kept& kept = kept_[place_[number]];
      kept.last_use = ++clock_;
      return kept.block;
    }
  }
  std::shared_ptr<const Block> decoded = decode(number);
  const std::lock_guard lock(mutex_);
  if (place_[number] != kAbsent) return kept_[place_[number]].block;  // another was quicker
  const auto oldest =
      std::min_element(kept_.begin(), kept_.end(),
                       [](const Kept& a, const Kept& b) { return a.last_use < b.last_use; });
  if (oldest->block) place_[oldest->number] = kAbsent;
  *oldest = {decoded, number, ++clock_};
  place_[number] = static_cast<std::uint32_t>(oldest - kept_.begin());
  return decoded;
}

std::shared_ptr<const LowerBlocks::Block> LowerBlocks::decode(std::uint64_t number) {
  const Slot first = number * kBlockSlots;
  std::vector<Code> codes(std::min<std::uint64_t>(kBlockSlots, table_.header().slots - first));
  if (const Result<void> read = read_lower_codes(table_, map_, first, codes); !read) {
    std::ranges::fill(codes, dtw_code::draw());
    failure_.tell(read.error());
  }
  auto block = std::make_shared<Block>();
  if (!narrow_) {
    block->words = std::move(codes);
  } else {
    block->bytes.resize(codes.size());
    std::transform(codes.begin(), codes.end(), block->bytes.begin(),
                   [](Code code) { return static_cast<std::uint8_t>(code); });
  }
  return block;
}

}  // namespace mtb
