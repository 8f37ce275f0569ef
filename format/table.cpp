#include "format/table.h"

#include <algorithm>
#include <mutex>
#include <optional>

#include "format/layout.h"
#include "format/model.h"
#include "format/surroundings.h"
#include "format/tally.h"

namespace mtb {
namespace {

std::string block_name(std::uint64_t block) { return "block " + std::to_string(block); }

/// Number of slots in a block of a table.
std::size_t slots_in_block(const TableHeader& header, std::uint64_t block) {
  const std::uint64_t size = block_slots(header.coding);
  return static_cast<std::size_t>(std::min(size, header.slots - block * size));
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

/// Checks an entry of the block index.
bool is_sound(const TableHeader& header, std::uint64_t id, std::uint64_t block,
              const BlockEntry& entry) {
  if (entry.bytes == 0) {
    return entry.uniform <= largest_code(header.packing) &&
           entry.checksum == layout::entry_checksum(entry, id, block, {});
  }
  const std::size_t slots = slots_in_block(header, block);
  return entry.bytes <= (header.coding == Coding::modelled
                             ? model::largest_stored(slots)
                             : layout::largest_stored(packed_size(header.packing, slots)));
}

}  // namespace

std::string table_file_name(Sector sector, Metric metric) {
  return to_string(sector) + "." + std::string(to_string(metric));
}

Code TableHeader::largest_code() const {
  const auto any = [&](Outcome outcome, Outcome late) {
    return counts[static_cast<std::size_t>(outcome)] != 0 ||
           counts[static_cast<std::size_t>(late)] != 0;
  };
  if (metric == Metric::wdl) {
    return wdl_code::of(any(Outcome::clock_win, Outcome::clock_loss) ? Outcome::clock_loss
                                                                     : Outcome::loss);
  }
  const bool dtw = metric == Metric::dtw;
  Code largest = dtw_code::draw();
  if (any(Outcome::win, Outcome::clock_win)) {
    largest = dtw ? dtw_code::decided(longest_win) : dtc_code::win(longest_win);
  }
  if (any(Outcome::loss, Outcome::clock_loss)) {
    largest =
        std::max(largest, dtw ? dtw_code::decided(longest_loss) : dtc_code::loss(longest_loss));
  }
  return largest;
}

std::uint32_t block_slots(Coding coding) {
  return coding == Coding::modelled ? model::kBlockSlots : kBlockSlots;
}

/// What modelled blocks are decoded with. It takes more time and memory than opening a table, so it
/// is made when the first block is read.
struct TableFile::Odds {
  ClassCache cache;
  std::vector<std::byte> stored;
  std::once_flag once{};
  std::optional<model::Model> model{};
  std::optional<Surroundings> surroundings{};

  /// Whether the stored model is one.
  bool ready(const TableHeader& header, const SectorIndex& index) {
    std::call_once(once, [&] {
      surroundings.emplace(index, header.rules, model::kBlockSlots, cache);
      model = model::Model::parse(stored, header.metric, surroundings->neighbours());
    });
    return model.has_value();
  }
};

TableFile::TableFile(ReadFile file, TableHeader header, SectorIndex index, std::uint64_t id,
                     std::vector<BlockEntry> blocks, std::shared_ptr<Odds> odds)
    : file_(std::move(file)),
      header_(std::move(header)),
      index_(std::move(index)),
      id_(id),
      blocks_(std::move(blocks)),
      odds_(std::move(odds)) {}

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
      header.blocks != (header.slots - 1) / mtb::block_slots(header.coding) + 1) {
    return layout::damaged(path, "its numbers of slots and blocks are not those of sector " +
                                     to_string(header.sector));
  }
  if (!canaries_agree(header, index)) {
    return layout::damaged(path, "its sample positions are not where this program has them");
  }

  std::uint64_t offset = *header_bytes;
  std::shared_ptr<Odds> odds;
  if (header.coding == Coding::modelled) {
    odds.reset(new Odds{cache, std::vector<std::byte>(header.model_bytes)});
    if (const auto done = file->read_at(offset, odds->stored); !done) {
      return tl::unexpected(done.error());
    }
    if (layout::hash(odds->stored) != header.model_checksum) {
      return layout::damaged(path, "its model fails the checksum");
    }
    offset += header.model_bytes;
  }

  // The number of blocks is now known to be that of the sector, some hundred thousand at most.
  std::vector<std::byte> entry_bytes(header.blocks * layout::kEntryBytes);
  if (const auto done = file->read_at(offset, entry_bytes); !done) {
    return tl::unexpected(done.error());
  }
  if (layout::hash(entry_bytes) != decoded->index_checksum) {
    return layout::damaged(path, "its block index fails the checksum");
  }
  offset += entry_bytes.size();
  std::vector<BlockEntry> entries;
  entries.reserve(header.blocks);
  for (std::uint64_t block = 0; block < header.blocks; ++block) {
    const auto raw = std::span(entry_bytes).subspan(block * layout::kEntryBytes);
    auto entry = layout::decode_entry(raw.first<layout::kEntryBytes>());
    if (!entry || !is_sound(header, id, block, *entry)) {
      return layout::damaged(path, block_name(block) + " has a bad entry in the index");
    }
    entry->offset = offset;
    offset += entry->bytes;
    entries.push_back(*entry);
  }
  if (offset != header.file_bytes) {
    return layout::damaged(path, "its blocks do not end where the file ends");
  }
  return TableFile(std::move(*file), std::move(header), std::move(index), id, std::move(entries),
                   std::move(odds));
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

Result<void> TableFile::read_modelled(std::uint64_t block, std::span<Code> codes) const {
  const auto stored = read_stored(block);
  if (!stored) return tl::unexpected(stored.error());
  if (!odds_->ready(header_, index_)) {
    return layout::damaged(path(), "its model is not one of such a table");
  }
  if (!model::decode(*odds_->model, *odds_->surroundings, header_.metric,
                     block * mtb::block_slots(header_.coding), *stored, codes) ||
      *std::max_element(codes.begin(), codes.end()) > largest_code(header_.packing)) {
    return layout::damaged(path(), block_name(block) + " does not hold what it should");
  }
  return {};
}

Result<std::vector<std::byte>> TableFile::read_block(std::uint64_t block) const {
  const BlockEntry& entry = blocks_[block];
  const std::size_t slots = block_slots(block);
  std::vector<std::byte> payload(packed_size(header_.packing, slots));
  if (entry.bytes == 0 || header_.coding == Coding::modelled) {
    std::vector<Code> codes(slots);
    if (const auto done = read_codes(block, codes); !done) return tl::unexpected(done.error());
    pack(header_.packing, codes, payload);
    return payload;
  }
  const auto stored = read_stored(block);
  if (!stored) return tl::unexpected(stored.error());
  if (!layout::decompress(*stored, payload) || !is_packed(header_.packing, payload, slots)) {
    return layout::damaged(path(), block_name(block) + " does not hold what it should");
  }
  return payload;
}

Result<void> TableFile::read_codes(std::uint64_t block, std::span<Code> codes) const {
  if (blocks_[block].bytes == 0) {
    std::fill(codes.begin(), codes.end(), blocks_[block].uniform);
    return {};
  }
  if (header_.coding == Coding::modelled) return read_modelled(block, codes);
  const auto payload = read_block(block);
  if (!payload) return tl::unexpected(payload.error());
  if (!unpack(header_.packing, *payload, codes)) {
    return layout::damaged(path(), block_name(block) + " does not hold what it should");
  }
  return {};
}

Result<void> TableFile::read_slots(Slot first, std::span<Code> codes) const {
  std::vector<Code> part;  // of a block that is not wanted as a whole
  while (!codes.empty()) {
    const std::uint64_t block = block_of(first);
    const std::size_t place = place_of(first);
    const std::size_t slots = block_slots(block);
    const std::size_t count = std::min(codes.size(), slots - place);
    if (count == slots) {
      if (const auto done = read_codes(block, codes.first(count)); !done) return done;
    } else {
      part.resize(slots);
      if (const auto done = read_codes(block, part); !done) return done;
      std::copy_n(part.begin() + static_cast<std::ptrdiff_t>(place), count, codes.begin());
    }
    first += count;
    codes = codes.subspan(count);
  }
  return {};
}

Result<void> TableFile::verify() const {
  Tally tally;
  std::vector<std::uint64_t> hashes;
  std::vector<Code> buffer(kBlockSlots);
  for (Slot first = 0; first < header_.slots; first += kBlockSlots) {
    const auto codes =
        std::span(buffer).first(std::min<std::uint64_t>(kBlockSlots, header_.slots - first));
    if (const auto done = read_slots(first, codes); !done) return done;
    hashes.push_back(layout::hash_codes(codes));
    tally.add(index_, header_.meaning(), first, codes);
    for (const Canary& canary : header_.canaries) {
      if (canary.slot / kBlockSlots == first / kBlockSlots &&
          codes[canary.slot - first] != canary.code) {
        return layout::damaged(
            path(), block_name(block_of(canary.slot)) + " gives a sample position another value");
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
