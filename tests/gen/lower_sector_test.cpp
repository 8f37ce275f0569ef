// Finished sectors as the pairs above them read them: from memory and from their files.
#include "gen/lower_sector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include "format/table_writer.h"
#include "tests/rules_named.h"
#include "tests/temporary_folder.h"

namespace mtb {
namespace {

using ::testing::HasSubstr;
using tests::read_file;
using tests::rules_named;
using tests::TemporaryFolder;
using tests::write_file;

/// A made-up table: losses and wins whose distances depend on the slot alone.
class MadeUp {
 public:
  static Code code(Slot slot, Code largest) {
    return static_cast<Code>((slot * 2654435761u >> 7) % (largest + 1u));
  }

  explicit MadeUp(Code largest) : largest_(largest) {
    TableSpec spec;
    spec.rules = rules_named("malom");
    spec.sector = {5, 3, 0, 0};
    spec.metric = Metric::dtw;
    spec.largest_code = largest;
    spec.generator = "a test";
    const auto source = [&](Slot first, std::span<Code> codes) {
      for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = code(first + i, largest);
    };
    const auto written = write_table(spec, source, path(), cache_);
    EXPECT_TRUE(written) << written.error().message;
  }

  std::filesystem::path path() const { return folder_ / "5v3.dtw"; }
  TableFile open() const { return std::move(*TableFile::open(path(), cache_)); }

  /// Number of codes that come out wrong, by rows in ascending order, rows that jump about, and
  /// slots.
  template <class Cell>
  std::size_t wrong(const LowerSector& sector) const {
    LowerRows<Cell> rows(&sector);
    const std::uint32_t count = sector.index().rows();
    const std::uint32_t columns = sector.index().columns();
    std::size_t wrong = 0;
    for (std::uint32_t i = 0; i < count + 200; ++i) {
      const std::uint32_t row = i < count ? i : static_cast<std::uint32_t>(i * 1009ull % count);
      const Cell* codes = rows.row(row);
      for (std::uint32_t c = 0; c < columns; ++c) {
        if (codes[c] != code(Slot{row} * columns + c, largest_)) ++wrong;
      }
    }
    for (Slot slot = 0; slot < sector.index().slots(); slot += 9973) {
      if (rows.code(slot) != code(slot, largest_)) ++wrong;
    }
    return wrong;
  }

 private:
  Code largest_;
  TemporaryFolder folder_;
  ClassCache cache_;
};

TEST(LowerSectors, ReadAlikeFromMemoryAndFromTheirFiles) {
  for (const Code largest : {Code{255}, Code{700}}) {
    const MadeUp made_up(largest);
    const auto loaded = LowerSector::load(made_up.open());
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(loaded->narrow(), largest == 255);
    EXPECT_EQ(made_up.wrong<Code>(*loaded), 0u);
    if (loaded->narrow()) {
      EXPECT_EQ(made_up.wrong<std::uint8_t>(*loaded), 0u);
    }
    for (const std::uint64_t cache_bytes : {0u, 5u << 16, 1u << 30}) {
      const LowerSector sector = LowerSector::in_file(made_up.open(), {}, cache_bytes);
      EXPECT_EQ(sector.narrow(), loaded->narrow());
      EXPECT_EQ(made_up.wrong<Code>(sector), 0u) << cache_bytes;
      if (sector.narrow()) {
        EXPECT_EQ(made_up.wrong<std::uint8_t>(sector), 0u) << cache_bytes;
      }
      EXPECT_FALSE(sector.failure());
    }
  }
}

TEST(LowerSectors, TellOfDamageWhereverItIsMet) {
  const MadeUp made_up(255);
  std::string bytes = read_file(made_up.path());
  bytes[bytes.size() * 2 / 3] = static_cast<char>(bytes[bytes.size() * 2 / 3] ^ 16);
  write_file(made_up.path(), bytes);
  const auto loaded = LowerSector::load(made_up.open());
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().fault, Fault::damaged);
  const LowerSector sector = LowerSector::in_file(made_up.open(), {}, 1u << 20);
  EXPECT_FALSE(sector.failure()) << "nothing was read yet";
  EXPECT_GT(made_up.wrong<std::uint8_t>(sector), 0u);
  const std::optional<Error> failure = sector.failure();
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->fault, Fault::damaged);
  EXPECT_THAT(failure->message, HasSubstr("5v3.dtw"));
}

TEST(ArraysOnTheDisk, HoldWhatIsWrittenAndHaveNoName) {
  const TemporaryFolder folder;
  auto array = BigArray<std::uint16_t>::in_file(folder.path(), 100'000);
  ASSERT_TRUE(array) << array.error().message;
  EXPECT_TRUE(folder.file_names().empty());
  ASSERT_EQ(array->size(), 100'000u);
  EXPECT_EQ((*array)[99'999], 0u);
  for (std::size_t i = 0; i < array->size(); ++i) (*array)[i] = static_cast<std::uint16_t>(3 * i);
  for (std::size_t i = 0; i < array->size(); ++i) {
    ASSERT_EQ((*array)[i], static_cast<std::uint16_t>(3 * i));
  }
}

TEST(ArraysOnTheDisk, AreRefusedWithTheBytesNeededWhenThereIsNoRoom) {
  const TemporaryFolder folder;
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{1u << 20, before.rlim_max};
  void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto array = BigArray<std::uint16_t>::in_file(folder.path(), 1'000'000);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  signal(SIGXFSZ, handler);
  ASSERT_FALSE(array);
  EXPECT_EQ(array.error().fault, Fault::system);
  EXPECT_THAT(array.error().message, HasSubstr(folder.path().string()));
  EXPECT_THAT(array.error().message, HasSubstr("2000000 bytes"));
  EXPECT_TRUE(folder.file_names().empty());
}

}  // namespace
}  // namespace mtb
