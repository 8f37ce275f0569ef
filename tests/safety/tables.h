// Sound tables to be damaged: the shipped ones, and the same values in the other coding.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "format/layout.h"
#include "format/table.h"
#include "format/table_writer.h"
#include "game/turns.h"
#include "probe/tablebase.h"
#include "tests/rules_named.h"
#include "tests/shipped_tables.h"
#include "tests/temporary_folder.h"

namespace mtb::safety {

namespace fs = std::filesystem;
using Bytes = std::string;

/// Bytes of files, by name.
using Files = std::map<std::string, Bytes>;

/// What must succeed in the other process too, where tests have no assertions.
inline void demand(bool succeeded) {
  if (!succeeded) std::abort();
}

inline Bytes bytes_of(const fs::path& path) { return tests::read_file(path); }

/// Writes bytes at a place of a file that is there.
inline void put_bytes(const fs::path& path, std::size_t at, std::string_view bytes) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  demand(file != -1);
  demand(::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(at)) ==
         static_cast<ssize_t>(bytes.size()));
  demand(::close(file) == 0);
}

/// Gives the file these bytes in place; it is the same file for those who have it open.
inline void overwrite(const fs::path& path, std::string_view bytes) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  demand(file != -1);
  demand(::close(file) == 0);
  put_bytes(path, 0, bytes);
  demand(::truncate(path.c_str(), static_cast<off_t>(bytes.size())) == 0);
}

inline void write_all(const fs::path& folder, const Files& files) {
  for (const auto& [name, bytes] : files) overwrite(folder / name, bytes);
}

inline const std::vector<Sector>& small_sectors() {
  static const std::vector<Sector> sectors = {{3, 3}, {3, 4}, {4, 3}};
  return sectors;
}

/// The shipped tables of a rule set up to four against three: with modelled blocks.
inline Files shipped(std::string_view rules) {
  Files files;
  for (const Metric metric : kAllMetrics) {
    for (const Sector sector : small_sectors()) {
      const std::string name = table_file_name(sector, metric);
      const fs::path path = tests::shipped_tables(rules) / name;
      if (fs::exists(path)) files[name] = bytes_of(path);
    }
  }
  EXPECT_GE(files.size(), 6u) << "no shipped tables of " << rules;
  return files;
}

/// The same values in packed blocks.
inline Files with_packed_blocks(const Files& files) {
  const tests::TemporaryFolder folder;
  const ClassCache classes;
  Files result;
  for (const auto& [name, bytes] : files) {
    overwrite(folder / "from", bytes);
    const auto from = TableFile::open(folder / "from", classes);
    if (!from) {
      ADD_FAILURE() << from.error().message;
      continue;
    }
    TableSpec spec = spec_of(from->header());
    spec.generator = "a test";
    const auto written = write_table(
        spec,
        [&](Slot first, std::span<Code> codes) {
          demand(from->read_slots(first, codes).has_value());
        },
        folder / "to", classes);
    EXPECT_TRUE(written) << written.error().message;
    result[name] = bytes_of(folder / "to");
  }
  return result;
}

/// How tables are opened.
struct Opening {
  std::size_t cache_bytes = std::size_t{1} << 20;
  OpenFiles files = {};
};

inline Result<Tablebase> open_tables(const fs::path& folder, const RuleSet& rules,
                                     const Opening& opening = {}) {
  TablebaseOptions options;
  options.expected = rules;
  options.cache_bytes = opening.cache_bytes;
  options.files = opening.files;
  return Tablebase::open({&folder, 1}, options);
}

/// Where the parts of a table file lie (FORMAT.md, "File"), and its checksums made to fit again.
class FileMap {
 public:
  explicit FileMap(Bytes bytes) : bytes_(std::move(bytes)) {
    header_end_ = number(12, 4);
    index_at_ = header_end_ + number(256, 4);
    blocks_ = number(56, 8);
    block_slots_ = bytes_[44] == 1 ? 4096 : 65536;
    payload_ends_.push_back(index_at_ + kEntry * blocks_);
    for (std::uint64_t block = 0; block < blocks_; ++block) {
      const std::uint64_t stored = number(index_at_ + kEntry * block, 4);
      payload_ends_.push_back(payload_ends_.back() + (stored >> 31 != 0 ? 0 : stored));
    }
  }

  const Bytes& bytes() const { return bytes_; }
  std::size_t header_end() const { return header_end_; }
  std::size_t index_at() const { return index_at_; }
  std::uint64_t blocks() const { return blocks_; }
  std::uint64_t slots() const { return number(48, 8); }
  std::uint64_t first_slot(std::uint64_t block) const { return block * block_slots_; }
  std::uint64_t block_slots(std::uint64_t block) const {
    return std::min(block_slots_, slots() - first_slot(block));
  }
  std::size_t payload_at(std::uint64_t block) const { return payload_ends_[block]; }
  std::size_t payload_bytes(std::uint64_t block) const {
    return payload_ends_[block + 1] - payload_ends_[block];
  }
  /// The block whose payload a byte belongs to; nothing before the payloads.
  std::optional<std::uint64_t> block_at(std::size_t at) const {
    if (at < payload_ends_.front()) return std::nullopt;
    const auto end = std::upper_bound(payload_ends_.begin(), payload_ends_.end(), at);
    return static_cast<std::uint64_t>(end - payload_ends_.begin()) - 1;
  }

  std::uint64_t number(std::size_t at, std::size_t size) const {
    std::uint64_t value = 0;
    for (std::size_t i = size; i-- > 0;) {
      value = value << 8 | static_cast<unsigned char>(bytes_[at + i]);
    }
    return value;
  }
  void put(std::size_t at, std::size_t size, std::uint64_t value) {
    for (std::size_t i = 0; i < size; ++i) bytes_[at + i] = static_cast<char>(value >> (8 * i));
  }
  void reseal_header() {
    put(248, 8, 0);
    put(248, 8, layout::hash(std::as_bytes(std::span(bytes_)).first(header_end_)));
  }

 private:
  static constexpr std::size_t kEntry = 12;

  Bytes bytes_;
  std::size_t header_end_ = 0;
  std::size_t index_at_ = 0;
  std::uint64_t blocks_ = 0;
  std::uint64_t block_slots_ = 0;
  std::vector<std::size_t> payload_ends_;
};

/// Positions of tables that no rule decides, so that a table is read for them.
class Positions {
 public:
  explicit Positions(const RuleSet& rules) : rules_(rules) {}

  /// White to move, unless nothing in these slots is open.
  std::optional<Position> in_slots(Sector sector, Slot first, std::uint64_t count) {
    const SectorIndex index(sector, default_key(sector), classes_);
    for (int attempt = 0; attempt < 100; ++attempt) {
      const auto [mover, opponent] = index.placement(first + random_() % count);
      Position position;
      position.cows = {mover, opponent};
      if (verdict(rules_, position) == Verdict::open) return position;
    }
    return std::nullopt;
  }

  /// So many of a sector, by either side, with any counts of the clock.
  std::vector<Position> some(Sector sector, std::size_t count) {
    const SectorIndex index(sector, default_key(sector), classes_);
    std::vector<Position> result;
    while (result.size() < count) {
      std::optional<Position> position = in_slots(sector, 0, index.slots());
      if (!position) continue;
      if (clock_runs(rules_, sector) && random_() % 2 == 0) {
        position->clock = static_cast<std::uint16_t>(random_() % rules_.clock.plies);
      }
      result.push_back(random_() % 2 == 0 ? *position : colours_swapped(*position));
    }
    return result;
  }

  std::vector<Position> some_of_each(std::span<const Sector> sectors, std::size_t count) {
    std::vector<Position> result;
    for (const Sector sector : sectors) {
      for (const Position& position : some(sector, count)) result.push_back(position);
    }
    return result;
  }

 private:
  RuleSet rules_;
  ClassCache classes_;
  std::mt19937 random_{17};
};

}  // namespace mtb::safety
