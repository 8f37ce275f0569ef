// `mtb line`, and what `mtb stats` finds by going through whole tables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "game/notation.h"
#include "game/turns.h"
#include "probe/rules_name.h"
#include "tests/cli/program.h"
#include "tests/rules_named.h"
#include "tests/shipped_tables.h"

namespace mtb {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using tests::Ending;
using tests::mtb;
using tests::rules_named;
using tests::shipped_tables;

json said(const std::vector<std::string>& arguments) {
  const Ending run = mtb(arguments);
  EXPECT_EQ(run.status, 0) << run.err;
  return json::parse(run.out, nullptr, false);
}

// ---- line

TEST(Line, OfAWonPositionIsLegalAndAsLongAsItsDistance) {
  const RuleSet rules = rules_named("malom");
  const std::string start = "0,0 a7,b6,c4,c5 a4,c3,e3,g4 w";
  const json first = said({"probe", "--tables", shipped_tables("malom"), "--json", start});
  ASSERT_NE(first["outcome"], "draw") << "the test wants a decided position";
  const json line = said({"line", "--tables", shipped_tables("malom"), "--json", start});
  ASSERT_EQ(line.size(), first["dtw"].get<std::size_t>());
  Position position = *parse_position(start);
  for (std::size_t i = 0; i < line.size(); ++i) {
    const json& step = line[i];
    EXPECT_EQ(step["ply"], i + 1);
    EXPECT_EQ(step["position"], to_string(position));
    EXPECT_EQ(step["dtw"], line.size() - i);
    EXPECT_EQ(step["outcome"], i % 2 == 0 ? first["outcome"] : line[1]["outcome"]);
    const Turn turn = *parse_turn(step["turn"].get<std::string>());
    const auto legal = legal_turns(rules, position);
    ASSERT_NE(std::ranges::find(legal, turn), legal.end()) << step;
    position = play(rules, position, turn);
  }
  EXPECT_THAT(verdict(rules, position), ::testing::AnyOf(Verdict::loss, Verdict::win));
}

TEST(Line, OfADrawnPositionGoesOnUntilAPositionComesAgainOrForSoManyPlies) {
  const std::string drawn = "0,0 a7,b6,d2,g1 c3,f2,g4,d5 w";
  const json first = said({"probe", "--tables", shipped_tables("malom"), "--json", drawn});
  ASSERT_EQ(first["outcome"], "draw") << "the test wants a drawn position";
  const json line =
      said({"line", "--tables", shipped_tables("malom"), "--drawn-plies", "6", "--json", drawn});
  EXPECT_LE(line.size(), 6u);
  EXPECT_GE(line.size(), 1u);
  for (const json& step : line) EXPECT_EQ(step["outcome"], "draw");
}

TEST(Line, SaysHowItEnds) {
  const Ending run = mtb({"line", "--tables", shipped_tables("malom"), "0,0 a7,d7,b6 a1,d1,g1 w"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("outcome"));
  EXPECT_THAT(run.out, HasSubstr("wins"));
}

TEST(Line, NamesTheTableThatIsMissing) {
  const Ending run =
      mtb({"line", "--tables", shipped_tables("malom"), "0,0 a7,d7,b6,b4,b2 a1,d1,g1,g4,f4 w"});
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("5v5"));
}

// ---- stats

TEST(StatsOfWholeTables, CountEveryPlacementOnceInAHistogram) {
  const json outcomes = said({"stats", "--tables", shipped_tables("tournament"), "--json"});
  const json counts =
      said({"stats", "--tables", shipped_tables("tournament"), "--histogram", "--json"});
  for (const json& sector : outcomes) {
    for (const char* outcome : {"win", "clock_win", "draw", "clock_loss", "loss"}) {
      std::uint64_t positions = 0;
      std::uint64_t longest = 0;
      for (const json& count : counts) {
        if (count["sector"] != sector["sector"] || count["outcome"] != outcome) continue;
        if (count["metric"] == "dtc") positions += count["positions"].get<std::uint64_t>();
        if (count["metric"] == "dtw" && !count["plies"].is_null()) {
          longest = std::max(longest, count["plies"].get<std::uint64_t>());
        }
      }
      EXPECT_EQ(positions, sector[outcome]) << sector["sector"] << ' ' << outcome;
      const std::string title = std::string("longest_") + outcome;
      if (sector.contains(title)) {
        EXPECT_EQ(longest, sector[title]);
      }
    }
  }
}

TEST(StatsInPercent, AreNothingOrAllOnlyWhereThatIsSo) {
  const std::string folder = shipped_tables("tournament");
  const json counts = said({"stats", "--tables", folder, "--json"});
  const json shares = said({"stats", "--tables", folder, "--percent", "--json"});
  ASSERT_EQ(counts.size(), shares.size());
  double least = 100;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    for (const char* outcome : {"win", "clock_win", "draw", "clock_loss", "loss"}) {
      const double share = shares[i][outcome];
      const double exact =
          100 * counts[i][outcome].get<double>() / counts[i]["positions"].get<double>();
      EXPECT_NEAR(share, exact, 0.005);
      EXPECT_EQ(share == 0, counts[i][outcome] == 0) << counts[i]["sector"] << ' ' << outcome;
      EXPECT_EQ(share == 100, counts[i][outcome] == counts[i]["positions"]);
      if (share > 0) least = std::min(least, share);
    }
  }
  EXPECT_LT(least, 0.005) << "the test wants a share that two places do not show";
}

TEST(StatsOfWholeTables, GiveExamplesOfTheLongestWinsAndLosses) {
  const json longest = said({"stats", "--tables", shipped_tables("malom"), "--longest", "--json"});
  ASSERT_FALSE(longest.empty());
  std::set<std::string> outcomes;
  for (const json& row : longest) {
    outcomes.insert(row["outcome"]);
    const json probed =
        said({"probe", "--tables", shipped_tables("malom"), "--json", row["example"]});
    EXPECT_EQ(probed["sector"], row["sector"]);
    EXPECT_EQ(probed["outcome"], row["outcome"]);
    EXPECT_EQ(probed[row["metric"].get<std::string>()], row["plies"]);
  }
  EXPECT_EQ(outcomes, (std::set<std::string>{"loss", "win"}));
}

TEST(StatsOfWholeTables, FindWinsWithFewerCows) {
  const json curious = said({"stats", "--tables", shipped_tables("malom"), "--curious", "--json"});
  const json outcomes = said({"stats", "--tables", shipped_tables("malom"), "--json"});
  std::uint64_t wins = 0;
  for (const json& row : outcomes) {
    if (row["sector"] == "3v4") wins = row["win"];
  }
  bool found = false;
  for (const json& row : curious) {
    if (row["sector"] != "3v4" || row["what"] != "wins with fewer cows") continue;
    found = true;
    EXPECT_EQ(row["positions"], wins);
  }
  EXPECT_TRUE(found);
}

TEST(StatsOfWholeTables, QuoteCellsWithCommasAsCsv) {
  const Ending run = mtb({"stats", "--tables", shipped_tables("malom"), "--longest", "--csv"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr(",\"0,0 "));
  EXPECT_TRUE(run.out.starts_with("sector,metric,outcome,plies,positions,example\n")) << run.out;
}

TEST(StatsOfWholeTables, ShowOneThingAtATime) {
  EXPECT_EQ(mtb({"stats", "--tables", shipped_tables("malom"), "--longest", "--curious"}).status,
            2);
}

}  // namespace
}  // namespace mtb
