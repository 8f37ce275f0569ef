#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <sstream>

#include "game/notation.h"
#include "grade/graded_game.h"
#include "grade/score.h"
#include "tests/rules_named.h"
#include "tests/shipped_tables.h"

namespace mtb {
namespace {

using ::testing::HasSubstr;

Tablebase shipped(const std::string& rules) {
  const std::array folders = {tests::shipped_tables(rules)};
  Result<Tablebase> base = Tablebase::open(folders);
  EXPECT_TRUE(base) << base.error().message;
  return std::move(*base);
}

GameRecord record_of(const std::string& text) {
  std::istringstream in(text);
  const auto record = RecordReader(in).next();
  EXPECT_TRUE(record && *record);
  return **record;
}

Position random_position(const RuleSet& rules, int white, int black, std::mt19937_64& random) {
  for (;;) {
    Position position;
    for (const auto& [colour, cows] : {std::pair(Colour::white, white), {Colour::black, black}}) {
      while (position.cows[colour].size() < cows) {
        const Point p = point(static_cast<int>(random() % kPointCount));
        if (position.free_points().contains(p))
          position.cows[colour] = position.cows[colour].with(p);
      }
    }
    if (verdict(rules, position) == Verdict::open) return position;
  }
}

class GradedTurns : public ::testing::TestWithParam<const char*> {};

/// A turn's worth is that of the position behind it, from the other side, and no turn is worth more
/// than its position.
TEST_P(GradedTurns, AreWorthWhatTheyLeadTo) {
  const Tablebase base = shipped(GetParam());
  std::mt19937_64 random(3);
  for (int i = 0; i < 300; ++i) {
    const Position position = random_position(base.rules(), 4, 3 + i % 2, random);
    const auto value = base.probe(position);
    ASSERT_TRUE(value) << value.error().message;
    const auto turns = legal_turns(base.rules(), position);
    const Turn turn = turns[random() % turns.size()];
    const auto grade = grade_turn(base, position, turn);
    ASSERT_TRUE(grade) << grade.error().message;
    EXPECT_EQ(grade->best, *value);
    EXPECT_GE(grade->outcomes_lost(), 0);
    EXPECT_GE(grade->keeping, 1u);
    EXPECT_LE(grade->keeping, grade->turns);
    const auto after = base.probe(play(base.rules(), position, turn));
    ASSERT_TRUE(after) << after.error().message;
    if (turn.shot_count == 0 && base.rules().clock.plies == 0) {
      EXPECT_EQ(grade->played.outcome, reversed(after->outcome)) << to_string(position);
      if (grade->plies_lost && value->dtw) {
        // One ply further from the end than what follows.
        const auto difference = static_cast<int>(*after->dtw) + 1 - static_cast<int>(*value->dtw);
        EXPECT_EQ(*grade->plies_lost, static_cast<unsigned>(std::abs(difference)));
      }
    }
    const auto best = grade_turn(base, position, grade->best_turn);
    ASSERT_TRUE(best);
    EXPECT_TRUE(best->keeps_outcome());
    EXPECT_EQ(best->plies_lost.value_or(0), 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Of, GradedTurns, ::testing::Values("traditional", "tournament", "malom"));

TEST(GradedGames, AreReplayedFromTheirPositionAndGradedWhereTablesReach) {
  const Tablebase base = shipped("malom");
  const std::string start = "0,0 a7,b6,c4,c5 a4,c3,e3,g4 w";
  const auto line = base.best_line(*parse_position(start));
  ASSERT_TRUE(line) << line.error().message;
  std::string text = "[Rules \"malom\"]\n[Position \"" + start + "\"]\n";
  for (const Turn& turn : *line) text += to_string(turn) + ' ';
  const auto game = grade_game(base, record_of(text));
  ASSERT_TRUE(game) << game.error().message;
  EXPECT_FALSE(game->illegal) << game->illegal->message;
  ASSERT_EQ(game->turns.size(), line->size());
  for (const GradedTurn& turn : game->turns) {
    ASSERT_TRUE(turn.grade);
    EXPECT_TRUE(turn.grade->keeps_outcome());
    EXPECT_EQ(turn.grade->plies_lost.value_or(0), 0u);
  }
  EXPECT_NE(game->verdict, Verdict::open);
}

TEST(GradedGames, LeaveTurnsOutsideTheTablesUngraded) {
  const Tablebase base = shipped("traditional");
  const auto game = grade_game(base, record_of("1. d6 f4 2. d2 b4"));
  ASSERT_TRUE(game) << game.error().message;
  ASSERT_EQ(game->turns.size(), 4u);
  for (const GradedTurn& turn : game->turns) EXPECT_FALSE(turn.grade);
  EXPECT_EQ(game->verdict, Verdict::open);
}

TEST(GradedGames, NameAnIllegalTurnWithItsMoveAndReason) {
  const Tablebase base = shipped("traditional");
  const auto game = grade_game(base, record_of("1. d6 f4\n2. d2 d6 3. a1"));
  ASSERT_TRUE(game) << game.error().message;
  EXPECT_EQ(game->turns.size(), 3u);
  ASSERT_TRUE(game->illegal);
  EXPECT_EQ(game->illegal->message, "line 2: move 2 of Black, 'd6': d6 is taken");
}

TEST(GradedGames, OfOtherRulesAreRefused) {
  const auto game = grade_game(shipped("traditional"), record_of("[Rules \"koti\"]\n1. d6"));
  ASSERT_FALSE(game);
  EXPECT_EQ(game.error().fault, Fault::bad_input);
  EXPECT_THAT(game.error().message, HasSubstr("koti"));
}

TEST(GradedGames, WithTwoPositionsThatDifferAreRefused) {
  const Tablebase base = shipped("malom");
  const Position one = *parse_position("0,0 a7,b6,c4,c5 a4,c3,e3,g4 w");
  const Position other = *parse_position("0,0 a7,b6,c4,c5 a4,c3,e3,g1 w");
  const auto with = [&](const Position& fen) {
    return grade_game(
        base, record_of("[Position \"" + to_string(one) + "\"]\n[FEN \"" + to_fen(fen) + "\"]\n*"));
  };
  EXPECT_TRUE(with(one));
  const auto refused = with(other);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("Position and FEN"));
}

TEST(GradedGames, NoticeAResultThatContradictsTheirEnd) {
  const Tablebase base = shipped("malom");
  // White closes a mill and shoots the third cow.
  const std::string won = "[Position \"0,0 a7,d7,g4 a1,d1,f4 w\"]\n1. g4-g7xf4 ";
  const auto contradiction = [&](const std::string& text) {
    const auto game = grade_game(base, record_of(text));
    EXPECT_TRUE(game && !game->illegal) << text;
    return game->contradiction ? game->contradiction->message : "";
  };
  EXPECT_EQ(contradiction(won + "1-0"), "");
  EXPECT_EQ(contradiction(won + "*"), "");
  EXPECT_THAT(contradiction(won + "0-1"), HasSubstr("ended as 1-0"));
  EXPECT_THAT(contradiction(won + "1/2-1/2"), HasSubstr("ended as 1-0"));
  EXPECT_THAT(contradiction("[Result \"0-1\"]\n" + won), HasSubstr("ended as 1-0"));
  EXPECT_THAT(contradiction("[Result \"0-1\"]\n1. d6 1-0"), HasSubstr("tag Result"));
  // A game may be given up at any time.
  EXPECT_EQ(contradiction("1. d6 1-0"), "");
}

TEST(BestPlay, BeginsAsTheBestLineDoes) {
  const Tablebase base = shipped("malom");
  const Position start = *parse_position("0,0 a7,b6,c4,c5 a4,c3,e3,g4 w");
  auto line = *base.best_line(start);
  ASSERT_GT(line.size(), 4u);
  EXPECT_EQ(best_play(base, start, 1000), line);
  line.resize(4);
  EXPECT_EQ(best_play(base, start, 4), line);
}

TEST(Scores, OfNothingAreNoRates) {
  EXPECT_EQ(Score().accuracy(), std::nullopt);
  EXPECT_EQ(Score().mean_plies_lost(), std::nullopt);
}

TEST(GradedGames, NoticeAPositionThatComesTheThirdTime) {
  const Tablebase base = shipped("koti");
  std::string text = "[Position \"0,0 a7,d7,b6,c5 a1,d1,b2,c3 w\"]\n";
  for (int i = 0; i < 3; ++i) text += "d7-g7 d1-g1 g7-d7 g1-d1 ";
  const auto game = grade_game(base, record_of(text));
  ASSERT_TRUE(game) << game.error().message;
  ASSERT_FALSE(game->illegal) << game->illegal->message;
  std::vector<bool> repeats;
  for (const GradedTurn& turn : game->turns) repeats.push_back(turn.repeats);
  // The start is there at first, after 4 plies and after 8.
  EXPECT_EQ(repeats, (std::vector<bool>{false, false, false, false, false, false, false, true, true,
                                        true, true, true}));
}

// Published values: Brown, Cai and DasGupta 2001, table of Wilson intervals; Newcombe 1998,
// "Two-sided confidence intervals for the single proportion", method 3.
TEST(Intervals, AreThePublishedOnes) {
  const auto close = [](std::uint64_t hits, std::uint64_t trials, double low, double high) {
    const auto interval = interval_of_rate(hits, trials);
    EXPECT_NEAR(interval.first, low, 5e-5) << hits << '/' << trials;
    EXPECT_NEAR(interval.second, high, 5e-5) << hits << '/' << trials;
  };
  close(81, 263, 0.2553, 0.3662);
  close(15, 148, 0.0624, 0.1605);
  close(0, 20, 0.0000, 0.1611);
  close(1, 29, 0.0061, 0.1718);
}

TEST(Scores, AddUp) {
  TurnGrade lost_win;
  lost_win.best.outcome = Outcome::win;
  lost_win.played.outcome = Outcome::draw;
  lost_win.turns = 5;
  lost_win.keeping = 1;
  TurnGrade slow_win;
  slow_win.best.outcome = slow_win.played.outcome = Outcome::win;
  slow_win.turns = slow_win.keeping = 3;
  slow_win.plies_lost = 4;
  Score score;
  score.add(lost_win);
  score.add(slow_win);
  Score sum = score;
  sum.add(score);
  EXPECT_EQ(sum.graded, 4u);
  EXPECT_EQ(sum.decisions, 2u);
  EXPECT_EQ(sum.kept, 0u);
  EXPECT_EQ(sum.accuracy(), 0);
  EXPECT_EQ(sum.mean_plies_lost(), 4);
  EXPECT_EQ(sum.outcomes[0][2], 2u);
  EXPECT_EQ(sum.outcomes[0][0], 2u);
}

}  // namespace
}  // namespace mtb
