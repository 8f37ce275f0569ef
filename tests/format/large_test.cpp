// Sizes beyond 31 and 32 bits. No table is that large, and the first tests here say so; what lies
// below the tables is tried with made-up ones, and with files that are mostly holes.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "format/file.h"
#include "format/index.h"
#include "format/layout.h"
#include "format/packing.h"
#include "tests/temporary_folder.h"

namespace mtb {
namespace {

using tests::TemporaryFolder;

constexpr std::uint64_t kTwoGibibytes = std::uint64_t{1} << 31;
constexpr std::uint64_t kFourGibibytes = std::uint64_t{1} << 32;

/// Rows and columns multiplied as numbers that cannot overflow, for every sector and either key.
template <class Visit>
void for_each_sector(Visit visit) {
  const ClassCache cache;
  for (int mover = 0; mover <= kMaxCows; ++mover) {
    for (int opponent = 0; opponent <= kMaxCows; ++opponent) {
      for (const KeySide key : {KeySide::mover, KeySide::opponent}) {
        const Sector sector{static_cast<std::uint8_t>(mover), static_cast<std::uint8_t>(opponent),
                            0, 0};
        const SectorIndex index(sector, key, cache);
        visit(index, static_cast<double>(index.rows()) * static_cast<double>(index.columns()));
      }
    }
  }
}

TEST(TheLargestSector, HasFarFewerThanTwoToThe31Slots) {
  double most = 0;
  for_each_sector([&](const SectorIndex& index, double slots) {
    EXPECT_EQ(static_cast<double>(index.slots()), slots) << to_string(index.sector());
    most = std::max(most, slots);
  });
  // Eight against eight: 46,879 classes (published), 16! / 8! / 8! placements beside each.
  EXPECT_EQ(most, 46879.0 * 12870.0);
  EXPECT_LT(2 * most, static_cast<double>(kTwoGibibytes)) << "not even both sectors of a pair";
}

TEST(TheLargestSector, HasSlotsThatAreMappedBackAtItsVeryEnd) {
  const ClassCache cache;
  const SectorIndex index({8, 8, 0, 0}, KeySide::mover, cache);
  for (Slot back = 1; back <= 1000; ++back) {
    const Slot slot = index.slots() - back;
    const auto placement = index.placement(slot);
    // Equivalent slots stand for one position; a slot is mapped back to itself all the same.
    EXPECT_EQ(index.slot(placement), slot);
  }
}

TEST(TheLargestTable, IsFarSmallerThanFourGibibytes) {
  const std::size_t largest_block =
      layout::largest_stored(packed_size(Packing::word, kBlockSlots)) + layout::kEntryBytes;
  for_each_sector([&](const SectorIndex& index, double slots) {
    const double blocks = slots / kBlockSlots + 1;
    EXPECT_LT(blocks * static_cast<double>(largest_block) + layout::kMaxHeaderBytes,
              static_cast<double>(kTwoGibibytes))
        << to_string(index.sector());
  });
}

TEST(BlockEntries, AreThoseOfTheirPlaceBeyondFourGibiblocks) {
  const BlockEntry entry{0, 1000, 0, 17};
  EXPECT_NE(layout::entry_checksum(entry, 1, 2, {}),
            layout::entry_checksum(entry, 1, 2 + kFourGibibytes, {}));
}

TEST(Files, AreWrittenAndReadBeyondFourGibibytes) {
  const TemporaryFolder folder;
  const std::string mark = "across the boundary";
  // Marks that begin before a boundary and end behind it, and one at the very end.
  const std::vector<std::uint64_t> offsets = {0, kTwoGibibytes - 7, kFourGibibytes - 7,
                                              kFourGibibytes + kTwoGibibytes + 1};
  const std::uint64_t size = offsets.back() + mark.size();
  {
    auto file = AtomicFile::create(folder / "sparse");
    ASSERT_TRUE(file) << file.error().message;
    for (const std::uint64_t offset : offsets) {
      const auto written = file->write_at(offset, std::as_bytes(std::span(mark)));
      ASSERT_TRUE(written) << written.error().message;
    }
    const auto committed = file->commit();
    ASSERT_TRUE(committed) << committed.error().message;
  }
  struct stat status {};
  ASSERT_EQ(::stat((folder / "sparse").c_str(), &status), 0);
  if (status.st_blocks > 1 << 20) GTEST_SKIP() << "this file system has no holes";

  const auto file = ReadFile::open(folder / "sparse");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->size(), size);
  for (const std::uint64_t offset : offsets) {
    std::string found(mark.size(), '?');
    ASSERT_TRUE(file->read_at(offset, std::as_writable_bytes(std::span(found))));
    EXPECT_EQ(found, mark) << offset;
  }
  std::array<char, 64> hole{};
  hole.fill('?');
  ASSERT_TRUE(file->read_at(kFourGibibytes + 1000, std::as_writable_bytes(std::span(hole))));
  EXPECT_TRUE(std::all_of(hole.begin(), hole.end(), [](char c) { return c == '\0'; }));
  // An offset is not taken for one that differs by a multiple of 4 GiB.
  const auto behind = file->read_at(size, std::as_writable_bytes(std::span(hole).first(1)));
  ASSERT_FALSE(behind);
  EXPECT_EQ(behind.error().fault, Fault::damaged);
  EXPECT_FALSE(file->read_at(kFourGibibytes * 2, std::as_writable_bytes(std::span(hole))));
}

}  // namespace
}  // namespace mtb
