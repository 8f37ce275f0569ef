// Every stored value follows from those of its successors, by naive rules.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "game/notation.h"
#include "probe/folder.h"
#include "probe/rules_name.h"
#include "tests/probe/made_up_table.h"
#include "tests/probe/solved_tables.h"
#include "tests/temporary_folder.h"

namespace mtb {
namespace {

/// Plies to the end, odd for a win and even for a loss; nothing for a draw.
using Distance = std::optional<int>;

/// What a mover makes of the values of all successors, each seen by the player to move there.
Distance best_of(const std::vector<Distance>& successors) {
  Distance quickest_win;
  Distance slowest_loss;
  bool drawn = false;
  for (const Distance& after : successors) {
    if (!after) {
      drawn = true;
    } else if (*after % 2 == 0) {
      quickest_win = std::min(quickest_win.value_or(*after + 1), *after + 1);
    } else {
      slowest_loss = std::max(slowest_loss.value_or(0), *after + 1);
    }
  }
  if (quickest_win) return quickest_win;
  return drawn ? std::nullopt : slowest_loss;
}

/// The tables of one folder, read block by block as they are stored.
class StoredValues {
 public:
  explicit StoredValues(const std::vector<TableFile>& tables) {
    for (const TableFile& table : tables) {
      EXPECT_TRUE(table.prepare()) << table.path();
      tables_.emplace(std::pair(table.header().metric, table.header().sector), &table);
    }
  }

  Code code(Metric metric, Sector sector, Slot slot) {
    const TableFile& table = *tables_.at({metric, sector});
    std::vector<Code>& codes = decoded_[{&table, table.block_of(slot)}];
    if (codes.empty()) {
      codes.resize(table.block_slots(table.block_of(slot)));
      const auto read = table.read_codes(table.block_of(slot), codes);
      EXPECT_TRUE(read) << read.error().message;
    }
    return codes[table.place_of(slot)];
  }

  Distance distance(const Position& position) {
    const SectorIndex& index = tables_.at({Metric::dtw, position.sector()})->index();
    const Slot slot = index.slot({position.mover(), position.opponent()});
    const Code stored = code(Metric::dtw, position.sector(), slot);
    return stored == 0 ? Distance() : Distance(stored - 1);
  }

  bool has(Metric metric, Sector sector) const { return tables_.contains({metric, sector}); }

 private:
  std::map<std::pair<Metric, Sector>, const TableFile*> tables_;
  std::map<std::pair<const TableFile*, std::uint64_t>, std::vector<Code>> decoded_;
};

Distance naive_distance(const naive::Game& game, const naive::State& state, StoredValues& stored) {
  const std::string result = game.result(state);
  if (result == "loss") return 0;
  if (result == "draw") return std::nullopt;
  std::vector<Distance> successors;
  for (const auto& [token, next] : game.turns(state)) {
    const std::string after = game.result(next);
    if (after == "loss") {
      successors.push_back(0);
    } else if (after == "draw") {
      successors.push_back(std::nullopt);
    } else {
      successors.push_back(stored.distance(tests::position_of(next)));
    }
  }
  return best_of(successors);
}

Code expected_outcome(const Distance& distance) {
  if (!distance) return wdl_code::of(Outcome::draw);
  return wdl_code::of(*distance % 2 == 1 ? Outcome::win : Outcome::loss);
}

/// The outcome that a code stands for when nobody looks at the clock.
Code without_clock(Code code) {
  if (code == wdl_code::of(Outcome::clock_win)) return wdl_code::of(Outcome::win);
  return code == wdl_code::of(Outcome::clock_loss) ? wdl_code::of(Outcome::loss) : code;
}

/// Checks so many random slots of every table of a folder.
void check_folder(const std::filesystem::path& folder, int samples) {
  const ClassCache classes;
  const auto contents = read_folders({&folder, 1}, std::nullopt, classes);
  ASSERT_TRUE(contents) << contents.error().message;
  ASSERT_FALSE(contents->tables.empty()) << folder;
  EXPECT_TRUE(contents->refused.empty()) << contents->refused.front().error.message;
  const auto name = rule_set_name(*contents->rules);
  ASSERT_TRUE(name) << folder;
  const naive::Game game = tests::naive_game(*name);
  StoredValues stored(contents->tables);

  std::mt19937_64 random(contents->tables.size());
  for (const TableFile& table : contents->tables) {
    if (table.header().metric != Metric::dtw) continue;
    const Sector sector = table.header().sector;
    for (int i = 0; i < samples; ++i) {
      const Slot slot = random() % table.index().slots();
      const Position position = tests::white_to_move(table.index(), slot);
      const Distance expected = naive_distance(game, tests::naive_state(position), stored);
      const Code distance = stored.code(Metric::dtw, sector, slot);
      EXPECT_EQ(distance, expected ? *expected + 1 : 0)
          << *name << ' ' << to_string(position) << ", slot " << slot;
      if (stored.has(Metric::wdl, sector)) {
        EXPECT_EQ(without_clock(stored.code(Metric::wdl, sector, slot)), expected_outcome(expected))
            << *name << ' ' << to_string(position) << ", slot " << slot;
      }
    }
  }
}

class EveryStoredValue : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryStoredValue, FollowsFromItsSuccessors) {
  tests::TemporaryFolder folder;
  tests::solve(tests::rules_named(GetParam()), {4, 3}, folder.path());
  check_folder(folder.path(), 80);
}

INSTANTIATE_TEST_SUITE_P(Of, EveryStoredValue,
                         ::testing::Values("gar", "traditional", "tournament", "koti", "just2easy",
                                           "malom", "sanmill", "nine-mens-morris"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(TheShippedTables, FollowFromTheirSuccessors) {
  const std::filesystem::path shipped = std::filesystem::path(MTB_DATA_DIR) / "tables";
  int folders = 0;
  for (const auto& entry : std::filesystem::directory_iterator(shipped)) {
    if (!entry.is_directory()) continue;
    check_folder(entry.path(), 15);
    ++folders;
  }
  EXPECT_GT(folders, 0) << "no tables ship with the program";
}

}  // namespace
}  // namespace mtb
