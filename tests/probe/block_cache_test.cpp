#include "probe/block_cache.h"

#include <gtest/gtest.h>

#include "tests/probe/made_up_table.h"
#include "tests/temporary_folder.h"

namespace mtb {
namespace {

/// 3v4 of malom: 757 classes of four cows times C(20, 3) = 862,980 slots in 14 blocks.
class BlockCacheTest : public ::testing::Test {
 protected:
  BlockCacheTest()
      : table_(*TableFile::open(
            tests::write_made_up_table(
                folder_.path(), {}, {3, 4}, Metric::dtw,
                [](Slot slot) { return static_cast<Code>(slot / kBlockSlots); }, 20),
            classes_)) {}

  /// All codes of a block are its number, as the table was made up.
  static void expect_block(const BlockCache::Block& block, int number) {
    ASSERT_EQ(block->size(), kBlockSlots);
    EXPECT_EQ(block->front(), std::byte(number));
    EXPECT_EQ(block->back(), std::byte(number));
  }

  tests::TemporaryFolder folder_;
  ClassCache classes_;
  TableFile table_;
};

TEST_F(BlockCacheTest, GivesTheBlockThatIsAskedFor) {
  BlockCache cache(2 * kBlockSlots);
  for (const int number : {3, 5, 7, 3, 7, 5, 5}) {
    const auto block = cache.get(table_, static_cast<std::uint64_t>(number));
    ASSERT_TRUE(block) << block.error().message;
    expect_block(*block, number);
  }
}

TEST_F(BlockCacheTest, DecodesABlockOnce) {
  BlockCache cache(2 * kBlockSlots);
  const auto first = cache.get(table_, 4);
  const auto second = cache.get(table_, 4);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->get(), second->get());
}

TEST_F(BlockCacheTest, ForgetsTheBlockThatWasUnusedLongest) {
  BlockCache cache(2 * kBlockSlots);
  const auto one = cache.get(table_, 1);
  const auto two = cache.get(table_, 2);
  ASSERT_TRUE(cache.get(table_, 1));
  ASSERT_TRUE(cache.get(table_, 3));  // there is room for two: 2 goes, 1 was used since
  EXPECT_EQ(cache.get(table_, 1)->get(), one->get());
  EXPECT_NE(cache.get(table_, 2)->get(), two->get());
  expect_block(*two, 2);  // whoever holds a block keeps it
}

TEST_F(BlockCacheTest, WorksWithoutAnyRoom) {
  BlockCache cache(0);
  const auto first = cache.get(table_, 6);
  const auto second = cache.get(table_, 6);
  ASSERT_TRUE(first && second);
  EXPECT_NE(first->get(), second->get());
  expect_block(*second, 6);
}

TEST_F(BlockCacheTest, PassesOnThatABlockIsDamaged) {
  const auto path = tests::write_made_up_table(
      folder_.path(), {}, {4, 3}, Metric::dtw,
      [](Slot slot) { return static_cast<Code>((slot * 0x9E3779B97F4A7C15 >> 40) % 20); }, 20);
  const auto table = TableFile::open(path, classes_);
  ASSERT_TRUE(table) << table.error().message;
  std::string bytes = tests::read_file(path);
  bytes[bytes.size() / 2] ^= 0x10;  // well inside the blocks
  tests::write_file(path, bytes);

  BlockCache cache(64 * kBlockSlots);
  int damaged = 0;
  for (std::uint64_t block = 0; block < table->header().blocks; ++block) {
    const auto payload = cache.get(*table, block);
    if (payload) continue;
    ++damaged;
    EXPECT_EQ(payload.error().fault, Fault::damaged);
  }
  EXPECT_EQ(damaged, 1);
}

}  // namespace
}  // namespace mtb
