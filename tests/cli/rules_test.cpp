// `mtb rules`, `mtb turns`, `mtb perft`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/cli/program.h"

namespace mtb::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

constexpr const char* kNames[] = {"traditional",  "tournament", "koti",    "just2easy",       "gar",
                                  "iggamecenter", "malom",      "sanmill", "nine-mens-morris"};

TEST(TheRuleSets, AreListedWithTheirSources) {
  const Ending run = mtb({"rules"});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.err, "");
  std::istringstream lines(run.out);
  std::string line;
  for (const char* name : kNames) {
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_TRUE(line.starts_with(std::string(name) + ' ')) << line;
    EXPECT_GT(line.size(), 25u) << "no source: " << line;
  }
  EXPECT_FALSE(std::getline(lines, line));
}

TEST(ARuleSet, IsShownAsAFileThatCanBeUsed) {
  TemporaryFolder folder;
  for (const char* name : kNames) {
    const Ending shown = mtb({"rules", name});
    EXPECT_EQ(shown.status, 0);
    EXPECT_TRUE(shown.out.starts_with("# fingerprint ")) << shown.out;
    EXPECT_THAT(shown.out.substr(14, shown.out.find('\n') - 14), MatchesRegex("[0-9a-f]{16}"));
    write_file(folder / "mine.toml", shown.out);
    EXPECT_EQ(mtb({"rules", folder / "mine.toml"}).out, shown.out);
  }
}

TEST(ARuleSet, ShowsItsParameters) {
  const std::string koti = mtb({"rules", "koti"}).out;
  for (const char* line :
       {"cows = 12\n", "shots = \"per_mill\"\n", "targets = \"any\"\n", "fly_at = 3\n",
        "blocked = \"pass\"\n", "full_board = \"draw\"\n", "reform = \"none\"\n"}) {
    EXPECT_THAT(koti, HasSubstr(line));
  }
}

TEST(ARuleSet, OfTheUsersOwnChangesTheTurns) {
  TemporaryFolder folder;
  std::string rules = mtb({"rules", "tournament"}).out;
  rules.replace(rules.find("fly_at = 0"), 10, "fly_at = 3");
  write_file(folder / "mine.toml", rules);
  const std::string position = "0,0 a7,a1,g1 b6,d7,a4,d1,g4 w";
  const auto count = [](const std::string& text) {
    return std::count(text.begin(), text.end(), '\n');
  };
  // Three cows: two steps without flying; with it, each to any of the 16 empty points.
  EXPECT_EQ(count(mtb({"turns", "--rules", "tournament", position}).out), 2);
  EXPECT_EQ(count(mtb({"turns", "--rules", folder / "mine.toml", position}).out), 3 * 16);
}

TEST(Turns, AreListedOneALine) {
  // Hemmed in, a7 cannot move, g1 has f2 and a1 has b2.
  EXPECT_EQ(mtb({"turns", "--rules", "tournament", "0,0 a7,a1,g1 b6,d7,a4,d1,g4 w"}).out,
            "g1-f2\na1-b2\n");
}

TEST(Turns, CarryTheirShots) {
  const Ending run = mtb({"turns", "--rules", "tournament", "0,0 a7,d7,g4 c3,d3,e4 w"});
  EXPECT_EQ(run.status, 0);
  for (const char* turn : {"g4-g7xc3\n", "g4-g7xd3\n", "g4-g7xe4\n", "a7-a4\n"}) {
    EXPECT_THAT(run.out, HasSubstr(turn));
  }
  EXPECT_THAT(run.out, Not(HasSubstr("g4-g7\n")));
  EXPECT_THAT(mtb({"turns", "--rules", "iggamecenter", "0,0 a7,d7,g4,a1 c3,d3,e4 w"}).out,
              HasSubstr("g4-g7x-\n"));
}

TEST(Turns, AreReadFromSeveralArgumentsOrFromAFen) {
  const std::string expected = mtb({"turns", "--rules", "malom", "0,0 a7,b6,d2 c3,f2,g4 w"}).out;
  EXPECT_NE(expected, "");
  EXPECT_EQ(mtb(words("turns --rules malom 0,0 a7,b6,d2 c3,f2,g4 w")).out, expected);
  // inner d5 e5 e4 e3 d3 c3 c4 c5 / middle d6 f6 f4 f2 d2 b2 b4 b6 / outer d7 g7 g4 ...
  const std::string fen =
      "*****@**/***@O**O/**@****O w m s 3 0 3 0 0 0 -1 -1 -1 -1 0 0 1 ids:nodes";
  EXPECT_EQ(mtb({"turns", "--rules", "malom", fen}).out, expected);
  EXPECT_EQ(mtb(words("turns --rules malom " + fen)).out, expected);
  EXPECT_EQ(mtb(words("turns --rules malom 12,12 - - w")).status, 0);
}

TEST(Turns, AreWrittenInOtherCoordinates) {
  // The same position as above, in which g1-f2 and a1-b2 are legal.
  EXPECT_EQ(mtb({"turns", "--rules", "tournament", "--coordinates", "mssa",
                 "0,0 E1,E7,E5 A1,E2,E8,E6,E4 w"})
                .out,
            "E5-A5\nE7-A7\n");
  EXPECT_EQ(mtb({"turns", "--rules", "tournament", "--coordinates", "numbers",
                 "0,0 01,07,05 09,02,08,06,04 w"})
                .out,
            "05-13\n07-15\n");
}

TEST(AGameThatIsOver, HasNoTurnsAndSaysHowItEnded) {
  struct Case {
    const char* rules;
    const char* position;
    const char* how;
  };
  const char* hemmed_in = "0,0 a1,a7,g1,g7 a4,b2,b6,d1,d7,f2,f6,g4 w";
  const char* full =
      "0,0 a1,a4,a7,b2,b4,b6,c3,c4,c5,d1,d2,d3 d5,d6,d7,e3,e4,e5,f2,f4,f6,g1,g4,g7 w";
  for (const Case& over : {
           Case{"malom", "0,0 a7,b6 c3,f2,g4 w", "White has fewer than three cows: Black wins"},
           Case{"malom", "0,0 a7,b6,d2 c3,f2 w", "Black has fewer than three cows: White wins"},
           Case{"malom", hemmed_in, "White has no legal turn: Black wins"},
           Case{"malom", full, "the board is full: a draw"},
           Case{"sanmill", full, "the board is full: Black wins"},
           Case{"tournament", "0,0 a7,b6,d2 c3,f2,g4 w - - 20",
                "20 plies have passed without a shot: a draw"},
       }) {
    const Ending run = mtb({"turns", "--rules", over.rules, over.position});
    expect_refusal(run, 1);
    EXPECT_THAT(run.err, HasSubstr(over.how));
  }
  EXPECT_EQ(mtb({"turns", "--rules", "koti", hemmed_in}).out, "--\n") << "koti passes";
}

TEST(Perft, CountsPlacementsFromTheStart) {
  // No mill can be closed within four placements: 24, 24 * 23, ... ways.
  EXPECT_EQ(mtb(words("perft --rules malom --depth 0")).out, "1\n");
  EXPECT_EQ(mtb(words("perft --rules malom --depth 1")).out, "24\n");
  EXPECT_EQ(mtb(words("perft --rules malom --depth 3 12,12 - - w")).out, "12144\n");
  EXPECT_EQ(mtb(words("perft --rules malom --depth 4")).out, "255024\n");
}

TEST(Perft, DividesByTheFirstTurn) {
  const Ending run = mtb(words("perft --rules malom --depth 2 --divide"));
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(std::count(run.out.begin(), run.out.end(), '\n'), 24 + 1);
  EXPECT_THAT(run.out, HasSubstr("a7 23\n"));
  EXPECT_TRUE(run.out.ends_with("total 552\n")) << run.out;
}

}  // namespace
}  // namespace mtb::tests
