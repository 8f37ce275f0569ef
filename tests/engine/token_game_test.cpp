#include "engine/token_game.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "game/notation.h"
#include "tests/rules_named.h"

namespace mtb {
namespace {

using ::testing::HasSubstr;

Position position_of(const std::string& text) {
  const auto position = parse_position(text);
  EXPECT_TRUE(position) << position.error().message;
  return *position;
}

class TokenGames : public ::testing::TestWithParam<RuleSet> {};

/// However a turn is cut into tokens, it leads where the turn as one leads: bans, clock and all.
TEST_P(TokenGames, PlayTheSameTokenByTokenAsTurnByTurn) {
  const RuleSet& rules = GetParam();
  std::mt19937_64 random(11);
  std::size_t longest = 0;
  for (int game = 0; game < 60; ++game) {
    Position position = start_position(rules);
    TokenGame tokens(rules, position);
    for (int ply = 0; ply < 120 && verdict(rules, position) == Verdict::open; ++ply) {
      const auto turns = legal_turns(rules, position);
      const Turn turn = turns[random() % turns.size()];
      for (const std::string& token : tokens_of(turn)) {
        const auto played = tokens.play(token);
        ASSERT_TRUE(played) << played.error().message;
      }
      longest = std::max(longest, tokens_of(turn).size());
      position = play(rules, position, turn);
      ASSERT_EQ(tokens.position(), position) << to_string(turn);
    }
  }
  EXPECT_GE(longest, 2U);
}

RuleSet with_optional_shots_per_mill() {
  RuleSet rules = tests::rules_named("tournament");
  rules.shots = Shots::per_mill;
  rules.shot = Shooting::optional;
  return rules;
}

INSTANTIATE_TEST_SUITE_P(Rules, TokenGames,
                         ::testing::Values(tests::rules_named("traditional"),
                                           tests::rules_named("iggamecenter"),
                                           tests::rules_named("sanmill"),
                                           with_optional_shots_per_mill()));

/// A shot starts the clock again, though the second one that the turn earned is declined.
TEST(ATokenGame, CountsNoPlyForATurnWithAShotAndADeclinedOne) {
  const RuleSet rules = with_optional_shots_per_mill();
  const Position start = position_of("0,0 a1,a4,b6,d7,g7 c3,e4,f2,g1 w - - 9");
  TokenGame game(rules, start);
  for (const char* token : {"b6-a7", "xe4", "x-"}) {
    const auto played = game.play(token);
    ASSERT_TRUE(played) << played.error().message;
  }
  EXPECT_EQ(game.position().clock, 0);
  EXPECT_EQ(game.position().side, Colour::black);

  TokenGame declining(rules, start);
  ASSERT_TRUE(declining.play("b6-a7"));
  EXPECT_EQ(declining.position().owed, 2);
  // A move of the other player says that no more shots follow.
  const auto played = declining.play("e4-d5");
  ASSERT_FALSE(played);
  EXPECT_EQ(declining.position().owed, 2) << "a token that cannot be played changes nothing";
}

TEST(ATokenGame, NamesATokenThatCannotBePlayedAndStaysAsItWas) {
  const RuleSet rules = tests::rules_named("traditional");
  TokenGame game(rules, position_of("0,0 a1,a4,d7,g7,b6 c3,e4,f2,d2 w"));
  ASSERT_TRUE(game.play("b6-a7"));
  const Position owing = game.position();
  for (const char* token : {"c3-d3", "xa1", "xd5", "xe4xf2xd2", "--", "nonsense"}) {
    const auto played = game.play(token);
    ASSERT_FALSE(played) << token;
    EXPECT_THAT(played.error().message, HasSubstr(token));
    EXPECT_EQ(game.position(), owing);
  }
}

}  // namespace
}  // namespace mtb
