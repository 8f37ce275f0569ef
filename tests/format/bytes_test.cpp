// The bytes of table files stay what they are. What zstd makes of a payload may change with its
// version; everything else may change on purpose only.
//
// The files in golden/ hold made-up values, one for each packing and coding. They were written by
// an earlier build: this one must read them, and write the same again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "format/table_writer.h"
#include "tests/format/samples.h"
#include "tests/rules_named.h"
#include "tests/shipped_tables.h"

namespace mtb {
namespace {

namespace fs = std::filesystem;

using samples::Bytes;
using samples::read_bytes;
using samples::TemporaryFolder;

/// What FORMAT.md calls numbers, at any offset.
std::uint64_t number_at(std::span<const char> bytes, std::size_t offset, std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t i = size; i-- > 0;) {
    number = number << 8 | static_cast<unsigned char>(bytes[offset + i]);
  }
  return number;
}

/// What one Zstandard frame holds.
Bytes unzipped(std::span<const char> frame) {
  const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  EXPECT_LE(size, 1u << 24) << "the frame states its content size";
  if (size > 1u << 24) return {};
  Bytes content(size);
  EXPECT_EQ(ZSTD_decompress(content.data(), size, frame.data(), frame.size()), size);
  return content;
}

/// A part of a file: where it is, for a person, and its bytes.
struct Part {
  std::string name;
  Bytes bytes;
};

/// All of a table file that depends neither on zstd's version nor on the name of the program that
/// wrote it, laid out by FORMAT.md.
std::vector<Part> lasting_parts(const fs::path& path) {
  const Bytes file = read_bytes(path);
  const auto bytes = std::span(file);
  Bytes header(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(number_at(bytes, 12, 4)));
  // Bytes of the file, of the index's hash, the program, the header's hash, the model's two.
  for (const auto& [offset, size] :
       {std::pair(16, 8), {120, 8}, {224, 24}, {248, 8}, {256, 4}, {264, 8}}) {
    std::fill_n(header.begin() + offset, size, '\0');
  }
  std::vector<Part> parts = {{"the header", header}};
  const std::uint64_t model_bytes = number_at(bytes, 256, 4);
  const bool modelled = number_at(bytes, 44, 1) == 1;
  if (modelled) parts.push_back({"the model", unzipped(bytes.subspan(header.size(), model_bytes))});
  const std::uint64_t blocks = number_at(bytes, 56, 8);
  std::uint64_t entry = header.size() + model_bytes;
  std::uint64_t payload = entry + 12 * blocks;
  for (std::uint64_t block = 0; block < blocks; ++block, entry += 12) {
    const std::string name = "block " + std::to_string(block);
    const std::uint64_t stored = number_at(bytes, entry, 4);
    if (stored >= std::uint64_t{1} << 31) {
      parts.push_back({name, {'u', 'n', 'i', 'f', 'o', 'r', 'm', file[entry], file[entry + 1]}});
      continue;
    }
    const auto frame = bytes.subspan(payload, stored);
    parts.push_back({name, modelled ? Bytes(frame.begin(), frame.end()) : unzipped(frame)});
    payload += stored;
  }
  EXPECT_EQ(payload, file.size());
  return parts;
}

/// Which part of two files is not alike; empty when all are.
std::string difference(const fs::path& a, const fs::path& b) {
  const std::vector<Part> first = lasting_parts(a);
  const std::vector<Part> second = lasting_parts(b);
  for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
    const Bytes& left = first[i].bytes;
    const Bytes& right = second[i].bytes;
    if (left == right) continue;
    const auto at = std::ranges::mismatch(left, right).in1 - left.begin();
    return first[i].name + " at byte " + std::to_string(at);
  }
  return first.size() == second.size() ? "" : "the number of blocks";
}

struct Golden {
  const char* file;  ///< in golden/
  TableSpec spec;
  friend void PrintTo(const Golden& golden, std::ostream* out) { *out << golden.file; }
};

/// Values that are never to change: runs of 512 slots, the second 65536 of them alike.
constexpr Code golden_code(Slot slot, Code largest) {
  if (slot == 0) return largest;
  if (slot / kBlockSlots == 1) return 2;
  const std::uint64_t x = (slot / 512 + 1) * 0x9E3779B97F4A7C15;
  return static_cast<Code>((x >> 40) % (largest + 1u));
}

TableSpec golden_spec(const char* rules, Sector sector, Metric metric, Code largest,
                      Compression compression) {
  TableSpec spec = samples::spec(sector, metric, largest);
  spec.rules = tests::rules_named(rules);
  spec.compression = compression;
  if (metric == Metric::dtw && spec.rules.clock.plies != 0) spec.clock = ClockUse::ignored;
  if (metric != Metric::dtw && spec.rules.clock.plies != 0) spec.clock = ClockUse::applied;
  if (metric == Metric::dtc) spec.clock_bound = spec.rules.clock.plies;
  return spec;
}

std::vector<Golden> goldens() {
  constexpr Compression kPacked = Compression::fast;
  constexpr Compression kModelled = Compression::small;
  return {{"packed-1.wdl", golden_spec("malom", {3, 3}, Metric::wdl, 2, kPacked)},
          {"packed-2.wdl", golden_spec("tournament", {3, 3}, Metric::wdl, 4, kPacked)},
          {"packed-3.dtw", golden_spec("gar", {3, 3}, Metric::dtw, 60, kPacked)},
          {"packed-4.dtc", golden_spec("sanmill", {2, 3, 1, 2}, Metric::dtc, 300, kPacked)},
          {"modelled.wdl", golden_spec("nine-mens-morris", {3, 3}, Metric::wdl, 2, kModelled)},
          {"modelled.dtw", golden_spec("koti", {2, 3, 1, 2}, Metric::dtw, 60, kModelled)},
          {"modelled.dtc", golden_spec("iggamecenter", {3, 2, 2, 1}, Metric::dtc, 300, kModelled)}};
}

class GoldenFile : public ::testing::TestWithParam<Golden> {
 protected:
  static fs::path path() {
    return fs::path(MTB_SOURCE_DIR) / "tests/format/golden" / GetParam().file;
  }
  const ClassCache cache_{};
};

TEST_P(GoldenFile, IsReadToTheValuesThatWereWritten) {
  const auto table = TableFile::open(path(), cache_);
  ASSERT_TRUE(table) << table.error().message;
  const auto sound = table->verify();
  EXPECT_TRUE(sound) << sound.error().message;
  std::vector<Code> codes(table->header().slots);
  ASSERT_TRUE(table->read_slots(0, codes));
  for (Slot slot = 0; slot < codes.size(); ++slot) {
    ASSERT_EQ(codes[slot], golden_code(slot, GetParam().spec.largest_code)) << "slot " << slot;
  }
}

TEST_P(GoldenFile, IsWrittenTheSameAgain) {
  const TableSpec& spec = GetParam().spec;
  const auto source = [&](Slot first, std::span<Code> codes) {
    for (std::size_t i = 0; i < codes.size(); ++i) {
      codes[i] = golden_code(first + i, spec.largest_code);
    }
  };
  const TemporaryFolder folder;
  const fs::path written = folder / GetParam().file;
  ASSERT_TRUE(write_table(spec, source, written, cache_));
  const std::string part = fs::exists(path()) ? difference(path(), written) : "the whole file";
  if (part.empty()) return;
  const fs::path kept = fs::path(::testing::TempDir()) / GetParam().file;
  fs::copy_file(written, kept, fs::copy_options::overwrite_existing);
  FAIL() << part << " is not what earlier builds write. If nobody meant to change the bytes of "
         << "tables, this is a fault. If somebody did: unless readers of format version "
         << kFormatVersion
         << " read the new bytes to the same values, raise kFormatVersion and the "
         << "version in FORMAT.md; then put " << kept << " in place of " << path()
         << " and make data/tables anew";
}

INSTANTIATE_TEST_SUITE_P(OfEachKind, GoldenFile, ::testing::ValuesIn(goldens()),
                         [](const auto& test) {
                           std::string name = test.param.file;
                           std::ranges::replace_if(
                               name, [](char c) { return c == '.' || c == '-'; }, '_');
                           return name;
                         });

TEST(GoldenFiles, TogetherHaveEveryPackingAndCoding) {
  std::vector<std::pair<int, int>> kinds;
  const ClassCache cache;
  for (const Golden& golden : goldens()) {
    const auto table =
        TableFile::open(fs::path(MTB_SOURCE_DIR) / "tests/format/golden" / golden.file, cache);
    ASSERT_TRUE(table) << table.error().message;
    kinds.emplace_back(static_cast<int>(table->header().coding),
                       static_cast<int>(table->header().packing));
  }
  EXPECT_THAT(kinds, ::testing::UnorderedElementsAre(::testing::Pair(0, 1), ::testing::Pair(0, 2),
                                                     ::testing::Pair(0, 3), ::testing::Pair(0, 4),
                                                     ::testing::Pair(1, 1), ::testing::Pair(1, 3),
                                                     ::testing::Pair(1, 4)));
}

TEST(ATableThatShips, IsWrittenTheSameAgain) {
  const ClassCache cache;
  const TemporaryFolder folder;
  for (const char* name : {"traditional/3v3.wdl", "traditional/3v4.dtw", "tournament/3v3.wdl",
                           "tournament/4v3.dtc", "nine-mens-morris/3v4.wdl"}) {
    const fs::path shipped = tests::shipped_tables(name);
    const auto table = TableFile::open(shipped, cache);
    ASSERT_TRUE(table) << table.error().message;
    TableSpec spec = spec_of(table->header());
    spec.compression = Compression::small;
    const auto source = [&](Slot first, std::span<Code> codes) {
      EXPECT_TRUE(table->read_slots(first, codes));
    };
    const fs::path written = folder / shipped.filename();
    ASSERT_TRUE(write_table(spec, source, written, cache));
    EXPECT_EQ(difference(shipped, written), "")
        << name << " is not what `mtb pack` writes now; see the golden files for what to do";
  }
}

TEST(ADifference, IsNamedByItsPart) {
  const TemporaryFolder folder;
  const fs::path golden = fs::path(MTB_SOURCE_DIR) / "tests/format/golden/packed-1.wdl";
  Bytes bytes = read_bytes(golden);
  const auto with_change_at = [&](std::size_t offset) {
    Bytes changed = bytes;
    changed[offset] = static_cast<char>(changed[offset] ^ 1);
    samples::write_bytes(folder / "changed", changed);
    return difference(golden, folder / "changed");
  };
  EXPECT_EQ(with_change_at(64), "the header at byte 64");
  EXPECT_EQ(with_change_at(230), "") << "the program's name may change";
  const std::size_t entries = number_at(bytes, 12, 4);
  EXPECT_EQ(with_change_at(entries + 12), "block 1 at byte 7") << "the code of a uniform block";
}

}  // namespace
}  // namespace mtb
