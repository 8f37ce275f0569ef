#include "format/table.h"

#include <algorithm>

#include "format/layout.h"
#include "format/model.h"
#include "format/surroundings.h"
#include "format/tally.h"

namespace mtb {
namespace {

static_assert(block_slots(Coding::modelled) == model::kBlockSlots);

/// Blocks for each offset that is kept (TableFile::Parts).
constexpr std::uint64_t kOffsetBlocks = 32;

std::string block_name(std::uint64_t block) { return "block " + std::to_string(block); }

tl::unexpected<Error> bad_entry(const std::filesystem::path& path, std::uint64_t block) {
  return layout::damaged(path, block_name(block) + " has a bad entry in the index");
}

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

std::optional<Metric> metric_of_ending(const std::filesystem::path& path) {
  const std::string ending = path.extension().string();
  if (ending.empty()) return std::nullopt;
  const Result<Metric> metric = parse_metric(ending.substr(1));
  return metric ? std::optional(*metric) : std::nullopt;
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

/// What modelled blocks are decoded with. It takes more time and memory than the index, so it is
/// made when the first block is read.
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

TableFile::TableFile(std::unique_ptr<const FileBytes> file, TableHeader header,
                     std::uint64_t header_bytes, std::uint64_t index_checksum, std::uint64_t id,
                     const ClassCache& cache)
    : file_(std::move(file)),
      header_(std::move(header)),
      header_bytes_(header_bytes),
      index_checksum_(index_checksum),
      id_(id),
      late_(new Late{cache, {}, {}, {}}) {}
TableFile::TableFile(TableFile&&) noexcept = default;
TableFile& TableFile::operator=(TableFile&&) noexcept = default;
TableFile::~TableFile() = default;

Result<TableFile> TableFile::open(const std::filesystem::path& path, const ClassCache& cache) {
  Result<ReadFile> file = ReadFile::open(path);
  if (!file) return tl::unexpected(file.error());
  Result<TableFile> table = open_header(std::make_unique<ReadFile>(std::move(*file)), cache);
  if (!table) return table;
  if (Result<void> prepared = table->prepare(); !prepared) return tl::unexpected(prepared.error());
  return table;
}

Result<TableFile> TableFile::open_header(std::unique_ptr<const FileBytes> file,
                                         const ClassCache& cache) {
  const std::filesystem::path& path = file->path();
  std::vector<std::byte> bytes(layout::kFixedBytes);
  if (const auto done = file->read_at(0, bytes); !done) return tl::unexpected(done.error());
  const Result<std::size_t> header_bytes = layout::header_size(bytes, path);
  if (!header_bytes) return tl::unexpected(header_bytes.error());
  bytes.resize(*header_bytes);
  if (const auto done = file->read_at(0, bytes); !done) return tl::unexpected(done.error());
  Result<layout::DecodedHeader> decoded = layout::decode_header(bytes, path);
  if (!decoded) return tl::unexpected(decoded.error());
  TableHeader& header = decoded->header;
  if (header.file_bytes != file->size()) {
    return layout::damaged(path, "it has " + std::to_string(file->size()) + " bytes instead of " +
                                     std::to_string(header.file_bytes));
  }
  return TableFile(std::move(file), std::move(header), *header_bytes, decoded->index_checksum,
                   layout::table_id(bytes), cache);
}

Result<void> TableFile::prepare() const {
  if (is_prepared()) return {};
  const std::lock_guard lock(late_->mutex);
  if (late_->parts) return {};
  if (late_->damage) return tl::unexpected(*late_->damage);
  const auto damaged = [&](const Error& error) {
    late_->damage = error;
    return tl::unexpected(error);
  };
  Result<SectorIndex> index = make_index();
  if (!index) return damaged(index.error());
  // What cannot be read now, or ends early, may be read later: a disk, a network, a file that is
  // still being copied.
  const Result<StoredParts> stored = read_stored_parts();
  if (!stored) return tl::unexpected(stored.error());
  Result<Parts> parts = make_parts(std::move(*index), *stored);
  if (!parts) return damaged(parts.error());
  late_->parts.emplace(std::move(*parts));
  late_->ready.store(&*late_->parts, std::memory_order_release);
  return {};
}

/// Checks what the header says of it.
Result<SectorIndex> TableFile::make_index() const {
  SectorIndex index(header_.sector, header_.key, late_->cache);
  if (header_.slots != index.slots() ||
      header_.blocks != (header_.slots - 1) / mtb::block_slots(header_.coding) + 1) {
    return layout::damaged(path(), "its numbers of slots and blocks are not those of sector " +
                                       to_string(header_.sector));
  }
  if (!canaries_agree(header_, index)) {
    return layout::damaged(path(), "its sample positions are not where this program has them");
  }
  return index;
}

/// Of a header that fits its index: so the number of blocks is some hundred thousand at most.
Result<TableFile::StoredParts> TableFile::read_stored_parts() const {
  StoredParts stored;
  if (header_.coding == Coding::modelled) {
    stored.model.resize(header_.model_bytes);
    if (const auto done = file_->read_at(header_bytes_, stored.model); !done) {
      return tl::unexpected(done.error());
    }
  }
  stored.entries.resize(header_.blocks * layout::kEntryBytes);
  if (const auto done = file_->read_at(entries_at(), stored.entries); !done) {
    return tl::unexpected(done.error());
  }
  return stored;
}

Result<TableFile::Parts> TableFile::make_parts(SectorIndex index, const StoredParts& stored) const {
  Parts parts{std::move(index), {}, {}};
  if (header_.coding == Coding::modelled) {
    if (layout::hash(stored.model) != header_.model_checksum) {
      return layout::damaged(path(), "its model fails the checksum");
    }
    parts.odds.reset(new Odds{late_->cache, stored.model});
  }
  const std::vector<std::byte>& entries = stored.entries;
  if (layout::hash(entries) != index_checksum_) {
    return layout::damaged(path(), "its block index fails the checksum");
  }
  std::uint64_t offset = entries_at() + entries.size();
  parts.offsets.reserve(header_.blocks / kOffsetBlocks + 1);
  for (std::uint64_t block = 0; block < header_.blocks; ++block) {
    const auto raw = std::span(entries).subspan(block * layout::kEntryBytes);
    const auto entry = layout::decode_entry(raw.first<layout::kEntryBytes>());
    if (!entry || !is_sound(header_, id_, block, *entry)) return bad_entry(path(), block);
    if (block % kOffsetBlocks == 0) parts.offsets.push_back(offset);
    offset += entry->bytes;
  }
  if (offset != header_.file_bytes) {
    return layout::damaged(path(), "its blocks do not end where the file ends");
  }
  return parts;
}

/// From the block index in the file, checked once more: the file may have changed since.
Result<BlockEntry> TableFile::entry(std::uint64_t block) const {
  if (const auto prepared = prepare(); !prepared) return tl::unexpected(prepared.error());
  const std::uint64_t first = block - block % kOffsetBlocks;
  std::array<std::byte, kOffsetBlocks * layout::kEntryBytes> room;
  const auto bytes = std::span(room).first((block - first + 1) * layout::kEntryBytes);
  const auto done = file_->read_at(entries_at() + first * layout::kEntryBytes, bytes);
  if (!done) return tl::unexpected(done.error());
  std::uint64_t offset = parts().offsets[first / kOffsetBlocks];
  for (std::uint64_t b = first;; ++b) {
    const auto raw = std::span(bytes).subspan((b - first) * layout::kEntryBytes);
    auto entry = layout::decode_entry(raw.first<layout::kEntryBytes>());
    if (!entry) return bad_entry(path(), b);
    entry->offset = offset;
    offset += entry->bytes;
    if (b < block) continue;
    if (!is_sound(header_, id_, block, *entry)) return bad_entry(path(), block);
    return *entry;
  }
}

std::size_t TableFile::block_slots(std::uint64_t block) const {
  return slots_in_block(header_, block);
}

void TableFile::announce_block(std::uint64_t block) const {
  const Result<BlockEntry> where = entry(block);
  if (where && where->bytes != 0) file_->announce(where->offset, where->bytes);
}

Result<std::vector<std::byte>> TableFile::read_stored(std::uint64_t block,
                                                      const BlockEntry& entry) const {
  std::vector<std::byte> stored(entry.bytes);
  if (const auto done = file_->read_at(entry.offset, stored); !done) {
    return tl::unexpected(done.error());
  }
  if (layout::entry_checksum(entry, id_, block, stored) != entry.checksum) {
    return layout::damaged(path(), block_name(block) + " fails its checksum");
  }
  return stored;
}

Result<void> TableFile::check_block(std::uint64_t block) const {
  const Result<BlockEntry> where = entry(block);
  if (!where) return tl::unexpected(where.error());
  if (where->bytes == 0) return {};
  return read_stored(block, *where).map([](const std::vector<std::byte>&) {});
}

Result<void> TableFile::read_modelled(std::uint64_t block, const BlockEntry& entry,
                                      std::span<Code> codes) const {
  const auto stored = read_stored(block, entry);
  if (!stored) return tl::unexpected(stored.error());
  Odds& odds = *parts().odds;
  if (!odds.ready(header_, index())) {
    return layout::damaged(path(), "its model is not one of such a table");
  }
  if (!model::decode(*odds.model, *odds.surroundings, header_.metric,
                     block * mtb::block_slots(header_.coding), *stored, codes) ||
      *std::max_element(codes.begin(), codes.end()) > largest_code(header_.packing)) {
    return layout::damaged(path(), block_name(block) + " does not hold what it should");
  }
  return {};
}

Result<std::vector<std::byte>> TableFile::read_block(std::uint64_t block) const {
  const Result<BlockEntry> where = entry(block);
  if (!where) return tl::unexpected(where.error());
  const std::size_t slots = block_slots(block);
  std::vector<std::byte> payload(packed_size(header_.packing, slots));
  if (where->bytes == 0 || header_.coding == Coding::modelled) {
    std::vector<Code> codes(slots, where->uniform);
    if (where->bytes != 0) {
      if (const auto done = read_modelled(block, *where, codes); !done) {
        return tl::unexpected(done.error());
      }
    }
    pack(header_.packing, codes, payload);
    return payload;
  }
  const auto stored = read_stored(block, *where);
  if (!stored) return tl::unexpected(stored.error());
  if (!layout::decompress(*stored, payload) || !is_packed(header_.packing, payload, slots)) {
    return layout::damaged(path(), block_name(block) + " does not hold what it should");
  }
  return payload;
}

Result<void> TableFile::read_codes(std::uint64_t block, std::span<Code> codes) const {
  const Result<BlockEntry> where = entry(block);
  if (!where) return tl::unexpected(where.error());
  if (where->bytes == 0) {
    std::fill(codes.begin(), codes.end(), where->uniform);
    return {};
  }
  if (header_.coding == Coding::modelled) return read_modelled(block, *where, codes);
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
  if (const auto prepared = prepare(); !prepared) return prepared;
  Tally tally;
  std::vector<std::uint64_t> hashes;
  std::vector<Code> buffer(kBlockSlots);
  for (Slot first = 0; first < header_.slots; first += kBlockSlots) {
    const auto codes =
        std::span(buffer).first(std::min<std::uint64_t>(kBlockSlots, header_.slots - first));
    if (const auto done = read_slots(first, codes); !done) return done;
    hashes.push_back(layout::hash_codes(codes));
    tally.add(index(), header_.meaning(), first, codes);
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
