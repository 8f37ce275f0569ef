// `mtb probe`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace mtb::tests {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

// White closes a7-b6-c5 with d2 and shoots the third cow: a win in one ply.
const std::string kMill = "0,0 a7,b6,d2 c3,f2,g4 w";
const std::string kFourCows = "0,0 a7,b6,d2,d1 c3,f2,g4 w";

/// 3v3 of `traditional` in tables/traditional of an own folder, which is the current one.
class Probe : public ::testing::Test {
 protected:
  void SetUp() override {
    here_.folder = folder_.path();
    ASSERT_EQ(mtb(words("gen --rules traditional --to 3v3"), here_).status, 0);
  }

  std::filesystem::path tables() const { return folder_ / "tables/traditional"; }

  /// Runs `mtb probe --tables` of the folder with more arguments.
  Ending probe(std::vector<std::string> more) const {
    more.insert(more.begin(), {"probe", "--tables", tables()});
    return mtb(more, here_);
  }

  Ending batch(const std::string& lines) const {
    Surroundings given = here_;
    given.input = lines;
    return mtb({"probe", "--tables", tables(), "--batch", "-"}, given);
  }

  TemporaryFolder folder_;
  Surroundings here_;
};

TEST_F(Probe, ShowsBoardResultTurnsAndLine) {
  const Ending run = probe({kMill});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_THAT(run.out, HasSubstr("7  O-----------.-----------.\n"
                                 "   | \\         |         / |\n"
                                 "6  |   O-------.-------.   |\n"
                                 "   |   | \\     |     / |   |\n"
                                 "5  |   |   .---.---.   |   |\n"
                                 "   |   |   |       |   |   |\n"
                                 "4  .---.---.       .---.---@\n"
                                 "   |   |   |       |   |   |\n"
                                 "3  |   |   @---.---.   |   |\n"
                                 "   |   | /     |     \\ |   |\n"
                                 "2  |   .-------O-------@   |\n"
                                 "   | /         |         \\ |\n"
                                 "1  .-----------.-----------.\n"
                                 "   a   b   c   d   e   f   g\n"));
  EXPECT_THAT(run.out, HasSubstr("White wins, next shot or end in 1 ply "
                                 "(the end in 1 ply without the 50-ply draw clock)"));
  EXPECT_THAT(run.out, HasSubstr("\nd2-c5xg4       win         1      1\n"));
  EXPECT_THAT(run.out, HasSubstr("\nbest line: d2-c5xg4\n"));  // g4 is the first in point order
}

TEST_F(Probe, FindsTablesOfTheCurrentFolderByItself) {
  const std::string expected = probe({kMill}).out;
  EXPECT_EQ(mtb({"probe", kMill}, here_).out, expected);
  EXPECT_EQ(mtb({"probe", "--rules", "traditional", kMill}, here_).out, expected);
  EXPECT_EQ(mtb({"probe", "--tables", "tables/traditional", kMill}, here_).out, expected);
}

TEST_F(Probe, SpeaksJsonWithKeysInFixedOrder) {
  const Ending run = probe({"--json", kMill});
  EXPECT_EQ(run.status, 0);
  const Json json = Json::parse(run.out);
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  EXPECT_THAT(keys, ::testing::ElementsAre("position", "fen", "rules", "sector", "outcome", "dtw",
                                           "dtc", "clock", "turns", "line"));
  EXPECT_EQ(json["position"], kMill);
  EXPECT_THAT(json["fen"].get<std::string>(),
              HasSubstr("*****@**/***@O**O/**@****O w m s 3 0 3 0"));
  EXPECT_EQ(json["rules"]["name"], "traditional");
  EXPECT_EQ(json["rules"]["fingerprint"], mtb({"rules", "traditional"}).out.substr(14, 16));
  EXPECT_EQ(json["sector"], "3v3");
  EXPECT_EQ(json["outcome"], "win");
  EXPECT_EQ(json["dtw"], 1);
  EXPECT_EQ(json["dtc"], 1);
  EXPECT_EQ(json["clock"], "applied");
  // 3 cows to 18 empty points each; one of these turns closes a mill and may shoot three cows.
  EXPECT_EQ(json["turns"].size(), 3u * 18 - 1 + 3);
  EXPECT_EQ(json["turns"][0]["turn"], "d2-c5xg4");
  EXPECT_EQ(json["turns"][0]["outcome"], "win");
  EXPECT_EQ(json["turns"][0]["dtw"], 1);
  EXPECT_EQ(json["turns"][0]["dtc"], 1);
  EXPECT_EQ(json["turns"][0]["position"], "0,0 a7,b6,c5 c3,f2 b");
  EXPECT_EQ(json["line"], Json::array({"d2-c5xg4"}));
}

TEST_F(Probe, AnswersWithoutADistanceWhereThereIsNone) {
  for (const char* name : {"3v3.dtw", "3v3.dtc"}) std::filesystem::remove(tables() / name);
  const Json json = Json::parse(probe({"--json", kMill}).out);
  EXPECT_EQ(json["outcome"], "win");
  EXPECT_TRUE(json["dtw"].is_null());
  EXPECT_THAT(probe({kMill}).out, HasSubstr("3v3: White wins\n"));
}

TEST_F(Probe, TakesAPositionInSeveralFormsAndCoordinates) {
  const std::string expected = probe({kMill}).out;
  EXPECT_EQ(probe(words(kMill)).out, expected);
  EXPECT_EQ(probe({"*****@**/***@O**O/**@****O w m s 3 0 3 0 0 0 -1 -1 -1 -1 0 0 1"}).out,
            expected);
  const Ending mssa = probe({"--coordinates", "mssa", "0,0 E1,A1,A6 R7,A5,E4 w"});
  EXPECT_THAT(mssa.out, HasSubstr("best line: A6-R1xE4"));
}

TEST_F(Probe, SaysThatTheGameIsOver) {
  const Ending run = probe({"0,0 a7,b6 c3,f2,g4 w"});
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.out, HasSubstr("White has fewer than three cows: Black wins"));
  const Json json = Json::parse(probe({"--json", "0,0 a7,b6 c3,f2,g4 w"}).out);
  EXPECT_EQ(json["outcome"], "loss");
  EXPECT_EQ(json["dtw"], 0);
  EXPECT_TRUE(json["turns"].empty());
  EXPECT_TRUE(json["line"].empty());
}

TEST_F(Probe, AnswersWhatShotIsBestWhenOneIsOwed) {
  // White has closed a7-b6-c5 and has a shot left.
  const std::string fen = "*****@*O/***@***O/**@****O w m r 3 0 3 0 1 0 -1 -1 -1 -1 0 0 1";
  const Json json = Json::parse(probe({"--json", fen}).out);
  EXPECT_EQ(json["outcome"], "win");
  EXPECT_EQ(json["dtw"], 1);
  EXPECT_EQ(json["turns"].size(), 3u);
  EXPECT_EQ(json["line"], Json::array({"xg4"}));
}

TEST_F(Probe, NamesTheSectorThatIsMissing) {
  const Ending run = probe({kFourCows});
  expect_refusal(run, 1);
  EXPECT_THAT(run.err, HasSubstr("4v3"));
  EXPECT_THAT(run.err, HasSubstr(tables().string()));
}

TEST_F(Probe, NamesTheFolderThatIsMissing) {
  const Ending run = mtb({"probe", "--tables", folder_ / "nowhere", kMill});
  expect_refusal(run, 1);
  EXPECT_THAT(run.err, HasSubstr("nowhere"));
}

TEST_F(Probe, SaysHowToMakeTablesWhenThereAreNone) {
  write_file(folder_ / "mine.toml", mtb({"rules", "malom"}).out + "# fly_at = 3\n");
  std::string rules = read_file(folder_ / "mine.toml");
  rules.replace(rules.find("cows = 12"), 9, "cows = 7");
  write_file(folder_ / "mine.toml", rules);
  const Ending run = mtb({"probe", "--rules", "mine.toml", kMill}, here_);
  expect_refusal(run, 1);
  EXPECT_THAT(run.err, HasSubstr("tables/mine"));
  EXPECT_THAT(run.err, HasSubstr("mtb gen"));
}

TEST_F(Probe, RefusesDamagedAndForeignTables) {
  const std::string sound = read_file(tables() / "3v3.dtw");
  for (const char* name : {"3v3.dtc", "3v3.dtw", "3v3.wdl"}) {
    write_file(tables() / name, "no table");
  }
  const Ending damaged = probe({kMill});
  expect_refusal(damaged, 3);
  EXPECT_THAT(damaged.err, HasSubstr("3v3.dtc"));

  write_file(tables() / "3v3.dtw", sound);
  const Ending foreign = probe({"--rules", "koti", kMill});
  expect_refusal(foreign, 3);
  EXPECT_THAT(foreign.err, HasSubstr("traditional"));
}

TEST_F(Probe, AnswersFromSoundTablesAndNamesTheOthers) {
  write_file(tables() / "4v3.dtc", "no table");
  const Ending run = probe({kMill});
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.out, HasSubstr("White wins, next shot or end in 1 ply"));
  EXPECT_THAT(run.err, HasSubstr("4v3.dtc"));
  expect_refusal(probe({kFourCows}), 3);
}

// ---- --batch

TEST_F(Probe, AnswersABatchLineByLine) {
  const Ending run = batch(kMill + "\n" + "# a comment\n" + "\n" + "  \t\r\n" +
                           "0,0 a7,b6 c3,f2,g4 w\n" + "0,0 a7,b6,d2 c3,f2 w");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(run.out, "win,1,1\n\n\n\nloss,0,0\nwin,0,0\n");
}

TEST_F(Probe, ReadsABatchFromAFileWithAnyLineEnds) {
  write_file(folder_ / "positions.txt", kMill + "\r\n" + kMill + "\r\n");
  EXPECT_EQ(probe({"--batch", folder_ / "positions.txt"}).out, "win,1,1\nwin,1,1\n");
  const Ending missing = probe({"--batch", folder_ / "nowhere.txt"});
  expect_refusal(missing, 1);
  EXPECT_THAT(missing.err, HasSubstr("nowhere.txt"));
  const Ending no_file = probe({"--batch", folder_.path()});
  expect_refusal(no_file, 4);
}

TEST_F(Probe, GoesOnInABatchAfterLinesThatCannotBeRead) {
  const Ending run = batch("hello\n" + kMill + "\n0,0 a7,a7,d2 c3,f2,g4 w\n");
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.out, ",,\nwin,1,1\n,,\n");
  std::istringstream lines(run.err);
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_TRUE(line.starts_with("mtb: line 1: ")) << line;
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_TRUE(line.starts_with("mtb: line 3: ")) << line;
  EXPECT_FALSE(std::getline(lines, line)) << line;
}

TEST_F(Probe, NamesEachMissingSectorOfABatchOnce) {
  const std::string black = "0,0 a7,b6,d2,d1 c3,f2,g4 b";
  const Ending run =
      batch(kFourCows + "\n" + kMill + "\n" + black + "\n" + kFourCows + "\n" + black + "\n");
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.out, ",,\nwin,1,1\n,,\n,,\n,,\n");
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 2) << run.err;
  EXPECT_THAT(run.err, HasSubstr("4v3 "));
  EXPECT_THAT(run.err, HasSubstr("3v4 "));
}

TEST_F(Probe, StopsABatchWhoseAnswersNobodyReads) {
  std::string many;
  for (int i = 0; i < 20000; ++i) many += kMill + "\n";
  Surroundings given = here_;
  given.input = many;
  given.output_has_no_reader = true;
  expect_refusal(mtb({"probe", "--tables", tables(), "--batch", "-"}, given), 4);
}

TEST(TheShippedTables, AnswerAtOnce) {
  TemporaryFolder empty;
  Surroundings here;
  here.folder = empty.path();
  const Ending run = mtb({"probe", kMill}, here);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("White wins, next shot or end in 1 ply"));
}

}  // namespace
}  // namespace mtb::tests
