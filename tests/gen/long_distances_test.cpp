// Distances far beyond those of any true sector. The tables below a pair are made up, so what must
// come out follows by an argument, or from the rules and the values of all successors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <random>
#include <vector>

#include "format/table.h"
#include "gen/generate.h"
#include "tests/gen/solved_family.h"
#include "tests/probe/made_up_table.h"
#include "tests/shipped_tables.h"
#include "tests/temporary_folder.h"

namespace mtb {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using tests::longer_by;
using tests::TemporaryFolder;
using tests::write_distances;

using Codes = std::vector<Code>;

constexpr Sector k3v3{3, 3, 0, 0};
constexpr Sector k3v4{3, 4, 0, 0};
constexpr Sector k4v3{4, 3, 0, 0};
constexpr Sector k4v4{4, 4, 0, 0};

Codes read_distances(const fs::path& folder, Sector sector) {
  return tests::read_distances(folder / table_file_name(sector, Metric::dtw));
}

/// Solves one pair above the tables that are in the folder.
Result<void> generate_pair(const RuleSet& rules, Sector sector, const fs::path& folder) {
  GenerateOptions options;
  options.rules = rules;
  options.pairs = {Pair::of(sector.mover, sector.opponent)};
  options.folder = folder;
  options.metrics = {.wdl = false, .dtw = true, .dtc = false};
  options.generator = "a test";
  GenerateObserver nobody;
  return generate(options, nobody);
}

/// Four against four under rules in which a blocked player passes: every game that ends leaves the
/// sector by a shot. If all that shots lead to takes an even number of plies longer, so does
/// everything in the sector, and nothing else changes: the shortest and the longest of several
/// distances stay so when a constant is added to all of them.
class FourAgainstFour : public ::testing::Test {
 protected:
  /// The distances of the sector when those of three against four are `below`.
  Result<Codes> solve_above(const Codes& below) {
    const TemporaryFolder folder;
    write_distances(folder.path(), rules_, k3v4, below);
    return generate_pair(rules_, k4v4, folder.path()).map([&] {
      return read_distances(folder.path(), k4v4);
    });
  }

  const RuleSet rules_ = rules_named("koti");
  const fs::path shipped_ = tests::shipped_tables("koti");
};

TEST_F(FourAgainstFour, TakesLongerByAsMuchAsWhatItsShotsLeadTo) {
  const Codes below = read_distances(shipped_, k3v4);
  const Codes solved = read_distances(shipped_, k4v4);
  const Code largest = *std::max_element(below.begin(), below.end());
  ASSERT_EQ(largest, dtw_code::decided(23));
  // The largest codes below that fit a byte, and the smallest that do not; beyond 510 plies; and
  // the largest codes that there are.
  for (const std::uint32_t more : {254u - largest, 256u - largest, 600u, 65534u - largest}) {
    SCOPED_TRACE(more);
    const auto shifted = solve_above(longer_by(more, below));
    ASSERT_TRUE(shifted) << shifted.error().message;
    EXPECT_EQ(*shifted, longer_by(more, solved));
  }
}

TEST_F(FourAgainstFour, IsSolvedAsFarAsDistancesFitTheFormatAndThenRefused) {
  // Whoever is lost at all below is lost in the same number of plies, and nobody wins.
  const auto losses_in = [&](std::uint32_t plies) {
    Codes codes = read_distances(shipped_, k3v4);
    for (Code& code : codes) {
      const bool lost = dtw_code::outcome(code) == Outcome::loss;
      code = lost ? dtw_code::decided(plies) : dtw_code::draw();
    }
    return codes;
  };
  const auto near = solve_above(losses_in(0));
  ASSERT_TRUE(near);
  const std::uint32_t longest = dtw_code::plies(*std::max_element(near->begin(), near->end()));
  const auto beyond_a_byte = solve_above(losses_in(254));
  ASSERT_TRUE(beyond_a_byte) << beyond_a_byte.error().message;
  EXPECT_EQ(*beyond_a_byte, longer_by(254, *near));

  // The longest is a win, and 65,533 is the largest odd number of plies for which there is a code.
  ASSERT_EQ(longest % 2, 1u) << "the longest distance is a win";
  const std::uint32_t most = 65533 - longest;
  const auto farthest = solve_above(losses_in(most));
  ASSERT_TRUE(farthest) << farthest.error().message;
  EXPECT_EQ(*farthest, longer_by(most, *near));

  const auto too_far = solve_above(losses_in(most + 2));
  ASSERT_FALSE(too_far);
  EXPECT_EQ(too_far.error().fault, Fault::not_supported);
  EXPECT_THAT(too_far.error().message, HasSubstr("4v4"));
  EXPECT_THAT(too_far.error().message, HasSubstr("plies"));
}

/// The smallest number of a slot that stands for the same position.
Slot first_equivalent(const SectorIndex& index, Slot slot) {
  const auto placement = index.placement(slot);
  Slot first = slot;
  for (int g = 1; g < Symmetry::kCount; ++g) {
    const Symmetry symmetry(g);
    first = std::min(first, index.slot({symmetry(placement.mover), symmetry(placement.opponent)}));
  }
  return first;
}

/// Near and far distances meet where one player's shots end the game and the other's lead into a
/// sector of random values. Each value must be what the turns of game/ and the values behind them
/// make it; as for true sectors, that proves all of them (pair_solver_test.cpp).
TEST(FourAgainstThree, FollowsFromItsSuccessorsAboveRandomDistances) {
  const ClassCache cache;
  for (const auto& [name, longest] : std::map<std::string, std::uint32_t>{
           {"traditional", 300}, {"koti", 600}, {"tournament", 65000}}) {
    SCOPED_TRACE(name);
    const RuleSet rules = rules_named(name);
    RuleSet unclocked = rules;
    unclocked.clock = {};
    const TemporaryFolder folder;
    const SectorIndex below_index(k3v3, default_key(k3v3), cache);
    std::mt19937 random(7);
    std::uniform_int_distribution<std::uint32_t> any_code(0, longest + 1);
    Codes below(below_index.slots());
    for (Code& code : below) code = static_cast<Code>(any_code(random));
    for (Slot slot = 0; slot < below.size(); ++slot) {
      below[slot] = below[first_equivalent(below_index, slot)];
    }
    write_distances(folder.path(), rules, k3v3, below);
    const auto generated = generate_pair(rules, k4v3, folder.path());
    ASSERT_TRUE(generated) << generated.error().message;

    const std::map<Sector, Codes> codes = {{k3v3, below},
                                           {k3v4, read_distances(folder.path(), k3v4)},
                                           {k4v3, read_distances(folder.path(), k4v3)}};
    const auto value = [&](const Position& position) {
      if (verdict(unclocked, position) == Verdict::loss) return dtw_code::decided(0);
      const Sector sector = position.sector();
      const SectorIndex index(sector, default_key(sector), cache);
      return codes.at(sector)[index.slot({position.mover(), position.opponent()})];
    };
    for (const Sector sector : {k3v4, k4v3}) {
      const SectorIndex index(sector, default_key(sector), cache);
      const Codes& solved = codes.at(sector);
      int wrong = 0;
      int far = 0;
      for (Slot slot = 0; slot < solved.size(); slot += 149) {
        Position position;
        const auto placement = index.placement(slot);
        position.cows = {placement.mover, placement.opponent};
        far += solved[slot] > dtw_code::decided(255) ? 1 : 0;
        wrong += solved[slot] != value_from_turns(unclocked, position, value) ? 1 : 0;
      }
      EXPECT_EQ(wrong, 0) << to_string(sector);
      EXPECT_GT(far, 0) << to_string(sector) << ": no long distance was looked at";
    }
  }
}

}  // namespace
}  // namespace mtb
