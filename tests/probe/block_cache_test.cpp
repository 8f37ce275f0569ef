#include "probe/block_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

namespace mtb {
namespace {

using Line = BlockCache::Line;

/// What a line holds in these tests: each pair of bytes tells the line and the place.
std::vector<std::byte> bytes_of(Line line) {
  std::vector<std::byte> bytes(BlockCache::kLineBytes);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = std::byte(static_cast<std::uint8_t>(
        (line.table * 31 + line.number * 7919 + i / 2 * 13) >> (i % 2 * 5)));
  }
  return bytes;
}

/// Whether a line is there; if it is, its bytes have to be right.
bool holds(const BlockCache& cache, Line line, std::size_t offset = 0) {
  const auto value = cache.find(line, offset);
  if (!value) return false;
  const auto expected = bytes_of(line);
  EXPECT_EQ((*value)[0], expected[offset]) << "line " << line.number << ", byte " << offset;
  if (offset % 2 == 0) {
    EXPECT_EQ((*value)[1], expected[offset + 1]) << "line " << line.number << ", byte " << offset;
  }
  return true;
}

constexpr std::size_t kMebibyte = std::size_t{1} << 20;

TEST(TheBlockCache, GivesEveryByteOfTheLinesThatItKeeps) {
  BlockCache cache(kMebibyte);
  for (std::uint64_t table = 0; table < 3; ++table) {
    for (std::uint64_t number = 0; number < 100; ++number) {
      cache.insert({table, number}, bytes_of({table, number}));
    }
  }
  int kept = 0;
  for (std::uint64_t table = 0; table < 3; ++table) {
    for (std::uint64_t number = 0; number < 100; ++number) {
      for (std::size_t i = 0; i < BlockCache::kLineBytes; ++i) {
        kept += holds(cache, {table, number}, i) ? 1 : 0;
      }
    }
  }
  // There is room for three times as many; a few may have met in one set of eight.
  EXPECT_GT(kept, 290 * static_cast<int>(BlockCache::kLineBytes));
  EXPECT_FALSE(holds(cache, {3, 0}));
  EXPECT_FALSE(holds(cache, {0, 100}));
}

TEST(TheBlockCache, TellsLinesApartHoweverFar) {
  BlockCache cache(kMebibyte);
  const std::vector<Line> lines = {
      {0, 0}, {1, 0}, {0, 1}, {(1u << 20) - 2, 0}, {0, (std::uint64_t{1} << 42) - 1}};
  for (const Line line : lines) cache.insert(line, bytes_of(line));
  for (const Line line : lines) EXPECT_TRUE(holds(cache, line, 100));
}

TEST(TheBlockCache, KeepsToItsBudget) {
  constexpr std::size_t kBudget = 64 * BlockCache::kLineBytes;
  BlockCache cache(kBudget);
  for (std::uint64_t number = 0; number < 10000; ++number) {
    cache.insert({0, number}, bytes_of({0, number}));
    EXPECT_TRUE(holds(cache, {0, number}));
  }
  std::size_t kept = 0;
  for (std::uint64_t number = 0; number < 10000; ++number)
    kept += holds(cache, {0, number}) ? 1 : 0;
  EXPECT_LE(kept * BlockCache::kLineBytes, kBudget);
  EXPECT_GE(kept * BlockCache::kLineBytes, kBudget / 2);
}

TEST(TheBlockCache, PrefersLinesThatAreAskedForAgain) {
  BlockCache cache(64 * BlockCache::kLineBytes);
  const Line wanted{0, 0};
  cache.insert(wanted, bytes_of(wanted));
  for (std::uint64_t number = 1; number < 2000; ++number) {
    EXPECT_TRUE(holds(cache, wanted)) << "gone after " << number << " others";
    cache.insert({0, number}, bytes_of({0, number}));
  }
}

TEST(TheBlockCache, WorksWithoutAnyRoom) {
  for (const std::size_t budget : {std::size_t{0}, std::size_t{1000}, 8 * BlockCache::kLineBytes}) {
    BlockCache cache(budget);
    cache.insert({0, 6}, bytes_of({0, 6}));
    EXPECT_FALSE(cache.find({0, 6}, 0));
    EXPECT_FALSE(cache.prefetch({0, 6}, 0));
  }
}

TEST(TheBlockCache, TakesShortLines) {
  BlockCache cache(kMebibyte);
  for (const std::size_t size : {1u, 7u, 8u, 9u, 820u, 1023u}) {
    const Line line{1, size};
    const auto bytes = bytes_of(line);
    cache.insert(line, std::span(bytes).first(size));
    const auto last = cache.find(line, size - 1);
    ASSERT_TRUE(last);
    EXPECT_EQ((*last)[0], bytes[size - 1]);
  }
}

TEST(TheBlockCache, NeverMixesLinesUnderManyThreads) {
  // So few places that every thread drives out what the others read.
  BlockCache cache(24 * BlockCache::kLineBytes);
  constexpr std::uint64_t kLines = 64;
  std::atomic<std::uint64_t> found{0};
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < 4; ++seed) {
    threads.emplace_back([&, seed] {
      std::mt19937_64 random(seed);
      for (int i = 0; i < 20000; ++i) {
        const Line line{random() % 2, random() % kLines};
        const std::size_t offset = random() % BlockCache::kLineBytes;
        if (holds(cache, line, offset)) {
          ++found;
        } else {
          cache.insert(line, bytes_of(line));
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(found, 0u);
}

}  // namespace
}  // namespace mtb
