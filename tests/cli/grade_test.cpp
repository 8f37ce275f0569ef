// `mtb grade`: recorded games against the tables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <string>

#include "game/notation.h"
#include "game/record.h"
#include "probe/tablebase.h"
#include "tests/cli/program.h"
#include "tests/rules_named.h"
#include "tests/shipped_tables.h"

namespace mtb {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using tests::Ending;
using tests::mtb;
using tests::shipped_tables;
using tests::TemporaryFolder;
using tests::write_file;

constexpr const char* kStart = "0,0 a7,b6,c4,c5 a4,c3,e3,g4 w";

/// A game from a position of four against four, White by the tables, Black at random.
GameRecord game_of(const Tablebase& base, std::mt19937_64& random) {
  GameRecord record;
  record.tags = {{"White", "Tables"}, {"Black", "Chance"}, {"Position", kStart}};
  Position position = *parse_position(kStart);
  for (int ply = 0; ply < 60 && verdict(base.rules(), position) == Verdict::open; ++ply) {
    const auto ranked = base.rank(position);
    EXPECT_TRUE(ranked);
    const std::size_t chosen = position.side == Colour::white ? 0 : random() % ranked->size();
    record.turns.push_back({to_string((*ranked)[chosen].turn), 0, ""});
    position = (*ranked)[chosen].position;
  }
  record.result = "*";
  return record;
}

std::string games(int count) {
  const std::array folders = {shipped_tables("malom")};
  const auto base = Tablebase::open(folders);
  EXPECT_TRUE(base);
  std::mt19937_64 random(17);
  std::string text;
  for (int i = 0; i < count; ++i) text += to_string(game_of(*base, random));
  return text;
}

Ending grade(const std::string& file, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments = {"grade", "--tables", shipped_tables("malom"), file};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return mtb(arguments);
}

TEST(Grade, FindsNoErrorInBestPlayAndSomeInChance) {
  TemporaryFolder folder;
  write_file(folder / "games", games(20));
  const Ending run = grade(folder / "games", {"--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  const json result = json::parse(run.out);
  EXPECT_EQ(result["games"].size(), 20u);
  EXPECT_EQ(result["broken"], 0);
  json chance;
  json tables;
  for (const json& player : result["players"]) {
    (player["player"] == "Tables" ? tables : chance) = player;
  }
  EXPECT_EQ(tables["games"], 20);
  EXPECT_EQ(tables["kept"], tables["decisions"]);
  EXPECT_EQ(tables["plies_lost"], 0);
  EXPECT_GT(chance["graded"], 20);
  EXPECT_LE(chance["low"], chance["accuracy"]);
  EXPECT_GE(chance["high"], chance["accuracy"]);
  for (const json& mistake : result["mistakes"]) EXPECT_EQ(mistake["player"], "Chance");
}

TEST(Grade, WritesRecordsThatCanBeGradedAgainWithTheSameTurns) {
  TemporaryFolder folder;
  write_file(folder / "games", games(5));
  const Ending annotated = grade(folder / "games", {"--annotate"});
  ASSERT_EQ(annotated.status, 0) << annotated.err;
  write_file(folder / "annotated", annotated.out);
  const Ending first = grade(folder / "games", {"--csv"});
  const Ending second = grade(folder / "annotated", {"--csv"});
  // The first field is the file's name.
  const auto without_names = [](const std::string& text) {
    std::istringstream lines(text);
    std::string result;
    for (std::string line; std::getline(lines, line);) {
      result += line.substr(line.find(',')) + '\n';
    }
    return result;
  };
  EXPECT_EQ(without_names(first.out), without_names(second.out));
}

TEST(Grade, NamesRecordsThatAreBrokenAndGradesTheRest) {
  TemporaryFolder folder;
  const std::string one = games(1);
  write_file(folder / "games", one + "[White \"no end\n\n" + one +
                                   "[Position \"nonsense\"]\n1. a1 *\n\n" + one +
                                   "[Event \"x\"]\n1. d6 d6 *\n\n" + one);
  const Ending run = grade(folder / "games", {"--json"});
  EXPECT_EQ(run.status, 2);
  const json result = json::parse(run.out);
  EXPECT_EQ(result["broken"], 3);
  EXPECT_EQ(result["games"].size(), 5u) << "the one with an illegal turn up to that";
  EXPECT_THAT(run.err, HasSubstr("d6 is taken"));
  EXPECT_THAT(run.err, HasSubstr("line"));
}

TEST(Grade, ReadsStandardInputAndOtherCoordinates) {
  tests::Surroundings given;
  given.input = "1. E1 E2 2. E3 *";
  const Ending run = mtb(
      {"grade", "--tables", shipped_tables("malom"), "--coordinates", "mssa", "--csv", "-"}, given);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("E1"));
}

TEST(Grade, SaysThatAFileIsNotThere) {
  const Ending run = grade("/no/such/file");
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("/no/such/file"));
}

TEST(Grade, ShowsPlayersAndTheirWorstMistakes) {
  TemporaryFolder folder;
  write_file(folder / "games", games(20));
  const Ending run = grade(folder / "games", {"--worst", "3"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("accuracy"));
  EXPECT_THAT(run.out, HasSubstr("Tables"));
}

}  // namespace
}  // namespace mtb
