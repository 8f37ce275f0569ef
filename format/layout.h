// How header and block index of a table file lie in bytes (FORMAT.md). For the reader and the
// writer of this folder only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "format/table.h"
#include "game/result.h"

namespace mtb::layout {

inline constexpr std::size_t kFixedBytes = 272;  ///< the header without the rule text
inline constexpr std::size_t kEntryBytes = 12;   ///< of the block index
/// Longest header that is looked at; the text of a rule set takes about 300 bytes.
inline constexpr std::size_t kMaxHeaderBytes = 8192;
inline constexpr std::size_t kMaxGeneratorBytes = 24;
inline constexpr std::size_t kMaxModelBytes = std::size_t{1} << 24;

/// XXH64.
std::uint64_t hash(std::span<const std::byte> bytes, std::uint64_t seed = 0);

/// XXH64 of codes as 16-bit little-endian words, and of such hashes as 64-bit ones.
std::uint64_t hash_codes(std::span<const Code> codes);
std::uint64_t hash_hashes(std::span<const std::uint64_t> hashes);

/// What is wrong with rules, sector, metric, clock use and generator of a table; empty when all is
/// well.
std::string contradiction_of_kind(const TableHeader& header);

/// What is wrong with counts, longest distances and packing, given a kind that is well; empty when
/// all is well.
std::string contradiction_of_values(const TableHeader& header);

/// The whole header: fixed part and rule text.
std::vector<std::byte> encode_header(const TableHeader& header, std::uint64_t index_checksum);

struct DecodedHeader {
  TableHeader header;
  std::uint64_t index_checksum = 0;
};

/// The size of the whole header, from its fixed part. Checks only what must be known before the
/// rest is read: magic, version, size. Errors: damaged, foreign, naming `path`.
Result<std::size_t> header_size(std::span<const std::byte> fixed_part,
                                const std::filesystem::path& path);

/// Reads a whole header and checks all that can be checked without the rest of the file.
/// Errors: damaged, foreign, naming `path`.
Result<DecodedHeader> decode_header(std::span<const std::byte> bytes,
                                    const std::filesystem::path& path);

/// Identifies rules, sector, metric, packing, coding and model; part of every block's checksum.
std::uint64_t table_id(std::span<const std::byte> header);

using EntryBytes = std::array<std::byte, kEntryBytes>;

EntryBytes encode_entry(const BlockEntry& entry);

/// All but the offset; nothing for bytes that encode_entry() does not make.
std::optional<BlockEntry> decode_entry(std::span<const std::byte, kEntryBytes> bytes);

/// The checksum that an entry must have: of its own other fields, its place, and the stored payload
/// (empty for a uniform block).
std::uint64_t entry_checksum(const BlockEntry& entry, std::uint64_t table_id, std::uint64_t block,
                             std::span<const std::byte> stored);

/// Largest number of bytes in which a packed payload of a given size may be stored.
std::size_t largest_stored(std::size_t payload_bytes);

/// "PATH is damaged: WHAT; get or generate it again".
tl::unexpected<Error> damaged(const std::filesystem::path& path, const std::string& what);

/// Whether `stored` is exactly one Zstandard frame that holds exactly as many bytes as `content`,
/// which then has them. Never writes past `content`.
bool decompress(std::span<const std::byte> stored, std::span<std::byte> content);

}  // namespace mtb::layout
