// Rule sets against one another: where they cannot differ their tables are the same, and where one
// gives a player more, that player has no less.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "format/table.h"
#include "gen/generate.h"
#include "tests/rules_named.h"
#include "tests/temporary_folder.h"

namespace mtb {
namespace {

using tests::rules_named;
using tests::TemporaryFolder;

/// The codes of every table up to a sector, one after the other.
class Family {
 public:
  Family(const RuleSet& rules, Sector up_to, Metrics metrics) {
    GenerateOptions options;
    options.rules = rules;
    options.pairs = *pairs_needed_by(up_to, rules);
    options.folder = folder_.path();
    options.metrics = metrics;
    options.generator = "a test";
    GenerateObserver silent;
    const Result<void> made = generate(options, silent);
    EXPECT_TRUE(made) << made.error().message;
  }

  std::vector<Code> codes(Sector sector, Metric metric) const {
    const auto table =
        TableFile::open(folder_.path() / table_file_name(sector, metric), ClassCache());
    if (!table) {
      ADD_FAILURE() << table.error().message;
      return {};
    }
    std::vector<Code> result(table->index().slots());
    EXPECT_TRUE(table->read_slots(0, result));
    return result;
  }

 private:
  TemporaryFolder folder_;
};

constexpr Sector kThreeThree{3, 3, 0, 0};
constexpr Sector kFourThree{4, 3, 0, 0};
constexpr Sector kThreeFour{3, 4, 0, 0};
constexpr Sector kFourFour{4, 4, 0, 0};

void expect_same_distances(const RuleSet& a, const RuleSet& b, const std::vector<Sector>& sectors) {
  const Metrics distances{.wdl = false, .dtw = true, .dtc = false};
  const Family first(a, sectors.back(), distances);
  const Family second(b, sectors.back(), distances);
  for (const Sector sector : sectors) {
    EXPECT_EQ(first.codes(sector, Metric::dtw), second.codes(sector, Metric::dtw))
        << to_string(sector);
  }
}

// Two lines through one point take five cows.
TEST(RuleSetsThatCannotDiffer, AreThoseWithOneShotAndWithOnePerMillUpToFourCows) {
  RuleSet one = rules_named("traditional");
  one.clock = {};
  one.shots = Shots::one;
  RuleSet per_mill = one;
  per_mill.shots = Shots::per_mill;
  expect_same_distances(one, per_mill, {kThreeThree, kFourThree, kThreeFour, kFourFour});
}

// A cow that steps from one line to another, and both of them full, takes five.
TEST(RuleSetsThatCannotDiffer, AreThoseWithBansAndWithoutUpToFourCows) {
  RuleSet free = rules_named("gar");
  free.clock = {};
  free.reform = Reform::none;
  for (const Reform reform : {Reform::cow_if_mill, Reform::cow, Reform::mill}) {
    RuleSet banned = free;
    banned.reform = reform;
    expect_same_distances(free, banned, {kThreeThree, kFourThree, kThreeFour, kFourFour});
  }
}

// A player who flies is blocked by a full board alone, and seven cows do not fill it.
TEST(RuleSetsThatCannotDiffer, AreThoseOfBlockedPlayersWhereBothFly) {
  RuleSet lose = rules_named("traditional");
  lose.clock = {};
  lose.blocked = Blocked::loss;
  RuleSet pass = lose;
  pass.blocked = Blocked::pass;
  RuleSet draw = lose;
  draw.blocked = Blocked::draw;
  expect_same_distances(lose, pass, {kThreeThree});
  expect_same_distances(lose, draw, {kThreeThree});
}

// With three cows on either side a shot ends the game, whether cows in mills are protected or not,
// unless no cow may be shot at all: the one who shoots has won.
TEST(RuleSetsThatCannotDiffer, AreThoseOfTargetsWhereAShotEndsTheGame) {
  RuleSet any = rules_named("traditional");
  any.clock = {};
  any.targets = Targets::any;
  RuleSet free_first = any;
  free_first.targets = Targets::free_first;
  expect_same_distances(any, free_first, {kThreeThree});
}

// The longer the clock, the more of what is won without it is won with it, and nothing else
// changes. (Of most other freedoms nothing of the kind is a theorem: whoever may decline a shot, or
// fly longer, may so on both sides, and what helps the one may hurt the other.)
TEST(ALongerClock, TakesNoWinAway) {
  RuleSet rules = rules_named("tournament");
  const Metrics outcomes{.wdl = true, .dtw = false, .dtc = true};
  rules.clock.plies = 6;
  const Family brief(rules, kFourThree, outcomes);
  rules.clock.plies = 12;
  const Family longer(rules, kFourThree, outcomes);
  rules.clock = {};
  const Family without(rules, kFourThree, {.wdl = true, .dtw = true, .dtc = false});
  std::size_t gained = 0;
  for (const Sector sector : {kThreeThree, kFourThree, kThreeFour}) {
    const auto short_codes = brief.codes(sector, Metric::wdl);
    const auto long_codes = longer.codes(sector, Metric::wdl);
    const auto plain_codes = without.codes(sector, Metric::wdl);
    for (std::size_t slot = 0; slot < plain_codes.size(); ++slot) {
      const Outcome plain = *wdl_code::outcome(plain_codes[slot]);
      const Outcome with_short = *wdl_code::outcome(short_codes[slot]);
      const Outcome with_long = *wdl_code::outcome(long_codes[slot]);
      const auto is_win = [](Outcome outcome) { return outcome < Outcome::draw; };
      ASSERT_EQ(is_win(with_short), plain == Outcome::win) << slot;
      ASSERT_EQ(is_win(with_long), plain == Outcome::win) << slot;
      ASSERT_EQ(with_short == Outcome::draw, plain == Outcome::draw) << slot;
      ASSERT_FALSE(with_short == Outcome::win && with_long != Outcome::win) << slot;
      ASSERT_FALSE(with_short == Outcome::loss && with_long != Outcome::loss) << slot;
      gained += with_short != with_long ? 1 : 0;
    }
  }
  EXPECT_GT(gained, 0u) << "six plies are enough for everything: the test shows nothing";
}

}  // namespace
}  // namespace mtb
