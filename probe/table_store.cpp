#include "probe/table_store.h"

#include <algorithm>

#include "format/packing.h"

namespace mtb {

void TableStore::add(TableFile file) {
  const TableHeader& header = file.header();
  const std::size_t bytes = packed_size(header.packing, block_slots(header.coding));
  const auto name = std::pair(header.metric, header.sector);
  const std::uint64_t lines = 1 + (bytes + BlockCache::kLineBytes - 1) / BlockCache::kLineBytes;
  std::optional<BlockCache::Line> first;
  if (header.blocks <= (BlockCache::kMostLines - lines_given_) / lines) {
    first = static_cast<BlockCache::Line>(lines_given_);
    lines_given_ += header.blocks * lines;
  }
  const auto [place, added] =
      tables_.emplace(name, Table{std::move(file), first, static_cast<std::uint32_t>(lines)});
  const auto& [metric, sector] = name;
  if (!sector.has_hands()) {
    plain_[static_cast<std::size_t>(metric)][sector.mover][sector.opponent] = &place->second;
  }
}

const TableStore::Table* TableStore::find_with_hands(Sector sector, Metric metric) const {
  const auto found = tables_.find({metric, sector});
  return found == tables_.end() ? nullptr : &found->second;
}

std::vector<Sector> TableStore::sectors(Metric metric) const {
  std::vector<Sector> result;
  for (const auto& [name, table] : tables_) {
    if (name.first == metric) result.push_back(name.second);
  }
  return result;
}

/// Whether the first value of a payload of so many codes, and those that share its byte, stand for
/// all the others.
bool TableStore::is_one_value(Packing packing, std::span<const std::byte> payload,
                              std::size_t codes) {
  const std::size_t period = packing == Packing::word ? 2 : 1;
  // The last byte may have fewer codes than the others.
  const auto body = payload.first(payload.size() - period);
  if (body.size() < period) return false;
  if (!std::equal(body.begin() + static_cast<std::ptrdiff_t>(period), body.end(), body.begin())) {
    return false;
  }
  for (std::size_t i = codes; i-- > 0;) {
    const CodePlace place = code_place(packing, i);
    if (place.offset < body.size()) break;
    if (unpack_one(packing, payload, i) != unpack_one(packing, payload, place.digit)) return false;
  }
  return true;
}

/// In the cache.
void TableStore::keep(const Table& table, std::uint64_t block,
                      std::span<const std::byte> payload) const {
  if (!table.first_line) return;
  if (is_one_value(table.file.header().packing, payload, table.file.block_slots(block))) {
    return cache_.insert(line_of_block(table, block), payload.first(BlockCache::kValueBytes));
  }
  for (BlockCache::Line line = line_of_block(table, block) + 1; !payload.empty(); ++line) {
    const auto part = payload.first(std::min(payload.size(), BlockCache::kLineBytes));
    cache_.insert(line, part);
    payload = payload.subspan(part.size());
  }
}

/// In the cache, of a block whose values are all alike: a code or kNotKept.
std::int32_t TableStore::find_uniform(const Table& table, Where where) const {
  const Packing packing = table.file.header().packing;
  const std::int32_t bytes = cache_.find(line_of_block(table, where.block), 0);
  if (bytes == kNotKept) return kNotKept;
  return code_at(packing, static_cast<std::uint16_t>(bytes),
                 code_place(packing, where.number).digit);
}

Result<Code> TableStore::code(const Table& table, const Position& position,
                              const ProbeControl& control, LastBlock& last) const {
  const TableFile& file = table.file;
  const auto not_cached = [] { return fail(Fault::not_cached, "the value is not in the cache"); };
  const auto stopped = [] { return fail(Fault::stopped, "stopped before the value was known"); };
  if (!file.is_prepared()) {
    if (control.reach == Reach::cache) return not_cached();
    if (control.wants_stop()) return stopped();
    if (const auto done = file.prepare(); !done) return tl::unexpected(done.error());
  }
  const Where where = locate(table, {position.mover(), position.opponent()});
  const auto code_in_last = [&] {
    return unpack_one(file.header().packing, last.payload, where.number);
  };
  if (last.table == &table && last.block == where.block) return code_in_last();
  if (const std::int32_t code = find(table, where); code != kNotKept) {
    return static_cast<Code>(code);
  }
  if (control.reach == Reach::cache) return not_cached();
  if (control.wants_stop()) return stopped();
  Result<std::vector<std::byte>> payload = file.read_block(where.block);
  if (!payload) return tl::unexpected(std::move(payload.error()));
  last = {&table, where.block, std::move(*payload)};
  keep(table, where.block, last.payload);
  return code_in_last();
}

void TableStore::prefetch(const Table& table, const Position& position) const {
  if (!table.file.is_prepared()) return;
  const Where where = locate(table, {position.mover(), position.opponent()});
  const std::size_t offset = code_place(table.file.header().packing, where.number).offset;
  const bool kept = table.first_line && (cache_.prefetch(line_of(table, where.block, offset),
                                                         offset % BlockCache::kLineBytes) ||
                                         cache_.prefetch(line_of_block(table, where.block), 0));
  if (!kept) table.file.announce_block(where.block);
}

Result<std::uint64_t> TableStore::block_of(const Table& table, const Position& position,
                                           Reach reach) const {
  if (!table.file.is_prepared()) {
    if (reach == Reach::cache) return fail(Fault::not_cached, "its index has not been read");
    if (const auto done = table.file.prepare(); !done) return tl::unexpected(done.error());
  }
  return locate(table, {position.mover(), position.opponent()}).block;
}

}  // namespace mtb
