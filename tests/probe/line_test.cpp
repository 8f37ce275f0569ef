// Best lines under a draw clock: the outcome first, then the end of the game.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "format/index.h"
#include "game/notation.h"
#include "probe/tablebase.h"
#include "tests/random_placement.h"
#include "tests/shipped_tables.h"
#include "tests/temporary_folder.h"

namespace mtb {
namespace {

Tablebase tables(const std::string& rules) {
  const std::filesystem::path folder = tests::shipped_tables(rules);
  return *Tablebase::open({&folder, 1});
}

Position random_position(std::mt19937& random, int white, int black) {
  const Sector sector{static_cast<std::uint8_t>(white), static_cast<std::uint8_t>(black)};
  const auto placement = tests::random_placement(sector, random);
  Position position;
  position.cows[Colour::white] = placement.mover;
  position.cows[Colour::black] = placement.opponent;
  return position;
}

struct Case {
  std::string rules;
  int mover;
  int opponent;
  bool clock_runs;
};

class ALineUnderAClock : public ::testing::TestWithParam<Case> {};

TEST_P(ALineUnderAClock, KeepsTheOutcomeAndThenGoesToTheEnd) {
  const Case& test = GetParam();
  const Tablebase base = tables(test.rules);
  const RuleSet& rules = base.rules();
  std::mt19937 random(5);
  int decided = 0;
  int as_long_as_the_distance = 0;
  for (int i = 0; decided < 120; ++i) {
    ASSERT_LT(i, 20000);
    Position position = random_position(random, test.mover, test.opponent);
    // Some clocks have so little left that the quickest turn comes too late.
    if (test.clock_runs) {
      position.clock = static_cast<std::uint16_t>(random() % rules.clock.plies);
    }
    const Evaluation start = base.probe(position).value();
    if (start.outcome != Outcome::win && start.outcome != Outcome::loss) continue;
    if (*start.dtw < 3) continue;
    ++decided;
    const std::vector<Turn> line = base.best_line(position).value();
    as_long_as_the_distance += line.size() == *start.dtw ? 1 : 0;
    for (const Turn& turn : line) {
      const Evaluation value = base.probe(position).value();
      const bool first_player_moves = (&turn - line.data()) % 2 == 0;
      EXPECT_EQ(value.outcome == Outcome::win,
                (start.outcome == Outcome::win) == first_player_moves);
      const std::vector<RankedTurn> ranked = base.rank(position).value();
      const auto played = std::ranges::find(ranked, turn, &RankedTurn::turn);
      ASSERT_NE(played, ranked.end()) << "no legal turn: " << to_string(turn);
      ASSERT_EQ(played->value->outcome, value.outcome) << to_string(position);
      if (clock_runs(rules, position.sector())) {
        for (const RankedTurn& other : ranked) {
          if (other.value->outcome != value.outcome) continue;
          EXPECT_TRUE(value.outcome == Outcome::win ? *played->value->dtw <= *other.value->dtw
                                                    : *played->value->dtw >= *other.value->dtw)
              << to_string(position) << ": " << to_string(other.turn);
        }
      } else {
        EXPECT_EQ(turn, ranked.front().turn) << to_string(position);
      }
      position = play(rules, position, turn);
    }
    EXPECT_THAT(verdict(rules, position), ::testing::AnyOf(Verdict::loss, Verdict::win));
  }
  if (test.clock_runs) {
    EXPECT_GT(as_long_as_the_distance, decided / 2);
  }
}

INSTANTIATE_TEST_SUITE_P(In, ALineUnderAClock,
                         ::testing::Values(Case{"tournament", 4, 4, true},
                                           Case{"tournament", 3, 3, true},
                                           Case{"just2easy", 3, 4, true},
                                           Case{"just2easy", 4, 4, false},
                                           Case{"iggamecenter", 4, 3, false}),
                         [](const auto& test) {
                           return test.param.rules + std::to_string(test.param.mover) +
                                  std::to_string(test.param.opponent);
                         });

}  // namespace
}  // namespace mtb
