#include "game/sector.h"

#include <gtest/gtest.h>

#include "game/notation.h"

namespace mtb {
namespace {

TEST(Sector, IsNamedByCowsOnTheBoardAndByHandsWhenThereAreAny) {
  EXPECT_EQ(to_string(Sector{5, 4, 0, 0}), "5v4");
  EXPECT_EQ(to_string(Sector{5, 4, 3, 2}), "5v4+3v2");
  EXPECT_EQ(to_string(Sector{0, 0, 12, 12}), "0v0+12v12");
  EXPECT_EQ(to_string(Sector{5, 4, 0, 2}), "5v4+0v2");
}

TEST(Sector, IsReadBackFromItsName) {
  for (std::uint8_t m = 0; m <= 12; ++m) {
    for (std::uint8_t o = 0; o <= 12; ++o) {
      for (std::uint8_t mh = 0; m + mh <= 12; ++mh) {
        for (std::uint8_t oh = 0; o + oh <= 12; ++oh) {
          const Sector sector{m, o, mh, oh};
          const auto read = parse_sector(to_string(sector));
          ASSERT_TRUE(read.has_value()) << to_string(sector);
          ASSERT_EQ(*read, sector);
        }
      }
    }
  }
}

TEST(Sector, RefusesWhatIsNoName) {
  for (const char* text : {"", "5", "5v", "v4", "5x4", "5v4+", "5v4+3", "5v4+0v0", "05v4", "5v04",
                           "5v4 ", " 5v4", "5v4+3v2x", "123v4", "-1v4", "5V4", "5v4v3"}) {
    const auto read = parse_sector(text);
    ASSERT_FALSE(read.has_value()) << text;
    EXPECT_EQ(read.error().fault, Fault::bad_input);
  }
}

TEST(Sector, RefusesMoreThanTwelveCowsOnASide) {
  for (const char* text : {"13v4", "4v13", "99v99", "10v4+3v0", "4v10+0v3"}) {
    const auto read = parse_sector(text);
    ASSERT_FALSE(read.has_value()) << text;
    EXPECT_NE(read.error().message.find("12"), std::string::npos) << read.error().message;
  }
}

TEST(Sector, OfAPositionIsSeenByTheMover) {
  const Position position = parse_position("3,2 a7,b6 c3,f2,g4 b").value();
  EXPECT_EQ(to_string(position.sector()), "3v2+2v3");
  EXPECT_EQ(to_string(position.sector().swapped()), "2v3+3v2");
}

}  // namespace
}  // namespace mtb
