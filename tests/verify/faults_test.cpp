// Ten values are changed in each of a hundred tables, which are then written anew with the right
// checksums, counts and hashes, so that nothing but logic can tell. The deep verifier finds each of
// the thousand.
//
// What follows for a slot depends on the slots that its turns lead to, never on itself. Those are
// in other tables, but for equal sectors, and there the slots that are changed lead to none of one
// another. So each fault is found as if it were the only one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "format/table_writer.h"
#include "tests/temporary_folder.h"
#include "tests/verify/shipped.h"

namespace mtb::tests {
namespace {

constexpr int kFaultsATable = 10;

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  std::uint64_t below(std::uint64_t bound) { return engine_() % bound; }

 private:
  std::mt19937_64 engine_;
};

deep::Geometry geometry_of(const TableHeader& header, const deep::Classes& classes) {
  return {header.sector.mover, header.sector.opponent, header.key == KeySide::mover, classes};
}

/// Another value than `code`. Every second one changes a distance alone, where there is one.
Code changed(Code code, const TableHeader& header, bool distance_alone, Random& random) {
  if (header.metric == Metric::wdl) {
    const Code codes = header.clock == ClockUse::applied ? 5 : 3;
    return static_cast<Code>((code + 1 + random.below(codes - 1u)) % codes);
  }
  const Code largest = std::max<Code>(header.largest_code(), 8);
  for (;;) {
    // Codes of the same parity are of the same outcome.
    const auto other = static_cast<Code>(distance_alone && code != 0
                                             ? 2 - code % 2 + 2 * random.below(largest / 2u)
                                             : random.below(largest + 1u));
    if (other != code) return other;
  }
}

/// The slots that stand for the same position, itself among them, ascending.
std::vector<deep::Slot> twins_of(const deep::Geometry& geometry, deep::Slot slot) {
  const auto sets = geometry.sets(slot);
  const deep::Set key = geometry.key_is_mover ? sets.mover : sets.opponent;
  const deep::Set other = geometry.key_is_mover ? sets.opponent : sets.mover;
  std::vector<deep::Slot> slots;
  for (int s = 0; s < deep::kSymmetries; ++s) {
    if (deep::image(s, key) != key) continue;
    const deep::Set free = deep::kAllPoints & ~key;
    slots.push_back(slot - slot % geometry.columns +
                    deep::rank_of(deep::compacted(deep::image(s, other), free)));
  }
  std::sort(slots.begin(), slots.end());
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  return slots;
}

/// Whether a turn within the sector leads from one slot to the position of another.
bool leads(const deep::Game& game, const deep::Geometry& geometry, deep::Slot from, deep::Slot to) {
  if (geometry.mover != geometry.opponent) return false;
  const std::vector<deep::Slot> twins = twins_of(geometry, to);
  const auto sets = geometry.sets(from);
  bool found = false;
  game.for_each_turn({sets.mover, sets.opponent}, [&](const deep::Successor& next) {
    found = found || (!next.shot && std::binary_search(twins.begin(), twins.end(),
                                                       geometry.slot(next.position.mover,
                                                                     next.position.opponent)));
  });
  return found;
}

/// Slots in different rows that lead to none of one another. Every fifth has twins, so that a
/// change may hide from those who look its position up in another slot.
std::vector<deep::Slot> slots_to_change(const deep::Game& game, const deep::Geometry& geometry,
                                        Random& random) {
  std::vector<deep::Slot> chosen;
  while (chosen.size() < kFaultsATable) {
    const deep::Slot slot = random.below(geometry.slots());
    if (chosen.size() % 5 == 0 && twins_of(geometry, slot).size() == 1) continue;
    const bool apart = std::none_of(chosen.begin(), chosen.end(), [&](deep::Slot other) {
      return slot / geometry.columns == other / geometry.columns ||
             leads(game, geometry, slot, other) || leads(game, geometry, other, slot);
    });
    if (apart) chosen.push_back(slot);
  }
  return chosen;
}

/// Writes the table with other codes in some slots.
void write_changed(const TableFile& table, const std::map<deep::Slot, Code>& changes,
                   const std::filesystem::path& path, const ClassCache& cache) {
  TableSpec spec = spec_of(table.header());
  for (const auto& [slot, code] : changes) spec.largest_code = std::max(spec.largest_code, code);
  spec.generator = "a test";
  const auto source = [&](Slot first, std::span<Code> codes) {
    const auto read = table.read_slots(first, codes);
    if (!read) ADD_FAILURE() << read.error().message;
    for (auto change = changes.lower_bound(first);
         change != changes.end() && change->first < first + codes.size(); ++change) {
      codes[change->first - first] = change->second;
    }
  };
  const auto written = write_table(spec, source, path, cache);
  ASSERT_TRUE(written) << written.error().message;
}

class PlantedFaults : public ::testing::TestWithParam<std::string> {};

TEST_P(PlantedFaults, AreFoundOneAndAll) {
  const OpenTables sound(GetParam());
  const TemporaryFolder folder;
  Random random(20);
  int planted = 0;
  int found = 0;
  for (const auto& table : sound.all()) {
    const TableHeader& header = table->header();
    SCOPED_TRACE(table->path());
    const deep::Classes classes(header.key == KeySide::mover ? header.sector.mover
                                                             : header.sector.opponent);
    const deep::Geometry geometry = geometry_of(header, classes);
    const deep::Game game(deep::rules_of(*table));
    std::map<deep::Slot, Code> changes;
    deep::Wanted wanted;
    wanted.most_faults = 1 << 20;
    wanted.slots = slots_to_change(game, geometry, random);
    for (const deep::Slot slot : wanted.slots) {
      Code code = 0;
      ASSERT_TRUE(table->read_slots(slot, {&code, 1}));
      changes[slot] = changed(code, header, changes.size() % 2 == 0, random);
    }
    planted += static_cast<int>(changes.size());

    const std::filesystem::path path = folder.path() / table->path().filename();
    write_changed(*table, changes, path, sound.cache());
    OpenTables tables(GetParam());
    tables.remove(header.sector, header.metric);
    tables.add(path);
    ASSERT_TRUE(tables.all().back()->verify()) << "its checksums are to be right";
    deep::DeepVerifier verifier = tables.verifier();
    const auto report = verifier.check(header.sector.mover, header.sector.opponent,
                                       static_cast<deep::Metric>(header.metric), wanted);
    ASSERT_TRUE(report) << report.error().message;
    for (const auto& [slot, code] : changes) {
      const bool is_found = std::any_of(report->first.begin(), report->first.end(),
                                        [&](const deep::FaultySlot& fault) {
                                          return fault.slot == slot && fault.stored == code;
                                        });
      EXPECT_TRUE(is_found) << "slot " << slot << " with code " << code;
      found += is_found ? 1 : 0;
    }
  }
  EXPECT_EQ(planted, kFaultsATable * static_cast<int>(sound.all().size()));
  EXPECT_EQ(found, planted);
}

INSTANTIATE_TEST_SUITE_P(RuleSets, PlantedFaults, ::testing::ValuesIn(names_of_rule_sets()),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(AllPlantedFaults, AreAThousand) {
  std::size_t tables = 0;
  for (const std::string& name : names_of_rule_sets()) tables += OpenTables(name).all().size();
  EXPECT_EQ(tables * kFaultsATable, 1000u);
}

}  // namespace
}  // namespace mtb::tests
