#include "gen/big_array.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <new>

namespace mtb {
namespace {

// Only what is touched takes memory.
TEST(BigArrays, HoldMoreThanTwoToThe32Elements) {
  constexpr std::size_t kSize = (std::size_t{5} << 30) + 1;
  BigArray<std::uint8_t> bytes;
  try {
    bytes = BigArray<std::uint8_t>(kSize);
  } catch (const std::bad_alloc&) {
    GTEST_SKIP() << "the system does not promise memory that it may not have";
  }
  ASSERT_EQ(bytes.size(), kSize);
  EXPECT_EQ(bytes.end() - bytes.begin(), static_cast<std::ptrdiff_t>(kSize));
  // Were an index cut to 32 bits, or taken as negative, two of these would be the same element.
  const std::size_t places[] = {0,
                                (std::size_t{1} << 30),
                                (std::size_t{1} << 31),
                                (std::size_t{1} << 32),
                                (std::size_t{1} << 32) + (std::size_t{1} << 30) - 1,
                                kSize - 1};
  std::uint8_t mark = 0;
  for (const std::size_t place : places) {
    EXPECT_EQ(bytes[place], 0);
    bytes[place] = ++mark;
  }
  mark = 0;
  for (const std::size_t place : places) EXPECT_EQ(bytes[place], ++mark);
}

}  // namespace
}  // namespace mtb
