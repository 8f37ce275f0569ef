// The table file: header, block index, blocks (FORMAT.md is the specification). Reading.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "format/file.h"
#include "format/index.h"
#include "format/packing.h"
#include "format/values.h"
#include "game/outcome.h"
#include "game/result.h"
#include "game/rule_set.h"

namespace mtb {

inline constexpr std::uint32_t kFormatVersion = 2;
/// Slots in a block of a packed table, and in the parts over which content hashes are taken.
inline constexpr std::uint32_t kBlockSlots = 65536;
inline constexpr std::uint32_t kDistanceNotStored = 0xFFFFFFFF;

/// What a table's values say about the rule set's draw clock.
enum class ClockUse : std::uint8_t {
  none,     ///< the rule set has no clock
  ignored,  ///< it has one, and the values are those without it
  applied,  ///< they are those with it
};

/// How the codes of a block are stored.
enum class Coding : std::uint8_t {
  packed,    ///< packed and compressed with zstd: quick to write and to read
  modelled,  ///< with odds that depend on the values around: small, in blocks of 4096 slots
};

/// Slots in each block but the last.
std::uint32_t block_slots(Coding coding);

/// A position of the table with its slot and code: a reader whose index or unpacking differs from
/// the writer's finds out at once.
struct Canary {
  std::uint32_t mover = 0;
  std::uint32_t opponent = 0;
  Slot slot = 0;
  Code code = 0;
  bool operator==(const Canary&) const = default;
};

/// Where a block lies in the file.
struct BlockEntry {
  std::uint64_t offset = 0;  ///< of the stored payload; follows from the entries before
  std::uint32_t bytes = 0;   ///< of the stored payload; 0 for a uniform block, which has none
  Code uniform = 0;          ///< the one code of a uniform block
  std::uint64_t checksum = 0;
};

struct TableHeader {
  RuleSet rules;
  std::uint64_t fingerprint = 0;
  Sector sector;
  Metric metric = Metric::wdl;
  KeySide key = KeySide::mover;
  Packing packing = Packing::byte;
  ClockUse clock = ClockUse::none;
  Coding coding = Coding::packed;
  std::uint64_t slots = 0;
  std::uint64_t blocks = 0;
  /// Placements of each outcome, symmetric ones counted each.
  std::array<std::uint64_t, kOutcomeCount> counts{};
  /// Plies; 0 when there is none. Of dtc tables, clock wins and clock losses are included.
  std::uint32_t longest_win = kDistanceNotStored;
  std::uint32_t longest_loss = kDistanceNotStored;
  /// Of dtc tables with the clock applied; otherwise 0.
  std::uint32_t clock_bound = 0;
  std::uint64_t content_hash = 0;  ///< of the values alone, whatever packing and compression
  std::array<Canary, 4> canaries{};
  std::string generator;             ///< name and version of the program that wrote it
  std::uint32_t model_bytes = 0;     ///< of a modelled table
  std::uint64_t model_checksum = 0;  ///< of a modelled table
  std::uint64_t file_bytes = 0;

  CodeMeaning meaning() const { return {metric, clock_bound}; }
  /// The largest code that occurs; of wdl tables, the largest that may.
  Code largest_code() const;
};

/// `5v4.dtw`: the file name of a table in its folder.
std::string table_file_name(Sector sector, Metric metric);

/// One table file, open. Immutable after open(), safe for concurrent use.
class TableFile {
 public:
  /// Reads and checks header and block index: magic, version, checksums, sizes, agreement of all
  /// fields, rule text against fingerprint, canaries' slots against this program's index.
  /// Errors: not_found, damaged, foreign (other format version), system.
  static Result<TableFile> open(const std::filesystem::path& path, const ClassCache& cache);

  const TableHeader& header() const { return header_; }
  const std::filesystem::path& path() const { return file_.path(); }
  const SectorIndex& index() const { return index_; }

  /// The block that holds a slot, and the slot's place in it.
  std::uint64_t block_of(Slot slot) const { return slot / mtb::block_slots(header_.coding); }
  std::size_t place_of(Slot slot) const { return slot % mtb::block_slots(header_.coding); }

  /// Number of slots in a block.
  std::size_t block_slots(std::uint64_t block) const;

  /// Reads, checks and decodes one block into its packed payload (format/packing.h), however it is
  /// stored. Errors: damaged (naming file and block), system.
  Result<std::vector<std::byte>> read_block(std::uint64_t block) const;

  /// The codes of one block. codes.size() == block_slots(block). Errors as read_block().
  Result<void> read_codes(std::uint64_t block, std::span<Code> codes) const;

  /// Reads one block and checks its checksum, without decoding it: every byte of the file is
  /// the one that was written when open() and this succeed. Errors as read_block().
  Result<void> check_block(std::uint64_t block) const;

  /// The codes of slots first, first + 1, ... Decodes whole blocks, so ask for many at once.
  /// Errors as read_block().
  Result<void> read_slots(Slot first, std::span<Code> codes) const;

  /// Reads everything and checks it against the header: every block, counts, longest distances,
  /// content hash, canaries. Errors: damaged, system.
  Result<void> verify() const;

 private:
  struct Odds;

  TableFile(ReadFile file, TableHeader header, SectorIndex index, std::uint64_t id,
            std::vector<BlockEntry> blocks, std::shared_ptr<Odds> odds);

  /// The stored bytes of a block that is not uniform, checked.
  Result<std::vector<std::byte>> read_stored(std::uint64_t block) const;
  Result<void> read_modelled(std::uint64_t block, std::span<Code> codes) const;

  ReadFile file_;
  TableHeader header_;
  SectorIndex index_;
  std::uint64_t id_;  ///< enters the checksum of every block
  std::vector<BlockEntry> blocks_;
  std::shared_ptr<Odds> odds_;  ///< what modelled blocks are decoded with; made for the first one
};

}  // namespace mtb
