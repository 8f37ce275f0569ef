// Tables that are open together, and single values from them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "format/table.h"
#include "game/position.h"
#include "game/result.h"
#include "game/sector.h"
#include "probe/block_cache.h"

namespace mtb {

/// How far a probe may go.
enum class Reach : std::uint8_t {
  disk,   ///< wherever the value is
  cache,  ///< no further than what is decoded: a probe that is always quick
};

/// What a caller says along with a question.
struct ProbeControl {
  Reach reach = Reach::disk;
  /// Asked before every block that is read and every turn that is valued; when true, the question
  /// is given up (Fault::stopped). May be empty. Called by the thread that asks.
  std::function<bool()> stop = {};

  bool wants_stop() const { return stop && stop(); }
};

/// The tables of a Tablebase. Safe for concurrent use once all have been added.
class TableStore {
 public:
  struct Table {
    TableFile file;
    /// Of the cache: the first that is the table's; nothing when all have been given away.
    std::optional<BlockCache::Line> first_line;
    /// The first line of a block stands for all of it when its values are all alike; the others
    /// hold its bytes otherwise.
    std::uint32_t lines_a_block;
  };
  /// The block that was read last to answer a question: neighbours are mostly in the same.
  struct LastBlock {
    const Table* table = nullptr;
    std::uint64_t block = 0;
    std::vector<std::byte> payload;
  };

  explicit TableStore(std::size_t cache_bytes) : cache_(cache_bytes) {}

  /// One of a sector and metric.
  void add(TableFile file);

  /// Null when there is none. At most kMaxCows a side.
  const Table* find(Sector sector, Metric metric) const {
    return sector.has_hands()
               ? find_with_hands(sector, metric)
               : plain_[static_cast<std::size_t>(metric)][sector.mover][sector.opponent];
  }
  /// Those that have a table of a metric, in ascending order.
  std::vector<Sector> sectors(Metric metric) const;

  /// The code of a position without cows in hand, of the table's sector. Errors: those of
  /// TableFile::prepare() and TableFile::read_block(), not_cached, stopped.
  Result<Code> code(const Table& table, const Position& position, const ProbeControl& control,
                    LastBlock& last) const;

  /// Stands for a code that is not decoded.
  static constexpr std::int32_t kNotKept = BlockCache::kNotKept;

  /// The code of a placement of the table's sector, where that is decoded, or kNotKept.
  [[gnu::always_inline]] std::int32_t cached_code(const Table& table,
                                                  SectorIndex::Placement placement) const {
    if (!table.file.is_prepared()) return kNotKept;
    return find(table, locate(table, placement));
  }

  /// Makes a later code() quicker, if it can without waiting for a disk.
  void prefetch(const Table& table, const Position& position) const;

  /// A number by which questions to a table can be put in the order of the disk: of its block.
  /// Errors of TableFile::prepare(), not_cached.
  Result<std::uint64_t> block_of(const Table& table, const Position& position, Reach reach) const;

 private:
  /// Where a code lies: its block, and which of the block's codes it is.
  struct Where {
    std::uint64_t block;
    std::size_t number;
  };
  /// Of a prepared table.
  static Where locate(const Table& table, SectorIndex::Placement placement) {
    const Slot slot = table.file.index().slot(placement);
    return {table.file.block_of(slot), table.file.place_of(slot)};
  }
  /// The line that stands for a block when its values are all alike; of a table that has lines.
  static BlockCache::Line line_of_block(const Table& table, std::uint64_t block) {
    return *table.first_line + static_cast<BlockCache::Line>(block * table.lines_a_block);
  }
  /// The line that holds a byte of a block's payload otherwise.
  static BlockCache::Line line_of(const Table& table, std::uint64_t block, std::size_t offset) {
    return line_of_block(table, block) + 1 +
           static_cast<BlockCache::Line>(offset / BlockCache::kLineBytes);
  }
  const Table* find_with_hands(Sector sector, Metric metric) const;
  /// In the cache: a code or kNotKept.
  [[gnu::always_inline]] std::int32_t find(const Table& table, Where where) const {
    if (!table.first_line) return kNotKept;
    const Packing packing = table.file.header().packing;
    const CodePlace place = code_place(packing, where.number);
    const std::int32_t bytes = cache_.find(line_of(table, where.block, place.offset),
                                           place.offset % BlockCache::kLineBytes);
    if (bytes == kNotKept) return find_uniform(table, where);
    return code_at(packing, static_cast<std::uint16_t>(bytes), place.digit);
  }
  std::int32_t find_uniform(const Table& table, Where where) const;
  static bool is_one_value(Packing packing, std::span<const std::byte> payload, std::size_t codes);
  void keep(const Table& table, std::uint64_t block, std::span<const std::byte> payload) const;

  /// By metric, then by the mover's and the opponent's cows: sectors without cows in hand.
  std::array<std::array<std::array<const Table*, kMaxCows + 1>, kMaxCows + 1>, kMetrics> plain_{};
  std::map<std::pair<Metric, Sector>, Table> tables_;  ///< a map, for its stable addresses
  std::uint64_t lines_given_ = 0;                      ///< at most BlockCache::kMostLines
  mutable BlockCache cache_;
};

}  // namespace mtb
