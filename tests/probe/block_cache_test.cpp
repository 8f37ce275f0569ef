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

/// What a line holds in these tests: each pair of bytes tells the line and the place, but in every
/// third line all bytes are alike.
std::vector<std::byte> bytes_of(Line line) {
  std::vector<std::byte> bytes(BlockCache::kLineBytes, std::byte(static_cast<std::uint8_t>(line)));
  if (line % 3 == 0) return bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = std::byte(static_cast<std::uint8_t>((line * 7919 + i / 2 * 13) >> (i % 2 * 5)));
  }
  return bytes;
}

/// Whether a line is there; if it is, its bytes have to be right.
bool holds(const BlockCache& cache, Line line, std::size_t offset = 0) {
  const std::int32_t value = cache.find(line, offset);
  if (value == BlockCache::kNotKept) return false;
  const auto expected = bytes_of(line);
  EXPECT_EQ(std::byte(value & 0xFF), expected[offset]) << "line " << line << ", byte " << offset;
  if (offset % 2 == 0) {
    EXPECT_EQ(std::byte(value >> 8), expected[offset + 1])
        << "line " << line << ", byte " << offset;
  }
  return true;
}

constexpr std::size_t kMebibyte = std::size_t{1} << 20;

TEST(TheBlockCache, GivesEveryByteOfTheLinesThatItKeeps) {
  constexpr Line kLines = 300;
  BlockCache cache(kMebibyte);
  for (Line line = 0; line < kLines; ++line) cache.insert(line, bytes_of(line));
  int kept = 0;
  for (Line line = 0; line < kLines; ++line) {
    for (std::size_t i = 0; i < BlockCache::kLineBytes; ++i) kept += holds(cache, line, i) ? 1 : 0;
  }
  // There is room for three times as many; a few may have met in one set of seven.
  EXPECT_GT(kept, 290 * static_cast<int>(BlockCache::kLineBytes));
  EXPECT_FALSE(holds(cache, kLines));
}

TEST(TheBlockCache, TellsLinesApartHoweverFar) {
  BlockCache cache(kMebibyte);
  const std::vector<Line> lines = {0, 1, 1u << 16, 1u << 30, BlockCache::kMostLines - 1};
  for (const Line line : lines) cache.insert(line, bytes_of(line));
  for (const Line line : lines) EXPECT_TRUE(holds(cache, line, 100));
}

TEST(TheBlockCache, KeepsToItsBudget) {
  constexpr std::size_t kBudget = 64 * BlockCache::kLineBytes;
  BlockCache cache(kBudget);
  for (Line number = 0; number < 10000; ++number) {
    cache.insert(number, bytes_of(number));
    EXPECT_TRUE(holds(cache, number));
  }
  std::size_t kept = 0;
  for (Line number = 0; number < 10000; ++number) kept += holds(cache, number) ? 1 : 0;
  EXPECT_LE(kept * BlockCache::kLineBytes, kBudget);
  EXPECT_GE(kept * BlockCache::kLineBytes, kBudget / 2);
}

TEST(TheBlockCache, PrefersLinesThatAreAskedForAgain) {
  BlockCache cache(64 * BlockCache::kLineBytes);
  const Line wanted = 0;
  cache.insert(wanted, bytes_of(wanted));
  for (Line number = 1; number < 2000; ++number) {
    EXPECT_TRUE(holds(cache, wanted)) << "gone after " << number << " others";
    cache.insert(number, bytes_of(number));
  }
}

TEST(TheBlockCache, WorksWithoutAnyRoom) {
  for (const std::size_t budget : {std::size_t{0}, std::size_t{1000}, 7 * BlockCache::kLineBytes}) {
    BlockCache cache(budget);
    cache.insert(6, bytes_of(6));
    EXPECT_EQ(cache.find(6, 0), BlockCache::kNotKept);
    EXPECT_FALSE(cache.prefetch(6, 0));
  }
}

TEST(TheBlockCache, TakesShortLines) {
  BlockCache cache(kMebibyte);
  for (const Line line : {1u, 7u, 8u, 9u, 820u, 1023u}) {
    const std::size_t size = line;
    const auto bytes = bytes_of(line);
    cache.insert(line, std::span(bytes).first(size));
    const std::int32_t last = cache.find(line, size - 1);
    ASSERT_NE(last, BlockCache::kNotKept);
    EXPECT_EQ(std::byte(last & 0xFF), bytes[size - 1]);
  }
}

TEST(TheBlockCache, NeverMixesLinesUnderManyThreads) {
  // So few places that every thread drives out what the others read.
  BlockCache cache(24 * BlockCache::kLineBytes);
  constexpr Line kLines = 128;
  std::atomic<std::uint64_t> found{0};
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < 4; ++seed) {
    threads.emplace_back([&, seed] {
      std::mt19937_64 random(seed);
      for (int i = 0; i < 20000; ++i) {
        const auto line = static_cast<Line>(random() % kLines);
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
