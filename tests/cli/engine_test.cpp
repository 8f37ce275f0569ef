// `mtb engine` while it thinks: what ends a search, and what is answered meanwhile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "audit/child.h"
#include "game/notation.h"
#include "game/why_illegal.h"
#include "tests/cli/program.h"
#include "tests/rules_named.h"

namespace mtb {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

using Clock = Child::Clock;

/// The engine in a process of its own, with nothing but a search of twelve plies, which takes hours
/// from the start of a game.
class Thinking : public ::testing::Test {
 protected:
  Thinking() : child_(*Child::start(std::string("exec ") + MTB_PROGRAM + " engine --depth 12")) {}

  void say(const std::string& line) { EXPECT_TRUE(child_.write_line(line)); }

  /// Lines up to the one that begins so, or to the end of the patience.
  std::vector<std::string> hear(const std::string& word, milliseconds patience = seconds(20)) {
    const auto deadline = Clock::now() + patience;
    std::vector<std::string> lines;
    for (std::string line; child_.read_line(line, deadline) == Child::Got::line;) {
      lines.push_back(line);
      if (line.starts_with(word)) return lines;
    }
    lines.emplace_back("silence");
    return lines;
  }

  static void expect_legal(const std::vector<std::string>& lines) {
    const std::string word = "bestmove ";
    ASSERT_THAT(lines.back(), HasSubstr(word));
    const auto turn = parse_turn(lines.back().substr(word.size()));
    ASSERT_TRUE(turn) << lines.back();
    const RuleSet rules = tests::rules_named("traditional");
    EXPECT_FALSE(why_illegal(rules, start_position(rules), *turn)) << lines.back();
  }

  /// The turn for the start of a game, and the time it took.
  milliseconds time_of(const std::string& go) {
    say("position startpos");
    const auto start = Clock::now();
    say(go);
    expect_legal(hear("bestmove"));
    return std::chrono::duration_cast<milliseconds>(Clock::now() - start);
  }

  Child child_;
};

// The bounds leave room for a busy machine; without limits the search takes hours.
TEST_F(Thinking, EndsWhenItsTimeHasPassed) {
  const milliseconds time = time_of("go movetime 200");
  EXPECT_GE(time, milliseconds(190));
  EXPECT_LT(time, seconds(5));
}

TEST_F(Thinking, EndsWhenItsNodesOrPliesAreSpent) {
  EXPECT_LT(time_of("go nodes 500"), seconds(5));
  EXPECT_LT(time_of("go depth 2"), seconds(5));
  EXPECT_LT(time_of("go nodes 0"), seconds(5));
  EXPECT_LT(time_of("go movetime 0"), seconds(5));
}

TEST_F(Thinking, SearchesAsDeepAsItIsAskedTo) {
  say("setoption name Player value search");
  say("position startpos");
  say("go depth 2");
  EXPECT_THAT(hear("bestmove"), Contains(HasSubstr("depth 2 ")));
}

TEST_F(Thinking, EndsWithStopAndAnswersIsreadyMeanwhile) {
  say("position startpos");
  say("go");
  say("isready");
  EXPECT_EQ(hear("readyok").back(), "readyok");
  EXPECT_THAT(hear("bestmove", milliseconds(300)), Not(Contains(HasSubstr("bestmove"))));
  say("stop");
  expect_legal(hear("bestmove"));
  // One that comes too late is for nothing.
  say("stop");
  say("isready");
  EXPECT_THAT(hear("readyok"), Not(Contains(HasSubstr("bestmove"))));
}

TEST_F(Thinking, WithoutEndWaitsForStopThoughAllIsKnown) {
  say("position fen " + to_fen(*parse_position("0,0 a7,b6,d2 c3,f2,g4 w")));
  say("go infinite");
  EXPECT_THAT(hear("bestmove", milliseconds(300)), Not(Contains(HasSubstr("bestmove"))));
  say("stop");
  EXPECT_THAT(hear("bestmove"), Contains(ContainsRegex("bestmove [a-g][1-7]-[a-g][1-7]")));
}

TEST_F(Thinking, EndsWithTheNextCommandWhenItHasNoOther) {
  say("position startpos");
  say("go infinite");
  say("position startpos moves d6");
  expect_legal(hear("bestmove"));
}

TEST_F(Thinking, TakesOneAfterAnotherInOrder) {
  say("position startpos");
  say("go nodes 100");
  say("go nodes 100");
  say("isready");
  expect_legal(hear("bestmove"));
  expect_legal(hear("bestmove"));
}

/// However quickly the next question comes.
TEST_F(Thinking, GivesOneAnswerToEachQuestion) {
  say("setoption name Player value random");
  const RuleSet rules = tests::rules_named("traditional");
  Position position = start_position(rules);
  std::string moves;
  for (int ply = 0; ply < 12; ++ply) {
    say("position startpos" + (moves.empty() ? "" : " moves" + moves));
    for (int again = 0; again < 40; ++again) {
      say("go");
      const std::string answer = hear("bestmove").back();
      const auto turn = parse_turn(answer.substr(answer.find(' ') + 1));
      ASSERT_TRUE(turn) << answer;
      ASSERT_TRUE(position.free_points().contains(turn->to)) << answer;
      if (again < 39) continue;
      if (why_illegal(rules, position, *turn)) return;  // it closes a mill, and shots are owed
      position = play(rules, position, *turn);
      moves += ' ' + to_string(*turn);
    }
  }
}

TEST_F(Thinking, SaysWhichLimitIsNone) {
  for (const char* go : {"go nodes 9 depth none", "go nodes 9 depth 0", "go nodes 9 movetime",
                         "go nodes 9 movetime -5"}) {
    say("position startpos");
    say(go);
    const auto lines = hear("bestmove");
    EXPECT_THAT(lines, Contains(HasSubstr("wants a number"))) << go;
    expect_legal(lines);
  }
}

TEST(AnEngine, StopsThinkingAtQuitAndAtTheEndOfItsInput) {
  for (const char* end : {"quit\n", ""}) {
    tests::Surroundings given;
    given.input = std::string("position startpos\ngo infinite\n") + end;
    const auto start = Clock::now();
    const tests::Ending run = tests::mtb({"engine", "--depth", "12"}, given);
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_THAT(run.out, ContainsRegex("bestmove [a-g][1-7]\n")) << end;
    EXPECT_LT(Clock::now() - start, seconds(10));
  }
}

TEST(AnEngine, FindsTheTablesOfTheRulesItIsToldOrSearches) {
  const auto told = [](const std::string& lines) {
    tests::Surroundings given;
    given.input = lines;
    return tests::mtb({"engine", "--depth", "1"}, given).out;
  };
  const std::string position =
      "position fen " + to_fen(*parse_position("0,0 a7,b6,d2 c3,f2,g4 w")) + "\ngo\n";
  EXPECT_THAT(told("setoption name MtbRules value malom\n" + position),
              AnyOf(HasSubstr("string win"), HasSubstr("string draw"), HasSubstr("string loss")));
  const std::string searched = told(
      "setoption name MtbRules value malom\nsetoption name MtbPath value /no/such\n" + position);
  EXPECT_THAT(searched, HasSubstr("beyond the tables"));
  EXPECT_THAT(searched, ContainsRegex("bestmove [a-g]"));
  // A position belongs to its rules.
  EXPECT_THAT(told("position startpos\nsetoption name MtbRules value malom\ngo\n"),
              HasSubstr("there is no position"));
}

TEST(AnEngine, SearchesWhenItsTablesAreOfOtherRules) {
  tests::Surroundings given;
  given.input = std::string("setoption name MtbRules value malom\nsetoption name MtbPath value ") +
                MTB_DATA_DIR + "/tables/gar\nposition fen " +
                to_fen(*parse_position("0,0 a7,b6,d2 c3,f2,g4 w")) + "\ngo\n";
  const std::string out = tests::mtb({"engine", "--depth", "1"}, given).out;
  EXPECT_THAT(out, HasSubstr("beyond the tables"));
  EXPECT_THAT(out, ContainsRegex("bestmove [a-g]"));
}

}  // namespace
}  // namespace mtb
