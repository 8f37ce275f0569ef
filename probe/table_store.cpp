#include "probe/table_store.h"

#include "format/packing.h"

namespace mtb {

void TableStore::add(TableFile file) {
  const TableHeader& header = file.header();
  const std::size_t bytes = packed_size(header.packing, block_slots(header.coding));
  const auto name = std::pair(header.metric, header.sector);
  const std::uint64_t lines = (bytes + BlockCache::kLineBytes - 1) / BlockCache::kLineBytes;
  const auto [place, added] = tables_.emplace(name, Table{std::move(file), tables_.size(), lines});
  const auto& [metric, sector] = name;
  if (!sector.has_hands()) {
    plain_[static_cast<std::size_t>(metric)][sector.mover][sector.opponent] = &place->second;
  }
}

const TableStore::Table* TableStore::find(Sector sector, Metric metric) const {
  if (!sector.has_hands()) {
    return plain_[static_cast<std::size_t>(metric)][sector.mover][sector.opponent];
  }
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

TableStore::Where TableStore::locate(const Table& table, const Position& position) {
  const TableFile& file = table.file;
  const Slot slot = file.index().slot({position.mover(), position.opponent()});
  Where where{};
  where.block = file.block_of(slot);
  where.place = code_place(file.header().packing, file.place_of(slot));
  where.line = {table.number,
                where.block * table.lines_a_block + where.place.offset / BlockCache::kLineBytes};
  where.offset = where.place.offset % BlockCache::kLineBytes;
  return where;
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
  const Where where = locate(table, position);
  const Packing packing = file.header().packing;
  if (last.table == &table && last.block == where.block) {
    return code_at(packing, std::span(last.payload).subspan(where.place.offset), where.place.digit);
  }
  if (const auto value = cache_.find(where.line, where.offset)) {
    return code_at(packing, *value, where.place.digit);
  }
  if (control.reach == Reach::cache) return not_cached();
  if (control.wants_stop()) return stopped();
  Result<std::vector<std::byte>> payload = file.read_block(where.block);
  if (!payload) return tl::unexpected(std::move(payload.error()));
  last = {&table, where.block, std::move(*payload)};
  std::span<const std::byte> rest = last.payload;
  for (std::uint64_t line = where.block * table.lines_a_block; !rest.empty(); ++line) {
    const auto part = rest.first(std::min(rest.size(), BlockCache::kLineBytes));
    cache_.insert({table.number, line}, part);
    rest = rest.subspan(part.size());
  }
  return code_at(packing, std::span(last.payload).subspan(where.place.offset), where.place.digit);
}

void TableStore::prefetch(const Table& table, const Position& position) const {
  if (!table.file.is_prepared()) return;
  const Where where = locate(table, position);
  if (!cache_.prefetch(where.line, where.offset)) table.file.announce_block(where.block);
}

Result<std::uint64_t> TableStore::block_of(const Table& table, const Position& position) const {
  return table.file.prepare().map([&] { return locate(table, position).block; });
}

}  // namespace mtb
