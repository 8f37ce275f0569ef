#include "stats/value_counts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "game/notation.h"
#include "probe/tablebase.h"
#include "stats/zugzwang.h"
#include "tests/shipped_tables.h"

namespace mtb {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using tests::shipped_tables;

TableFile opened(const std::string& rules, const std::string& file) {
  Result<TableFile> table = TableFile::open(shipped_tables(rules) / file, ClassCache());
  EXPECT_TRUE(table) << table.error().message;
  return std::move(*table);
}

/// The different placements that symmetries make of one.
std::uint64_t images(const Position& position) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> sets;
  for (int number = 0; number < Symmetry::kCount; ++number) {
    const Position image = transformed(position, Symmetry(number));
    sets.emplace(image.mover().bits(), image.opponent().bits());
  }
  return sets.size();
}

class ValueCounts : public ::testing::TestWithParam<const char*> {};

TEST_P(ValueCounts, AreThoseOfAllPlacementsOneByOne) {
  for (const char* file : {"3v3.dtw", "3v4.dtc", "3v4.wdl"}) {
    if (!fs::exists(shipped_tables(GetParam()) / file)) continue;
    const TableFile table = opened(GetParam(), file);
    const Metric metric = table.header().metric;
    const CodeMeaning meaning = table.header().meaning();
    std::vector<Code> codes(table.index().slots());
    ASSERT_TRUE(table.read_slots(0, codes));
    // A class of equivalent placements may have several slots: each placement counts once.
    std::map<std::pair<Outcome, std::optional<std::uint32_t>>, std::uint64_t> expected;
    std::vector<bool> counted(codes.size());
    for (Slot slot = 0; slot < codes.size(); ++slot) {
      if (counted[slot]) continue;
      const auto placement = table.index().placement(slot);
      Position position;
      position.cows = {placement.mover, placement.opponent};
      for (int number = 0; number < Symmetry::kCount; ++number) {
        const Position image = transformed(position, Symmetry(number));
        counted[table.index().slot({image.mover(), image.opponent()})] = true;
      }
      const Outcome outcome = *meaning.outcome(codes[slot]);
      std::optional<std::uint32_t> plies;
      if (metric != Metric::wdl && outcome != Outcome::draw) plies = meaning.plies(codes[slot]);
      expected[{outcome, plies}] += images(position);
    }
    const auto values = count_values(table);
    ASSERT_TRUE(values) << values.error().message;
    decltype(expected) found;
    for (const ValueCount& value : *values) found[{value.outcome, value.plies}] = value.positions;
    EXPECT_EQ(found, expected) << file;
    EXPECT_EQ(found.size(), values->size());
  }
}

TEST_P(ValueCounts, HaveExamplesThatProbesAgreeWith) {
  const std::array folders = {shipped_tables(GetParam())};
  const auto base = Tablebase::open(folders);
  ASSERT_TRUE(base) << base.error().message;
  const TableFile table = opened(GetParam(), "4v4.dtw");
  const auto values = count_values(table);
  ASSERT_TRUE(values) << values.error().message;
  for (const ValueCount& value : *values) {
    const auto probed = base->probe(value.example);
    ASSERT_TRUE(probed) << probed.error().message;
    EXPECT_EQ(probed->dtw, value.plies) << to_string(value.example);
  }
}

INSTANTIATE_TEST_SUITE_P(Of, ValueCounts, ::testing::Values("traditional", "tournament", "malom"));

TEST(ValueCounts, AreInTheOrderOfOutcomesAndDistances) {
  const auto values = count_values(opened("tournament", "4v3.dtc"));
  ASSERT_TRUE(values) << values.error().message;
  for (std::size_t i = 1; i < values->size(); ++i) {
    const ValueCount& before = (*values)[i - 1];
    const ValueCount& value = (*values)[i];
    EXPECT_TRUE(before.outcome < value.outcome ||
                (before.outcome == value.outcome && before.plies < value.plies));
  }
}

class Zugzwang : public ::testing::TestWithParam<const char*> {};

/// For every lost slot, the other player is asked in a mirror image of the placement.
TEST_P(Zugzwang, IsWhatIsLostForEitherPlayerToMove) {
  const std::array folders = {shipped_tables(GetParam())};
  const auto base = Tablebase::open(folders);
  ASSERT_TRUE(base) << base.error().message;
  for (const auto& [file, exchanged] :
       {std::pair("4v3.wdl", "3v4.wdl"), std::pair("4v4.wdl", "4v4.wdl")}) {
    const TableFile table = opened(GetParam(), file);
    std::vector<Code> codes(table.index().slots());
    ASSERT_TRUE(table.read_slots(0, codes));
    std::uint64_t expected = 0;
    for (Slot slot = 0; slot < codes.size(); ++slot) {
      if (table.header().meaning().outcome(codes[slot]) != Outcome::loss) continue;
      const auto placement = table.index().placement(slot);
      Position position;
      position.cows = {placement.mover, placement.opponent};
      position.side = Colour::black;
      const auto outcome = base->probe_outcome(transformed(position, Symmetry(5)));
      ASSERT_TRUE(outcome) << outcome.error().message;
      if (*outcome != Outcome::loss) continue;
      const auto row = static_cast<std::uint32_t>(slot / table.index().columns());
      expected += static_cast<std::uint64_t>(table.index().classes().orbit(row));
    }
    const auto found = count_mutual_zugzwangs(table, opened(GetParam(), exchanged));
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(found->positions, expected) << file;
    EXPECT_EQ(found->example.has_value(), expected > 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Under, Zugzwang, ::testing::Values("malom", "tournament"));

TEST(Zugzwang, IsAskedOfTablesThatBelongTogether) {
  const auto refused =
      count_mutual_zugzwangs(opened("malom", "4v3.wdl"), opened("malom", "4v4.wdl"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().fault, Fault::bad_input);
  EXPECT_THAT(refused.error().message, HasSubstr("4v4.wdl"));
}

}  // namespace
}  // namespace mtb
