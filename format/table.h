// The table file: header, block index, blocks (FORMAT.md is the specification). Reading.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
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

/// Slots in each block but the last: a power of two, whose logarithm divides quicker.
constexpr int block_shift(Coding coding) { return coding == Coding::modelled ? 12 : 16; }
constexpr std::uint32_t block_slots(Coding coding) { return 1u << block_shift(coding); }
static_assert(block_slots(Coding::packed) == kBlockSlots);

/// A position of the table with its slot and code: a reader whose index or unpacking differs from
/// the writer's finds out at once.
struct Canary {
  std::uint32_t mover = 0;
  std::uint32_t opponent = 0;
  Slot slot = 0;
  Code code = 0;
  bool operator==(const Canary&) const = default;
};

/// Where a block lies in the file, and what it must be.
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

/// The metric of the table that a file is by the ending of its name; nothing for another ending.
std::optional<Metric> metric_of_ending(const std::filesystem::path& path);

/// One table file, open. Immutable after open(), safe for concurrent use.
class TableFile {
 public:
  TableFile(TableFile&&) noexcept;
  TableFile& operator=(TableFile&&) noexcept;
  ~TableFile();

  /// Reads and checks header and block index: magic, version, checksums, sizes, agreement of all
  /// fields, rule text against fingerprint, canaries' slots against this program's index.
  /// Errors: not_found, damaged, foreign (other format version), out_of_memory, too_many_files,
  /// system.
  static Result<TableFile> open(const std::filesystem::path& path, const ClassCache& cache);

  /// The same in two steps. This one is quick, and checks the header alone.
  static Result<TableFile> open_header(std::unique_ptr<const FileBytes> file,
                                       const ClassCache& cache);
  /// The second step: checks the block index and the canaries; does nothing when it was done. What
  /// was read and is damaged stays so until the table is opened again; what could not be read, or
  /// ended early, is read again the next time. All that reads takes this step by itself, and may
  /// fail with its errors, those of open(); index() needs it done.
  Result<void> prepare() const;
  bool is_prepared() const { return late_->ready.load(std::memory_order_acquire) != nullptr; }

  const TableHeader& header() const { return header_; }
  const std::filesystem::path& path() const { return file_->path(); }
  const SectorIndex& index() const { return parts().index; }

  /// The block that holds a slot, and the slot's place in it.
  std::uint64_t block_of(Slot slot) const { return slot >> block_shift(header_.coding); }
  std::size_t place_of(Slot slot) const { return slot % mtb::block_slots(header_.coding); }

  /// Number of slots in a block.
  std::size_t block_slots(std::uint64_t block) const;

  /// Reads, checks and decodes one block into its packed payload (format/packing.h), however it is
  /// stored. Errors: damaged (naming file and block), system.
  Result<std::vector<std::byte>> read_block(std::uint64_t block) const;

  /// The codes of one block. codes.size() == block_slots(block). Errors as read_block().
  Result<void> read_codes(std::uint64_t block, std::span<Code> codes) const;

  /// Tells the system that a block will be read soon. Does not wait for the block; cannot fail.
  void announce_block(std::uint64_t block) const;

  /// Reads one block and checks its checksum, without decoding it: every byte of the file is
  /// the one that was written when open() and this succeed. Errors as read_block().
  Result<void> check_block(std::uint64_t block) const;

  /// The codes of slots first, first + 1, ... Decodes whole blocks, so ask for many at once.
  /// Errors as read_block().
  Result<void> read_slots(Slot first, std::span<Code> codes) const;

  /// Reads everything and checks it against the header: every block, counts, longest distances,
  /// content hash, canaries; prepares the table first. Errors: as open().
  Result<void> verify() const;

 private:
  struct Odds;

  /// What the second step of opening makes.
  struct Parts {
    SectorIndex index;
    /// Where every 32nd block lies. The sizes of those between are read with the block: kept for
    /// all blocks of all tables they would take a hundred megabytes.
    std::vector<std::uint64_t> offsets;
    std::unique_ptr<Odds> odds;  ///< of a modelled table: what its blocks are decoded with
  };
  /// What it needs of the file, as it lies there.
  struct StoredParts {
    std::vector<std::byte> model;  ///< of a modelled table
    std::vector<std::byte> entries;
  };
  struct Late {
    ClassCache cache;
    std::mutex mutex;  // guards the making of `parts`, and `damage`
    std::optional<Parts> parts;
    std::optional<Error> damage;
    std::atomic<const Parts*> ready{nullptr};
  };

  TableFile(std::unique_ptr<const FileBytes> file, TableHeader header, std::uint64_t header_bytes,
            std::uint64_t index_checksum, std::uint64_t id, const ClassCache& cache);

  const Parts& parts() const { return *late_->ready.load(std::memory_order_acquire); }
  Result<SectorIndex> make_index() const;
  Result<StoredParts> read_stored_parts() const;
  Result<Parts> make_parts(SectorIndex index, const StoredParts& stored) const;
  /// Where the block index begins in the file.
  std::uint64_t entries_at() const { return header_bytes_ + header_.model_bytes; }
  Result<BlockEntry> entry(std::uint64_t block) const;
  /// The stored bytes of a block that is not uniform, checked.
  Result<std::vector<std::byte>> read_stored(std::uint64_t block, const BlockEntry& entry) const;
  Result<void> read_modelled(std::uint64_t block, const BlockEntry& entry,
                             std::span<Code> codes) const;

  std::unique_ptr<const FileBytes> file_;
  TableHeader header_;
  std::uint64_t header_bytes_;
  std::uint64_t index_checksum_;
  std::uint64_t id_;  ///< enters the checksum of every block
  std::unique_ptr<Late> late_;
};

}  // namespace mtb
