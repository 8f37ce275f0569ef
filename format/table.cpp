#include "format/table.h"

#include <zstd.h>

#include <algorithm>

#include "format/layout.h"
#include "format/tally.h"

namespace mtb {
namespace {

std::string block_name(std::uint64_t block) { return "block " + std::to_string(block); }

/// Number of slots in a block of a table.
std::size_t slots_in_block(const TableHeader& header, std::uint64_t block) {
  return static_cast<std::size_t>(
      std::min<std::uint64_t>(kBlockSlots, header.slots - block * kBlockSlots));
}

/// Whether the positions of the canaries have the slots that the header says.
bool canaries_agree(const TableHeader& header, const SectorIndex& index) {
  return std::all_of(header.canaries.begin(), header.canaries.end(), [&](const Canary& canary) {
    const PointSet mover(canary.mover);
    const PointSet opponent(canary.opponent);
    return mover.bits() == canary.mover && opponent.bits() == canary.opponent &&
           mover.size() == header.sector.mover && opponent.size() == header.sector.opponent &&
           !mover.intersects(opponent) && index.slot({mover, opponent}) == canary.slot &&
           canary.code <= largest_code(header.packing);
  });
}

/// Reads an entry of the block index and checks it. False when something is wrong with it.
bool read_entry(const TableHeader& header, std::uint64_t id, std::uint64_t block,
                std::uint64_t offset, std::span<const std::byte, layout::kEntryBytes> bytes,
                BlockEntry& entry) {
  if (!layout::decode_entry(bytes, entry) || entry.offset != offset) return false;
  if (entry.bytes == 0) {
    return entry.uniform <= largest_code(header.packing) &&
           entry.checksum == layout::entry_checksum(entry, id, block, {});
  }
  const std::size_t payload = packed_size(header.packing, slots_in_block(header, block));
  return entry.uniform == 0 && entry.bytes <= layout::largest_stored(payload);
}

}  // namespace

std::string table_file_name(Sector sector, Metric metric) {
  return to_string(sector) + "." + std::string(to_string(metric));
}

TableFile::TableFile(ReadFile file, TableHeader header, SectorIndex index, std::uint64_t id,
                     std::vector<BlockEntry> blocks)
    : file_(std::move(file)),
      header_(std::move(header)),
      index_(std::move(index)),
      id_(id),
      blocks_(std::move(blocks)) {}

Result<TableFile> TableFile::open(const std::filesystem::path& path, const ClassCache& cache) {
  Result<ReadFile> file = ReadFile::open(path);
  if (!file) return tl::unexpected(file.error());

  std::vector<std::byte> bytes(layout::kFixedBytes);
  if (const auto done = file->read_at(0, bytes); !done) return tl::unexpected(done.error());
  const Result<std::size_t> header_bytes = layout::header_size(bytes, path);
  if (!header_bytes) return tl::unexpected(header_bytes.error());
  bytes.resize(*header_bytes);
  if (const auto done = file->read_at(0, bytes); !done) return tl::unexpected(done.error());
  Result<layout::DecodedHeader> decoded = layout::decode_header(bytes, path);
  if (!decoded) return tl::unexpected(decoded.error());
  TableHeader& header = decoded->header;
  const std::uint64_t id = layout::table_id(bytes);

  if (header.file_bytes != file->size()) {
    return layout::damaged(path, "it has " + std::to_string(file->size()) + " bytes instead of " +
                                     std::to_string(header.file_bytes));
  }
  SectorIndex index(header.sector, header.key, cache);
  if (header.slots != index.slots() ||
      header.blocks != (header.slots + kBlockSlots - 1) / kBlockSlots) {
    return layout::damaged(path, "its numbers of slots and blocks are not those of sector " +
                                     to_string(header.sector));
  }
  if (!canaries_agree(header, index)) {
    return layout::damaged(path, "its sample positions are not where this program has them");
  }

  // The number of blocks is now known to be that of the sector, a few thousand at most.
  std::vector<std::byte> entry_bytes(header.blocks * layout::kEntryBytes);
  if (const auto done = file->read_at(*header_bytes, entry_bytes); !done) {
    return tl::unexpected(done.error());
  }
  if (layout::hash(entry_bytes) != decoded->index_checksum) {
    return layout::damaged(path, "its block index fails the checksum");
  }
  std::vector<BlockEntry> entries(header.blocks);
  std::uint64_t offset = *header_bytes + entry_bytes.size();
  for (std::uint64_t block = 0; block < header.blocks; ++block) {
    const auto raw = std::span(entry_bytes).subspan(block * layout::kEntryBytes);
    if (!read_entry(header, id, block, offset, raw.first<layout::kEntryBytes>(), entries[block])) {
      return layout::damaged(path, block_name(block) + " has a bad entry in the index");
    }
    offset += entries[block].bytes;
  }
  if (offset != header.file_bytes) {
    return layout::damaged(path, "its blocks do not end where the file ends");
  }
  return TableFile(std::move(*file), std::move(header), std::move(index), id, std::move(entries));
}

std::size_t TableFile::block_slots(std::uint64_t block) const {
  return slots_in_block(header_, block);
}

Result<std::vector<std::byte>> TableFile::read_stored(std::uint64_t block) const {
  const BlockEntry& entry = blocks_[block];
  std::vector<std::byte> stored(entry.bytes);
  if (const auto done = file_.read_at(entry.offset, stored); !done) {
    return tl::unexpected(done.error());
  }
  if (layout::entry_checksum(entry, id_, block, stored) != entry.checksum) {
    return layout::damaged(path(), block_name(block) + " fails its checksum");
  }
  return stored;
}

Result<void> TableFile::check_block(std::uint64_t block) const {
  if (blocks_[block].bytes == 0) return {};  // open() has checked all that there is
  return read_stored(block).map([](const std::vector<std::byte>&) {});
}

Result<std::vector<std::byte>> TableFile::read_block(std::uint64_t block) const {
  const BlockEntry& entry = blocks_[block];
  const std::size_t slots = block_slots(block);
  std::vector<std::byte> payload(packed_size(header_.packing, slots));
  if (entry.bytes == 0) {
    pack(header_.packing, std::vector<Code>(slots, entry.uniform), payload);
    return payload;
  }
  const Result<std::vector<std::byte>> checked = read_stored(block);
  if (!checked) return tl::unexpected(checked.error());
  const std::vector<std::byte>& stored = *checked;
  // Exactly one frame of exactly the right size; then decompression stays within `payload`.
  if (ZSTD_getFrameContentSize(stored.data(), stored.size()) != payload.size() ||
      ZSTD_findFrameCompressedSize(stored.data(), stored.size()) != stored.size() ||
      ZSTD_decompress(payload.data(), payload.size(), stored.data(), stored.size()) !=
          payload.size() ||
      !is_packed(header_.packing, payload, slots)) {
    return layout::damaged(path(), block_name(block) + " does not hold what it should");
  }
  return payload;
}

Result<void> TableFile::read_codes(std::uint64_t block, std::span<Code> codes) const {
  if (blocks_[block].bytes == 0) {
    std::fill(codes.begin(), codes.end(), blocks_[block].uniform);
    return {};
  }
  const auto payload = read_block(block);
  if (!payload) return tl::unexpected(payload.error());
  if (!unpack(header_.packing, *payload, codes)) {
    return layout::damaged(path(), block_name(block) + " does not hold what it should");
  }
  return {};
}

Result<void> TableFile::verify() const {
  Tally tally;
  std::vector<std::uint64_t> hashes(header_.blocks);
  std::vector<Code> buffer(kBlockSlots);
  for (std::uint64_t block = 0; block < header_.blocks; ++block) {
    const Slot first = block * kBlockSlots;
    const std::span<Code> codes = std::span(buffer).first(block_slots(block));
    if (const auto done = read_codes(block, codes); !done) return done;
    hashes[block] = layout::hash_codes(codes);
    tally.add(index_, header_.metric, first, codes);
    for (const Canary& canary : header_.canaries) {
      if (canary.slot / kBlockSlots == block && codes[canary.slot - first] != canary.code) {
        return layout::damaged(path(),
                               block_name(block) + " gives a sample position another value");
      }
    }
  }
  TableHeader counted = header_;
  tally.enter(counted);
  if (counted.counts != header_.counts) {
    return layout::damaged(path(), "its values do not have the counts in its header");
  }
  if (counted.longest_win != header_.longest_win || counted.longest_loss != header_.longest_loss) {
    return layout::damaged(path(), "its values do not have the longest distances in its header");
  }
  if (layout::hash_hashes(hashes) != header_.content_hash) {
    return layout::damaged(path(), "its values do not have the hash in its header");
  }
  return {};
}

}  // namespace mtb
