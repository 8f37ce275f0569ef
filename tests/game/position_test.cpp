#include "game/position.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "game/notation.h"

namespace mtb {
namespace {

using testing::HasSubstr;

std::string reason(const Position& position, const RuleSet& rules = {}) {
  const auto valid = validate(position, rules);
  if (valid) return "(valid)";
  EXPECT_EQ(valid.error().fault, Fault::bad_input);
  return valid.error().message;
}
std::string reason(const std::string& text, const RuleSet& rules = {}) {
  return reason(parse_position(text).value(), rules);
}

TEST(Validate, AcceptsTheStartAndOrdinaryPositions) {
  EXPECT_EQ(reason("12,12 - - w"), "(valid)");
  EXPECT_EQ(reason("0,0 a7,b6,d2,d6 c3,f2,g4 b - d6-d7 7"), "(valid)");
  EXPECT_EQ(reason("0,0 a7,b6,d2,d6 c3,f2 b"), "(valid)");
  EXPECT_EQ(reason("0,0 a7,b6,d2,d6 c3,f2,g4 b - - 60000"), "(valid)");
}

TEST(Validate, RefusesTwoCowsOnOnePoint) {
  Position position = parse_position("0,0 a7,b6,d2 c3,f2,g4 w").value();
  position.cows[Colour::black] |= PointSet::of(parse_point("b6").value());
  EXPECT_THAT(reason(position), HasSubstr("b6"));
}

TEST(Validate, RefusesMoreCowsThanTheRulesHave) {
  EXPECT_THAT(reason("12,11 a7 c3 w"), HasSubstr("White has 13 cows"));
  EXPECT_EQ(reason("11,11 a7 c3 w"), "(valid)");
  EXPECT_THAT(reason("8,9 a7 c3 w", {.cows = 9}), HasSubstr("Black has 10 cows"));
  EXPECT_THAT(reason("0,0 a7,d7,g7,g4,g1,d1,a1,a4,b6,d6,f6,f4,f2 c3,d3,e3 b"),
              HasSubstr("White has 13 cows"));
}

TEST(Validate, RefusesTwoLosers) {
  EXPECT_THAT(reason("0,0 a7,b6 c3,f2 w"), HasSubstr("three"));
  EXPECT_THAT(reason("0,0 - - w"), HasSubstr("three"));
}

TEST(Validate, RefusesShotsThatCannotBeOwed) {
  Position position = parse_position("6,6 a7,d7,g7 b2,f4,e3 w").value();
  position.owed = 1;
  EXPECT_EQ(reason(position), "(valid)");
  position.owed = 2;
  EXPECT_THAT(reason(position, {.shots = Shots::one}), HasSubstr("2 shots"));
  EXPECT_EQ(reason(position, {.shots = Shots::per_mill}), "(valid)");
  position.owed = 4;
  EXPECT_THAT(reason(position, {.shots = Shots::per_mill}), HasSubstr("4 shots"));

  position = parse_position("6,6 a7,d7,g7 - w").value();
  position.owed = 1;
  EXPECT_THAT(reason(position), HasSubstr("Black has no cow that may be shot"));
  position = parse_position("6,6 a1,d1,g1 a7,d7,g7 b").value();
  position.owed = 1;
  EXPECT_EQ(reason(position), "(valid)");
  EXPECT_THAT(reason(position, {.targets = Targets::strict}),
              HasSubstr("White has no cow that may be shot"));
  position = parse_position("0,0 a7,d7,g7 b2,f4 w").value();
  position.owed = 1;
  EXPECT_THAT(reason(position), HasSubstr("Black has no cow that may be shot"));
}

TEST(Validate, RefusesABanOntoAnOwnCow) {
  EXPECT_THAT(reason("0,0 a7,b6,d2,d6 c3,f2,g4 b d6-b6 -"), HasSubstr("d6-b6"));
  EXPECT_EQ(reason("0,0 a7,b6,d2,d6 c3,f2,g4 b d6-c3 -"), "(valid)");
}

TEST(Position, CountsCowsOnTheBoardAndInHand) {
  const Position position = parse_position("3,2 a7,b6 c3,f2,g4 b").value();
  EXPECT_EQ(position.total(Colour::white), 5);
  EXPECT_EQ(position.total(Colour::black), 5);
  EXPECT_EQ(position.mover().size(), 3);
  EXPECT_EQ(position.opponent().size(), 2);
  EXPECT_EQ(position.free_points().size(), 19);
}

TEST(Position, IsTransformedWithItsBans) {
  const Position position = parse_position("0,0 a7,b6,d2,d6 c3,f2,g4 b d6-d7 f2-g1 7").value();
  for (int number = 0; number < Symmetry::kCount; ++number) {
    const Symmetry g(number);
    const Position image = transformed(position, g);
    EXPECT_EQ(image.cows[Colour::white], g(position.cows[Colour::white]));
    EXPECT_EQ(image.ban[Colour::white]->from, g(position.ban[Colour::white]->from));
    EXPECT_EQ(image.ban[Colour::black]->to, g(position.ban[Colour::black]->to));
    EXPECT_EQ(transformed(image, g.inverse()), position);
  }
}

TEST(Position, IsTheOtherColoursAfterASwap) {
  EXPECT_EQ(to_string(colours_swapped(
                parse_position("3,2 a7,b6,d2,d6 c3,f2,g4 b d6-d7 f2-g1 7").value())),
            "2,3 c3,f2,g4 a7,b6,d2,d6 w f2-g1 d6-d7 7");
}

}  // namespace
}  // namespace mtb
