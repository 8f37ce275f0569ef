#include "game/why_illegal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/rules_named.h"

namespace mtb {
namespace {

using tests::rules_named;

std::string reason(std::string_view rules, std::string_view position, std::string_view turn) {
  const auto parsed = parse_turn(turn);
  const auto place = parse_position(position);
  if (!parsed || !place) {
    ADD_FAILURE() << "the test cannot be read";
    return "";
  }
  return why_illegal(rules_named(rules), *place, *parsed).value_or("legal");
}

TEST(IllegalTurns, AreToldApart) {
  constexpr auto placing = "11,11 d6 f4 w";
  EXPECT_EQ(reason("traditional", placing, "a1"), "legal");
  EXPECT_EQ(reason("traditional", placing, "f4"), "f4 is taken");
  EXPECT_EQ(reason("traditional", placing, "d6-d5"), "there are cows in hand to be placed");
  EXPECT_EQ(reason("traditional", placing, "--"), "there are cows in hand to be placed");
  EXPECT_EQ(reason("traditional", placing, "a1xf4"), "no shot is earned");

  constexpr auto moving = "0,0 a7,d7,g4,b2 a1,d1,f4,c3 w";
  EXPECT_EQ(reason("traditional", moving, "g4-g7"),
            "it closes a mill, and a shot has to follow (x and a point)");
  EXPECT_EQ(reason("traditional", moving, "g4-g7xc3"), "legal");
  EXPECT_EQ(reason("traditional", moving, "g4-g7xc3xf4"), "too many shots");
  EXPECT_EQ(reason("traditional", moving, "g4-g7xa4"), "the opponent has no cow on a4");
  EXPECT_EQ(reason("traditional", moving, "g4-g7x-"), "a shot may not be declined");
  EXPECT_EQ(reason("traditional", moving, "a4-b4"), "the player has no cow on a4");
  EXPECT_EQ(reason("traditional", moving, "g4-f4"), "f4 is taken");
  EXPECT_EQ(reason("traditional", moving, "g4-e4"),
            "e4 is not next to g4, and the player has too many cows to fly");
  EXPECT_EQ(reason("traditional", moving, "e5"), "there is no cow in hand to be placed");
  EXPECT_EQ(reason("traditional", moving, "--"), "a player who can move may not pass");
  EXPECT_EQ(reason("traditional", moving, "xc3"), "no shot is owed");

  EXPECT_EQ(reason("traditional", "0,0 a7,d7,g4 a1,d1,g1,c3 w", "g4-g7xa1"),
            "a1 stands in a mill and may not be shot");
  EXPECT_EQ(reason("traditional", "0,0 a7,d7 a1,d1,g1,c3 w", "a7-a4"), "the game is over");
}

/// Whatever is no legal turn has a reason, and legal turns have none.
TEST(IllegalTurns, AreThoseThatAreNotLegal) {
  std::mt19937_64 random(11);
  for (const NamedRuleSet& named : named_rule_sets()) {
    Position position = start_position(named.rules);
    for (int ply = 0; ply < 200 && verdict(named.rules, position) == Verdict::open; ++ply) {
      const std::vector<Turn> legal = legal_turns(named.rules, position);
      for (int i = 0; i < 20; ++i) {
        Turn turn = legal[random() % legal.size()];
        if (random() % 2 == 0) turn.to = point(static_cast<int>(random() % kPointCount));
        if (random() % 4 == 0) turn.from = point(static_cast<int>(random() % kPointCount));
        if (random() % 4 == 0) turn.shot_count = static_cast<std::uint8_t>(random() % 3);
        if (random() % 8 == 0) turn.declined = !turn.declined;
        const bool is_legal = std::ranges::find(legal, turn) != legal.end();
        const auto reason = why_illegal(named.rules, position, turn);
        EXPECT_EQ(reason.has_value(), !is_legal) << to_string(position) << ' ' << to_string(turn);
        EXPECT_FALSE(reason && reason->empty());
      }
      position = play(named.rules, position, legal[random() % legal.size()]);
    }
  }
}

}  // namespace
}  // namespace mtb
