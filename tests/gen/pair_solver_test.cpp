#include "gen/pair_solver.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/gen/solved_family.h"

namespace mtb {
namespace {

/// Rule sets beside the named ones, each with something that those do not have.
std::map<std::string, RuleSet> artificial_rules() {
  std::map<std::string, RuleSet> rules;
  rules["strict"].targets = Targets::strict;
  rules["strict, no flying, two shots"].targets = Targets::strict;
  rules["strict, no flying, two shots"].fly_at = 0;
  rules["strict, no flying, two shots"].shots = Shots::per_mill;
  rules["strict, passing"].targets = Targets::strict;
  rules["strict, passing"].blocked = Blocked::pass;
  rules["strict, passing"].fly_at = 0;
  rules["any target, no flying"].targets = Targets::any;
  rules["any target, no flying"].fly_at = 0;
  rules["passing, no flying"].blocked = Blocked::pass;
  rules["passing, no flying"].fly_at = 0;
  rules["blocked draws, no flying"].blocked = Blocked::draw;
  rules["blocked draws, no flying"].fly_at = 0;
  rules["four fly"].fly_at = 4;
  rules["four fly, strict"].fly_at = 4;
  rules["four fly, strict"].targets = Targets::strict;
  rules["diagonals for moves only"].diagonals = Diagonals::moves_only;
  rules["diagonals for moves only, no flying"].diagonals = Diagonals::moves_only;
  rules["diagonals for moves only, no flying"].fly_at = 0;
  rules["no diagonals, no flying, passing"].diagonals = Diagonals::none;
  rules["no diagonals, no flying, passing"].fly_at = 0;
  rules["no diagonals, no flying, passing"].blocked = Blocked::pass;
  return rules;
}

std::map<std::string, RuleSet> all_rules() {
  std::map<std::string, RuleSet> rules = artificial_rules();
  for (const NamedRuleSet& named : named_rule_sets()) {
    rules[std::string(named.name)] = named.rules;
  }
  return rules;
}

/// Number of slots, every `step`-th, whose value is not the one that its successors give.
std::int64_t contradictions(const SolvedFamily& family, const LowerSector& values, Slot step) {
  const auto slots = static_cast<std::int64_t>(values.index().slots());
  std::int64_t wrong = 0;
#pragma omp parallel for schedule(dynamic, 1024) reduction(+ : wrong)
  for (std::int64_t slot = 0; slot < slots; slot += static_cast<std::int64_t>(step)) {
    const Position position = SolvedFamily::position_of(values, static_cast<Slot>(slot));
    if (values.code(static_cast<Slot>(slot)) != family.value_from_turns(position)) ++wrong;
  }
  return wrong;
}

/// Every decided value follows from its successors' by a distance one longer, so by induction all
/// of them are true; and a true win or loss cannot hide among the draws, for the quickest of those
/// that do would have successors that give it away. Agreement everywhere is therefore a proof; the
/// larger sectors are sampled, unless MTB_EXHAUSTIVE is set.
TEST(SolvedSectors, FollowFromTheirSuccessorsUnderEveryRuleSet) {
  const bool exhaustive = std::getenv("MTB_EXHAUSTIVE") != nullptr;
  for (const auto& [name, rules] : all_rules()) {
    SCOPED_TRACE(name);
    const SolvedFamily family(rules, {4, 3, 0, 0});
    for (const auto& [sector, values] : family.sectors()) {
      SCOPED_TRACE(to_string(sector));
      const bool small = sector.mover + sector.opponent == 6;
      EXPECT_EQ(contradictions(family, values, exhaustive ? 1 : small ? 5 : 101), 0);
    }
  }
}

// Five cows are the first that can close two mills at once, six against five the first pair in
// which the player with fewer cows can.
TEST(SolvedSectors, FollowFromTheirSuccessorsWhereTwoMillsCloseAtOnce) {
  const std::vector<std::tuple<std::string, Sector, Slot>> cases = {
      {"koti", {5, 5, 0, 0}, 9001},
      {"strict, no flying, two shots", {5, 4, 0, 0}, 4001},
      {"tournament", {6, 5, 0, 0}, 30011},
  };
  for (const auto& [name, sector, step] : cases) {
    SCOPED_TRACE(name);
    const SolvedFamily family(all_rules().at(name), sector);
    for (const auto& [lower, values] : family.sectors()) {
      EXPECT_EQ(contradictions(family, values, step), 0) << to_string(lower);
    }
  }
}

TEST(SolvedSectors, AreTheSameSeenFromAllSixteenSides) {
  const SolvedFamily family(rules_named("traditional"), {4, 4, 0, 0});
  std::mt19937_64 random(21);
  for (const auto& [sector, values] : family.sectors()) {
    std::uniform_int_distribution<Slot> any_slot(0, values.index().slots() - 1);
    for (int i = 0; i < 2000; ++i) {
      const Slot slot = any_slot(random);
      const Position position = SolvedFamily::position_of(values, slot);
      for (int s = 0; s < Symmetry::kCount; ++s) {
        const Position image = transformed(position, Symmetry(s));
        EXPECT_EQ(family.value(image), values.code(slot));
        EXPECT_EQ(family.value(colours_swapped(image)), values.code(slot));
      }
    }
  }
}

struct Counts {
  std::array<std::uint64_t, kOutcomeCount> placements{};
  std::uint32_t longest_win = 0;
  std::uint32_t longest_loss = 0;
};

Counts count(const LowerSector& values) {
  Counts counts;
  const SectorIndex& index = values.index();
  for (Slot slot = 0; slot < index.slots(); ++slot) {
    const Code code = values.code(slot);
    const Outcome outcome = dtw_code::outcome(code);
    counts.placements[static_cast<std::size_t>(outcome)] += static_cast<std::uint64_t>(
        index.classes().orbit(static_cast<std::uint32_t>(slot / index.columns())));
    if (outcome == Outcome::win) {
      counts.longest_win = std::max(counts.longest_win, dtw_code::plies(code));
    }
    if (outcome == Outcome::loss) {
      counts.longest_loss = std::max(counts.longest_loss, dtw_code::plies(code));
    }
  }
  return counts;
}

TEST(SolvedSectors, HaveTheCountsOfIndependentSolversUpToFourAgainstThree) {
  std::ifstream file(std::string(MTB_DATA_DIR) + "/reference/counts.csv");
  ASSERT_TRUE(file.is_open());
  std::map<std::string, SolvedFamily> families;
  std::string line;
  std::getline(file, line);
  int compared = 0;
  while (std::getline(file, line)) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream fields(line);
    std::string name;
    std::string sector_name;
    std::uint64_t win = 0;
    std::uint64_t draw = 0;
    std::uint64_t loss = 0;
    Counts expected;
    ASSERT_TRUE(fields >> name >> sector_name >> win >> draw >> loss >> expected.longest_win >>
                expected.longest_loss);
    const auto sector = parse_sector(sector_name);
    ASSERT_TRUE(sector);
    if (sector->mover + sector->opponent > 7) continue;
    SCOPED_TRACE(line);
    const auto family = families.try_emplace(name, rules_named(name), Sector{4, 3, 0, 0}).first;
    const Counts counts = count(family->second.sectors().at(*sector));
    EXPECT_EQ(counts.placements[static_cast<std::size_t>(Outcome::win)], win);
    EXPECT_EQ(counts.placements[static_cast<std::size_t>(Outcome::draw)], draw);
    EXPECT_EQ(counts.placements[static_cast<std::size_t>(Outcome::loss)], loss);
    EXPECT_EQ(counts.longest_win, expected.longest_win);
    EXPECT_EQ(counts.longest_loss, expected.longest_loss);
    ++compared;
  }
  EXPECT_EQ(compared, 15);
}

bool same_values(const SolvedFamily& a, const SolvedFamily& b, Sector sector) {
  const LowerSector& x = a.sectors().at(sector);
  const LowerSector& y = b.sectors().at(sector);
  for (Slot slot = 0; slot < x.index().slots(); ++slot) {
    if (x.code(slot) != y.code(slot)) return false;
  }
  return true;
}

TEST(RuleSets, ThatDifferOnlyInTheClockHaveTheSameDistances) {
  const SolvedFamily traditional(rules_named("traditional"), {5, 4, 0, 0});
  const SolvedFamily sanmill(rules_named("sanmill"), {5, 4, 0, 0});
  for (const auto& [sector, values] : traditional.sectors()) {
    EXPECT_TRUE(same_values(traditional, sanmill, sector)) << to_string(sector);
  }
}

// A double mill takes five cows; against three the first shot ends the game anyway.
TEST(RuleSets, ThatDifferOnlyInDoubleMillsAndFullBoardsAgreeWhereNeitherOccurs) {
  const SolvedFamily traditional(rules_named("traditional"), {5, 4, 0, 0});
  const SolvedFamily malom(rules_named("malom"), {5, 4, 0, 0});
  for (const auto& [sector, values] : traditional.sectors()) {
    const bool doubles = sector.mover + sector.opponent == 9;
    EXPECT_EQ(same_values(traditional, malom, sector), !doubles) << to_string(sector);
  }
}

TEST(RuleSets, ThatPassDoNotLoseByBeingBlocked) {
  RuleSet passing = rules_named("tournament");
  passing.blocked = Blocked::pass;
  // Three cows in a corner have five neighbours.
  const SolvedFamily losing_family(rules_named("tournament"), {5, 3, 0, 0});
  const SolvedFamily passing_family(passing, {5, 3, 0, 0});
  const auto lost_at_once = [](const SolvedFamily& family) {
    int count = 0;
    for (const auto& [sector, values] : family.sectors()) {
      for (Slot slot = 0; slot < values.index().slots(); ++slot) {
        count += values.code(slot) == dtw_code::decided(0) ? 1 : 0;
      }
    }
    return count;
  };
  EXPECT_GT(lost_at_once(losing_family), 0);
  EXPECT_EQ(lost_at_once(passing_family), 0);
}

/// Whether some move of a player with so many cows may break a mill and close another: found from
/// all of that player's sets.
bool may_reform(int cows, const RuleSet& rules) {
  const Board& lines = board(rules.diagonals);
  for (std::uint32_t bits = 0; bits < (1u << kPointCount); ++bits) {
    if (std::popcount(bits) != cows) continue;
    const PointSet set = PointSet(bits);
    for (Point from : lines.in_mills(set)) {
      const PointSet steps = lines.neighbours[static_cast<std::size_t>(index(from))];
      for (Point to : (cows <= rules.fly_at ? ~set : steps - set)) {
        if (lines.mills_at(to, set.without(from).with(to)) > 0) return true;
      }
    }
  }
  return false;
}

TEST(Bans, StayInAPairOnlyWhereSomeMoveBreaksAMillAndClosesAnother) {
  for (const int fly_at : {0, 3, 4}) {
    RuleSet declined = rules_named("iggamecenter");
    declined.fly_at = static_cast<std::uint8_t>(fly_at);
    for (int cows = 3; cows <= 6; ++cows) {
      EXPECT_EQ(bans_stay(Pair::of(cows, 3), declined), may_reform(cows, declined))
          << cows << " cows, flying at " << fly_at;
    }
  }
  EXPECT_FALSE(bans_stay(Pair::of(6, 6), rules_named("gar")));
  EXPECT_FALSE(bans_stay(Pair::of(6, 6), rules_named("malom")));
}

TEST(Solving, GivesTheSameValuesForAnyNumberOfThreads) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const SolvedFamily one(rules_named("koti"), {4, 4, 0, 0});
  for (int threads : {2, 3, 7}) {
    omp_set_num_threads(threads);
    const SolvedFamily many(rules_named("koti"), {4, 4, 0, 0});
    for (const auto& [sector, values] : one.sectors()) {
      EXPECT_TRUE(same_values(one, many, sector)) << to_string(sector) << ' ' << threads;
    }
  }
  omp_set_num_threads(before);
}

}  // namespace
}  // namespace mtb
