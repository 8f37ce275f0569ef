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

/// What is graded with nothing but the tables that ship.
json graded(const std::string& text, int status, const std::string& complaint,
            const std::vector<std::string>& more = {}) {
  tests::Surroundings given;
  given.input = text;
  std::vector<std::string> arguments = {"grade", "--json", "-"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Ending run = mtb(arguments, given);
  EXPECT_EQ(run.status, status) << run.err;
  EXPECT_THAT(run.err, HasSubstr(complaint));
  return json::parse(run.out, nullptr, false);
}

TEST(Grade, TakesTheRulesOfEachRecordFromItsTag) {
  const std::string position = "[Position \"0,0 a7,b6,c4,c5 a4,c3,e3,g4 w\"]\n1. a7-d7 *\n\n";
  std::string text;
  for (const char* rules : {"malom", "no-such-rules", "tournament"}) {
    text += "[Rules \"" + std::string(rules) + "\"]\n" + position;
  }
  const json result = graded(text, 2, "line 5: there are no rules 'no-such-rules'");
  ASSERT_EQ(result["games"].size(), 2u);
  EXPECT_EQ(result["broken"], 1);
  for (std::size_t i = 0; i < 2; ++i) {
    const std::array folders = {shipped_tables(i == 0 ? "malom" : "tournament")};
    const auto base = Tablebase::open(folders);
    const auto value = base->probe(*parse_position("0,0 a7,b6,c4,c5 a4,c3,e3,g4 w"));
    const json turn = result["games"][i]["turns"][0];
    EXPECT_EQ(turn["outcome"], to_string(value->outcome));
    EXPECT_EQ(turn["best_dtc"].is_null(), !value->dtc) << "the tables of malom have no clock";
  }
  // What is asked for contradicts the tag.
  const json other = graded(text, 2, "line 1: ", {"--rules", "tournament"});
  EXPECT_EQ(other["games"].size(), 1u);
}

TEST(Grade, ShowsTheBestLineWhereATurnWasNotTheBest) {
  TemporaryFolder folder;
  write_file(folder / "games", games(5));
  const json result = json::parse(grade(folder / "games", {"--json", "--line", "3"}).out);
  int lines = 0;
  for (const json& game : result["games"]) {
    for (const json& turn : game["turns"]) {
      const bool worse = turn["outcome"] != turn["played"] ||
                         (!turn["plies_lost"].is_null() && turn["plies_lost"] > 0);
      ASSERT_EQ(turn["best_line"].is_null(), !worse) << turn;
      if (!worse) continue;
      ++lines;
      const auto line = tests::words(turn["best_line"]);
      EXPECT_EQ(line.front(), turn["best_turn"]);
      EXPECT_LE(line.size(), 3u);
    }
  }
  EXPECT_GT(lines, 10);
  const std::string annotated = grade(folder / "games", {"--annotate"}).out;
  EXPECT_THAT(annotated, ::testing::ContainsRegex("[0-9]+[ \n]plies[ \n]lost;[ \n]best"));

  // A win that is thrown away.
  const std::array folders = {shipped_tables("malom")};
  const auto base = Tablebase::open(folders);
  const auto ranked = base->rank(*parse_position(kStart));
  ASSERT_EQ(ranked->front().value->outcome, Outcome::win);
  ASSERT_EQ(ranked->back().value->outcome, Outcome::draw);
  write_file(folder / "lost", std::string("[Position \"") + kStart + "\"]\n1. " +
                                  to_string(ranked->back().turn) + " *\n");
  EXPECT_THAT(grade(folder / "lost", {"--annotate"}).out,
              HasSubstr("{win in " + std::to_string(*ranked->front().value->dtw) +
                        " thrown away, now draw; best " + to_string(ranked->front().turn)));
}

TEST(Grade, HasNoRateWhereThereWasNothingToDecide) {
  const json result = graded("1. d6 f4 *\n", 0, "");
  for (const json& player : result["players"]) {
    for (const char* rate : {"accuracy", "low", "high", "plies_lost"}) {
      EXPECT_TRUE(player[rate].is_null()) << player;
    }
  }
}

TEST(Grade, ShortensWhatItQuotesAndShowsNoControlCharacters) {
  tests::Surroundings given;
  given.input = "1. d6 " + std::string(5000, 'q') + "\n\n[Rules \"\x1b[31m" +
                std::string(500, 'r') + "\"]\n1. d6\n\n[White \"\x1b[31mred\"]\n1. d6 \x1b[31m *\n";
  const Ending run = mtb({"grade", "-"}, given);
  EXPECT_EQ(run.status, 2);
  EXPECT_LT(run.err.size(), 1000u);
  EXPECT_EQ((run.err + run.out).find('\x1b'), std::string::npos) << run.err << run.out;
}

TEST(Grade, NoticesAContradictoryResult) {
  const json result =
      graded("[Rules \"malom\"]\n[Position \"0,0 a7,d7,g4 a1,d1,f4 w\"]\n1. g4-g7xf4 0-1\n", 0,
             "ended as 1-0");
  EXPECT_FALSE(result["games"][0]["contradiction"].is_null());
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
