#include "format/layout.h"

#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zstd.h>

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstring>

#include "game/text.h"

namespace mtb::layout {
namespace {

constexpr std::array<unsigned char, 8> kMagic = {0x8A, 'M', 'T', 'B', 0x0D, 0x0A, 0x1A, 0x0A};

// Offsets in the fixed part.
constexpr std::size_t kVersionAt = 8;
constexpr std::size_t kHeaderBytesAt = 12;
constexpr std::size_t kFileBytesAt = 16;
constexpr std::size_t kFingerprintAt = 24;
constexpr std::size_t kTextBytesAt = 32;
constexpr std::size_t kSectorAt = 36;
constexpr std::size_t kMetricAt = 40;
constexpr std::size_t kKeyAt = 41;
constexpr std::size_t kPackingAt = 42;
constexpr std::size_t kClockAt = 43;
constexpr std::size_t kCodingAt = 44;
constexpr std::size_t kSlotsAt = 48;
constexpr std::size_t kBlocksAt = 56;
constexpr std::size_t kCountsAt = 64;
constexpr std::size_t kLongestWinAt = 104;
constexpr std::size_t kLongestLossAt = 108;
constexpr std::size_t kContentHashAt = 112;
constexpr std::size_t kIndexChecksumAt = 120;
constexpr std::size_t kCanariesAt = 128;
constexpr std::size_t kCanaryBytes = 24;
constexpr std::size_t kGeneratorAt = 224;
constexpr std::size_t kHeaderChecksumAt = 248;
constexpr std::size_t kModelBytesAt = 256;
constexpr std::size_t kClockBoundAt = 260;
constexpr std::size_t kModelChecksumAt = 264;

/// In the first number of an entry: the rest is the code of a uniform block, not a size.
constexpr std::uint32_t kUniform = std::uint32_t{1} << 31;

template <std::unsigned_integral T>
T load(std::span<const std::byte> bytes, std::size_t at) {
  T value = 0;
  for (std::size_t i = sizeof(T); i-- > 0;) {
    value = static_cast<T>(value << 8 | std::to_integer<T>(bytes[at + i]));
  }
  return value;
}

template <std::unsigned_integral T>
void store(std::span<std::byte> bytes, std::size_t at, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    bytes[at + i] = static_cast<std::byte>(value >> (8 * i) & 0xFF);
  }
}

/// XXH64 of numbers as little-endian bytes.
template <std::unsigned_integral T>
std::uint64_t hash_numbers(std::span<const T> numbers) {
  if constexpr (std::endian::native == std::endian::little) {
    return hash(std::as_bytes(numbers));
  } else {
    std::vector<std::byte> bytes(numbers.size_bytes());
    for (std::size_t i = 0; i < numbers.size(); ++i) store(bytes, i * sizeof(T), numbers[i]);
    return hash(bytes);
  }
}

bool all_zero(std::span<const std::byte> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
}

std::size_t padded(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

std::uint64_t count(const TableHeader& header, Outcome outcome) {
  return header.counts[static_cast<std::size_t>(outcome)];
}

/// The header's checksum: of all its bytes, the checksum itself taken as zero.
std::uint64_t header_checksum(std::span<const std::byte> bytes) {
  constexpr std::size_t kEnd = kHeaderChecksumAt + sizeof(std::uint64_t);
  std::vector<std::byte> copy(kEnd);
  std::memcpy(copy.data(), bytes.data(), kHeaderChecksumAt);
  copy.insert(copy.end(), bytes.begin() + kEnd, bytes.end());
  return hash(copy);
}

bool is_printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

}  // namespace

std::uint64_t hash(std::span<const std::byte> bytes, std::uint64_t seed) {
  return XXH64(bytes.data(), bytes.size(), seed);
}

std::uint64_t hash_codes(std::span<const Code> codes) { return hash_numbers(codes); }

std::uint64_t hash_hashes(std::span<const std::uint64_t> hashes) { return hash_numbers(hashes); }

std::string contradiction_of_kind(const TableHeader& header) {
  const Sector s = header.sector;
  const int cows = std::min<int>(header.rules.cows, kMaxCows);
  if (s.mover + s.mover_hand > cows || s.opponent + s.opponent_hand > cows) {
    return "sector " + to_string(s) + " has more cows than the rules";
  }
  if ((header.clock == ClockUse::none) != (header.rules.clock.plies == 0)) {
    return "the use of the clock contradicts the rules";
  }
  if (header.metric == Metric::dtw && header.clock == ClockUse::applied) {
    return "distances to win do not look at a clock";
  }
  if (header.metric == Metric::dtc && header.clock == ClockUse::ignored) {
    return "distances to the next shot without the clock are those of other rules";
  }
  const bool bounded = header.metric == Metric::dtc && header.clock == ClockUse::applied;
  if (bounded ? header.clock_bound < 1 || header.clock_bound > dtc_code::kMaxPlies
              : header.clock_bound != 0) {
    return "the bound of the clock contradicts the use of the clock";
  }
  if (header.generator.size() > kMaxGeneratorBytes || !is_printable(header.generator)) {
    return "the generator's name is longer than 24 bytes or unprintable";
  }
  return {};
}

/// Whether the longest distances are possible, given the counts.
bool longest_distances_fit(const TableHeader& header) {
  const std::uint64_t wins = count(header, Outcome::win);
  const std::uint64_t losses = count(header, Outcome::loss);
  const std::uint64_t late_wins = count(header, Outcome::clock_win);
  const std::uint64_t late_losses = count(header, Outcome::clock_loss);
  const bool won = wins + late_wins != 0;
  const bool lost = losses + late_losses != 0;
  if (won != (header.longest_win != 0) || (!lost && header.longest_loss != 0)) return false;
  if (header.metric == Metric::dtw) {
    return header.longest_win % 2 == (won ? 1 : 0) && header.longest_loss % 2 == 0 &&
           header.longest_win <= dtw_code::plies(0xFFFF) &&
           header.longest_loss <= dtw_code::plies(0xFFFF);
  }
  if (header.longest_win > dtc_code::kMaxPlies || header.longest_loss > dtc_code::kMaxPlies) {
    return false;
  }
  return header.clock != ClockUse::applied ||
         ((header.longest_win > header.clock_bound) == (late_wins != 0) &&
          (header.longest_loss > header.clock_bound) == (late_losses != 0));
}

std::string contradiction_of_values(const TableHeader& header) {
  const Sector s = header.sector;
  const std::uint64_t placements =
      std::uint64_t{binomial(kPointCount, s.mover)} * binomial(kPointCount - s.mover, s.opponent);
  // No sum of counts that are each within bounds can wrap around.
  std::uint64_t sum = 0;
  for (const std::uint64_t n : header.counts) {
    if (n > placements) return "a count exceeds the placements of the sector";
    sum += n;
  }
  if (sum != placements) return "the counts do not add up to the placements of the sector";

  const std::uint64_t clock_counts =
      count(header, Outcome::clock_win) + count(header, Outcome::clock_loss);
  if (header.clock != ClockUse::applied && clock_counts != 0) {
    return "there are outcomes by a clock that is not applied";
  }

  if (header.metric == Metric::wdl) {
    if (header.longest_win != kDistanceNotStored || header.longest_loss != kDistanceNotStored) {
      return "outcomes alone have no distances";
    }
  } else if (!longest_distances_fit(header)) {
    return "the longest distances contradict the counts";
  }
  if (header.packing != packing_for(header.metric, header.largest_code())) {
    return "the packing is not that of the values";
  }
  return {};
}

std::vector<std::byte> encode_header(const TableHeader& header, std::uint64_t index_checksum) {
  const std::string text = canonical_text(header.rules);
  std::vector<std::byte> bytes(kFixedBytes + padded(text.size()));
  const auto put_byte = [&](std::size_t at, auto value) {
    bytes[at] = static_cast<std::byte>(value);
  };
  std::memcpy(bytes.data(), kMagic.data(), kMagic.size());
  store<std::uint32_t>(bytes, kVersionAt, kFormatVersion);
  store(bytes, kHeaderBytesAt, static_cast<std::uint32_t>(bytes.size()));
  store(bytes, kFileBytesAt, header.file_bytes);
  store(bytes, kFingerprintAt, header.fingerprint);
  store(bytes, kTextBytesAt, static_cast<std::uint32_t>(text.size()));
  put_byte(kSectorAt, header.sector.mover);
  put_byte(kSectorAt + 1, header.sector.opponent);
  put_byte(kSectorAt + 2, header.sector.mover_hand);
  put_byte(kSectorAt + 3, header.sector.opponent_hand);
  put_byte(kMetricAt, header.metric);
  put_byte(kKeyAt, header.key);
  put_byte(kPackingAt, header.packing);
  put_byte(kClockAt, header.clock);
  put_byte(kCodingAt, header.coding);
  store(bytes, kSlotsAt, header.slots);
  store(bytes, kBlocksAt, header.blocks);
  for (std::size_t i = 0; i < kOutcomeCount; ++i) {
    store(bytes, kCountsAt + 8 * i, header.counts[i]);
  }
  store(bytes, kLongestWinAt, header.longest_win);
  store(bytes, kLongestLossAt, header.longest_loss);
  store(bytes, kContentHashAt, header.content_hash);
  store(bytes, kIndexChecksumAt, index_checksum);
  for (std::size_t i = 0; i < header.canaries.size(); ++i) {
    const Canary& canary = header.canaries[i];
    const std::size_t at = kCanariesAt + kCanaryBytes * i;
    store(bytes, at, canary.mover);
    store(bytes, at + 4, canary.opponent);
    store(bytes, at + 8, canary.slot);
    store(bytes, at + 16, canary.code);
  }
  store(bytes, kModelBytesAt, header.model_bytes);
  store(bytes, kClockBoundAt, header.clock_bound);
  store(bytes, kModelChecksumAt, header.model_checksum);
  std::memcpy(bytes.data() + kGeneratorAt, header.generator.data(), header.generator.size());
  std::memcpy(bytes.data() + kFixedBytes, text.data(), text.size());
  store(bytes, kHeaderChecksumAt, header_checksum(bytes));
  return bytes;
}

Result<std::size_t> header_size(std::span<const std::byte> fixed_part,
                                const std::filesystem::path& path) {
  if (std::memcmp(fixed_part.data(), kMagic.data(), kMagic.size()) != 0) {
    return fail(Fault::damaged, path.string() + " is not a table file; check the path");
  }
  const auto version = load<std::uint32_t>(fixed_part, kVersionAt);
  if (version != kFormatVersion) {
    return fail(Fault::foreign, path.string() + " has format version " + std::to_string(version) +
                                    ", this program reads " + std::to_string(kFormatVersion) +
                                    (version > kFormatVersion
                                         ? "; use a newer version of the program"
                                         : "; use an older version of the program, or generate "
                                           "the table again"));
  }
  const std::size_t size = load<std::uint32_t>(fixed_part, kHeaderBytesAt);
  if (size < kFixedBytes || size > kMaxHeaderBytes || size % 8 != 0) {
    return damaged(path, "its header cannot have " + std::to_string(size) + " bytes");
  }
  return size;
}

Result<DecodedHeader> decode_header(std::span<const std::byte> bytes,
                                    const std::filesystem::path& path) {
  if (load<std::uint64_t>(bytes, kHeaderChecksumAt) != header_checksum(bytes)) {
    return damaged(path, "its header fails the checksum");
  }
  DecodedHeader decoded;
  TableHeader& header = decoded.header;
  header.file_bytes = load<std::uint64_t>(bytes, kFileBytesAt);
  header.fingerprint = load<std::uint64_t>(bytes, kFingerprintAt);
  header.sector = {load<std::uint8_t>(bytes, kSectorAt), load<std::uint8_t>(bytes, kSectorAt + 1),
                   load<std::uint8_t>(bytes, kSectorAt + 2),
                   load<std::uint8_t>(bytes, kSectorAt + 3)};
  header.slots = load<std::uint64_t>(bytes, kSlotsAt);
  header.blocks = load<std::uint64_t>(bytes, kBlocksAt);
  for (std::size_t i = 0; i < kOutcomeCount; ++i) {
    header.counts[i] = load<std::uint64_t>(bytes, kCountsAt + 8 * i);
  }
  header.longest_win = load<std::uint32_t>(bytes, kLongestWinAt);
  header.longest_loss = load<std::uint32_t>(bytes, kLongestLossAt);
  header.content_hash = load<std::uint64_t>(bytes, kContentHashAt);
  decoded.index_checksum = load<std::uint64_t>(bytes, kIndexChecksumAt);

  const std::size_t text_bytes = load<std::uint32_t>(bytes, kTextBytesAt);
  if (text_bytes > bytes.size() || bytes.size() != kFixedBytes + padded(text_bytes) ||
      !all_zero(bytes.subspan(kFixedBytes + text_bytes))) {
    return damaged(path, "its header does not end where the rules end");
  }
  const auto text_part = bytes.subspan(kFixedBytes, text_bytes);
  if (hash(text_part) != header.fingerprint) {
    return damaged(path, "the text of its rules does not have their fingerprint");
  }
  const std::string text(reinterpret_cast<const char*>(text_part.data()), text_part.size());
  const std::optional<RuleSet> rules = read_canonical_text(text);
  if (!rules) {
    return fail(Fault::foreign, path.string() +
                                    " has rules that this version does not know; use the program "
                                    "that wrote it, or generate it again");
  }
  header.rules = *rules;

  const auto metric = load<std::uint8_t>(bytes, kMetricAt);
  const auto key = load<std::uint8_t>(bytes, kKeyAt);
  const auto packing = load<std::uint8_t>(bytes, kPackingAt);
  const auto clock = load<std::uint8_t>(bytes, kClockAt);
  const auto coding = load<std::uint8_t>(bytes, kCodingAt);
  if (metric > static_cast<int>(Metric::dtc) || key > static_cast<int>(KeySide::opponent) ||
      packing < static_cast<int>(Packing::base3) || packing > static_cast<int>(Packing::word) ||
      clock > static_cast<int>(ClockUse::applied) || coding > static_cast<int>(Coding::modelled)) {
    return damaged(path,
                   "its header names an unknown metric, key, packing, use of the clock or coding");
  }
  header.metric = static_cast<Metric>(metric);
  header.key = static_cast<KeySide>(key);
  header.packing = static_cast<Packing>(packing);
  header.clock = static_cast<ClockUse>(clock);
  header.coding = static_cast<Coding>(coding);
  header.model_bytes = load<std::uint32_t>(bytes, kModelBytesAt);
  header.model_checksum = load<std::uint64_t>(bytes, kModelChecksumAt);
  header.clock_bound = load<std::uint32_t>(bytes, kClockBoundAt);
  if (!all_zero(bytes.subspan(kCodingAt + 1, 3))) {
    return damaged(path, "a reserved byte of its header is not zero");
  }
  if (header.coding == Coding::modelled
          ? header.model_bytes == 0 || header.model_bytes > kMaxModelBytes ||
                header.packing == Packing::base5
          : header.model_bytes != 0 || header.model_checksum != 0) {
    return damaged(path, "its coding does not fit its packing or its model");
  }

  for (std::size_t i = 0; i < header.canaries.size(); ++i) {
    const std::size_t at = kCanariesAt + kCanaryBytes * i;
    header.canaries[i] = {load<std::uint32_t>(bytes, at), load<std::uint32_t>(bytes, at + 4),
                          load<std::uint64_t>(bytes, at + 8), load<std::uint16_t>(bytes, at + 16)};
    if (!all_zero(bytes.subspan(at + 18, kCanaryBytes - 18))) {
      return damaged(path, "a reserved byte of its header is not zero");
    }
  }

  const auto generator = bytes.subspan(kGeneratorAt, kMaxGeneratorBytes);
  const auto end = std::find(generator.begin(), generator.end(), std::byte{0});
  const auto length = static_cast<std::size_t>(end - generator.begin());
  if (!all_zero(generator.subspan(length))) {
    return damaged(path, "a reserved byte of its header is not zero");
  }
  header.generator.assign(reinterpret_cast<const char*>(generator.data()), length);

  std::string contradiction = contradiction_of_kind(header);
  if (contradiction.empty()) contradiction = contradiction_of_values(header);
  if (!contradiction.empty()) return damaged(path, contradiction);
  return decoded;
}

std::uint64_t table_id(std::span<const std::byte> header) {
  return hash(header.subspan(kFingerprintAt, kCountsAt - kFingerprintAt),
              load<std::uint64_t>(header, kModelChecksumAt));
}

EntryBytes encode_entry(const BlockEntry& entry) {
  EntryBytes bytes{};
  store(bytes, 0, entry.bytes == 0 ? kUniform + entry.uniform : entry.bytes);
  store(bytes, 4, entry.checksum);
  return bytes;
}

std::optional<BlockEntry> decode_entry(std::span<const std::byte, kEntryBytes> bytes) {
  BlockEntry entry;
  const auto number = load<std::uint32_t>(bytes, 0);
  if (number == 0 || number > kUniform + 0xFFFF) return std::nullopt;
  if (number < kUniform) {
    entry.bytes = number;
  } else {
    entry.uniform = static_cast<Code>(number - kUniform);
  }
  entry.checksum = load<std::uint64_t>(bytes, 4);
  return entry;
}

std::uint64_t entry_checksum(const BlockEntry& entry, std::uint64_t table_id, std::uint64_t block,
                             std::span<const std::byte> stored) {
  const EntryBytes bytes = encode_entry(entry);
  return hash(stored, hash(std::span(bytes).first(4), table_id + block));
}

std::size_t largest_stored(std::size_t payload_bytes) {
  constexpr std::size_t kSmall = 131072;
  return payload_bytes + payload_bytes / 256 +
         (payload_bytes < kSmall ? (kSmall - payload_bytes) / 2048 : 0);
}

tl::unexpected<Error> damaged(const std::filesystem::path& path, const std::string& what) {
  return fail(Fault::damaged,
              path.string() + " is damaged: " + what + "; get or generate it again");
}

bool decompress(std::span<const std::byte> stored, std::span<std::byte> content) {
  return ZSTD_getFrameContentSize(stored.data(), stored.size()) == content.size() &&
         ZSTD_findFrameCompressedSize(stored.data(), stored.size()) == stored.size() &&
         ZSTD_decompress(content.data(), content.size(), stored.data(), stored.size()) ==
             content.size();
}

}  // namespace mtb::layout
