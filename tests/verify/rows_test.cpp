// Whole rows against single positions: both ways to work out what follows give the same, whatever
// the codes of the tables below are. So rules and sectors can be tried that no tables are there
// for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "verify/needs.h"
#include "verify/plain.h"
#include "verify/row_checker.h"

namespace mtb::deep {
namespace {

/// A table that nobody solved: codes from a hash of the position, the same for symmetric ones.
class MadeUp final : public CodeSource {
 public:
  MadeUp(const Geometry& geometry, Metric metric) : geometry_(geometry) {
    facts_.mover = geometry.mover;
    facts_.opponent = geometry.opponent;
    facts_.metric = metric;
    facts_.key_is_mover = geometry.key_is_mover;
    facts_.largest = 255;
    facts_.slots = geometry.slots();
  }
  const Facts& facts() const override { return facts_; }
  Result<void> read(std::uint64_t first, std::span<Code> codes) const override {
    std::vector<int> symmetries;  // of the row's key
    for (std::uint64_t slot = first; slot < first + codes.size(); ++slot) {
      const Set key =
          geometry_.classes->representative(static_cast<std::uint32_t>(slot / geometry_.columns));
      if (slot == first || slot % geometry_.columns == 0) {
        symmetries.clear();
        for (int s = 1; s < kSymmetries; ++s) {
          if (image(s, key) == key) symmetries.push_back(s);
        }
      }
      std::uint64_t least = slot;  // of the slots that stand for the same position
      const Geometry::Sets sets = symmetries.empty() ? Geometry::Sets{} : geometry_.sets(slot);
      for (const int s : symmetries) {
        const Set other = image(s, geometry_.key_is_mover ? sets.opponent : sets.mover);
        least = std::min<std::uint64_t>(
            least, slot - slot % geometry_.columns + rank_of(compacted(other, kAllPoints & ~key)));
      }
      least = (least + 1) * 0xBF58476D1CE4E5B9u;
      least ^= least >> 32;
      least *= 0x94D049BB133111EBu;
      codes[slot - first] = static_cast<Code>((least >> 40) % 60);
    }
    return {};
  }

 private:
  Geometry geometry_;
  Facts facts_;
};

/// Sectors under some rules, with made-up tables for all.
class World {
 public:
  World(const Rules& rules, Metric metric, Sector sector, bool late_everywhere)
      : game_(rules), sector_(sector) {
    add(sector, metric, late_everywhere);
    for (const Sector& next : successors_of(sector, rules)) {
      if (next != sector) add(next, metric, late_everywhere);
    }
    const auto quiet = Sector{sector.second, sector.first};
    targets_.quiet = tables_.find(quiet.first, quiet.second);
    if (sector == quiet) {
      whole_ = std::move(*Values::whole(*sources_.front(), geometry(), own().scale()));
      exchanged_ = Values::exchanged(*whole_);
      targets_.quiet = exchanged_.get();
    }
    for (int shots = 1; shots <= most_shots(rules, sector.first); ++shots) {
      if (sector.second - shots < kLeastCows) continue;
      targets_.shot[static_cast<std::size_t>(shots)] =
          tables_.find(sector.second - shots, sector.first);
    }
  }

  const Geometry& geometry() const { return own().geometry(); }

  /// Compares some columns of a row; gives the codes that occurred.
  void compare(std::uint32_t row, std::uint32_t step, std::map<Code, int>& seen) {
    RowChecker rows(game_, geometry(), own().scale(), targets_);
    PlainChecker plain(game_, tables_);
    std::vector<Code> codes(geometry().columns);
    rows.expect(row, codes);
    for (std::uint32_t column = row % step; column < geometry().columns; column += step) {
      const Slot slot = Slot{row} * geometry().columns + column;
      const Geometry::Sets sets = geometry().sets(slot);
      ASSERT_EQ(codes[column], plain.expected({sets.mover, sets.opponent}))
          << set_name(sets.mover) << ' ' << set_name(sets.opponent);
      ++seen[codes[column]];
    }
  }

 private:
  const Values& own() const { return *tables_.find(sector_.first, sector_.second); }
  void add(Sector sector, Metric metric, bool late) {
    // The player with more cows is the key.
    const bool key_is_mover = sector.first >= sector.second;
    const int cows = std::max(sector.first, sector.second);
    auto& classes = classes_[static_cast<std::size_t>(cows)];
    if (!classes) classes = std::make_unique<Classes>(cows);
    const Geometry geometry(sector.first, sector.second, key_is_mover, *classes);
    sources_.push_back(std::make_unique<MadeUp>(geometry, metric));
    const std::uint32_t bound = metric == Metric::dtc ? (late ? 5 : 20) : 0;
    values_.push_back(
        Values::in_file(*sources_.back(), geometry, {metric, bound}, std::uint64_t{16} << 20));
    tables_.set(values_.back().get());
  }

  const Game game_;
  const Sector sector_;
  std::array<std::unique_ptr<Classes>, kMostCows + 1> classes_;
  std::vector<std::unique_ptr<CodeSource>> sources_;
  std::vector<std::unique_ptr<Values>> values_;
  std::unique_ptr<Values> whole_;
  std::unique_ptr<Values> exchanged_;
  Tables tables_;
  Targets targets_;
};

struct Case {
  std::string name;
  Rules rules;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  Rules rules;
  all.push_back({"one_shot", rules});
  rules.shot_per_mill = true;
  rules.full_board_draws = false;
  all.push_back({"a_shot_for_each_mill", rules});
  rules.aims = Aims::any;
  rules.blocked = Blocked::passes;
  rules.fly_at = 0;
  all.push_back({"any_target_and_passing", rules});
  rules.aims = Aims::free_only;
  rules.blocked = Blocked::draws;
  rules.fly_at = 4;
  all.push_back({"free_targets_only_and_flying_with_four", rules});
  rules.may_decline = true;
  rules.blocked = Blocked::passes;
  all.push_back({"shots_may_be_declined", rules});
  rules = {};
  rules.diagonal_mills = false;
  rules.diagonal_ways = false;
  rules.may_decline = true;
  all.push_back({"no_diagonals", rules});
  return all;
}

class Rows : public ::testing::TestWithParam<Case> {};

TEST_P(Rows, HaveTheCodesThatSinglePositionsHave) {
  std::mt19937 random(3);
  std::map<Code, int> seen;
  for (const Metric metric : {Metric::dtw, Metric::dtc}) {
    for (const Sector& sector : std::vector<Sector>{
             {4, 3}, {3, 4}, {4, 4}, {6, 5}, {5, 6}, {7, 3}, {3, 7}, {12, 11}, {11, 12}}) {
      // The equal sector is made up as a whole, once is enough.
      if (sector.first == sector.second && metric == Metric::dtc) continue;
      SCOPED_TRACE(std::to_string(sector.first) + "v" + std::to_string(sector.second));
      World world(GetParam().rules, metric, sector, random() % 2 == 0);
      const std::uint32_t step = world.geometry().columns / 400 + 1;
      for (int i = 0; i < 3; ++i) {
        // Rows with symmetries of their own come first.
        const auto row =
            static_cast<std::uint32_t>(random() % (i == 0 ? 5 : world.geometry().classes->rows()));
        world.compare(row, step, seen);
        if (HasFatalFailure()) return;
      }
    }
  }
  EXPECT_GT(seen.size(), 20u);
  EXPECT_GT(seen[0], 0);
}

INSTANTIATE_TEST_SUITE_P(Rules, Rows, ::testing::ValuesIn(cases()),
                         [](const auto& test) { return test.param.name; });

TEST(ARow, WithoutAFreePointIsWhatTheRulesSay) {
  for (const bool draws : {false, true}) {
    Rules rules;
    rules.full_board_draws = draws;
    const Classes classes(12);
    const Geometry geometry(12, 12, true, classes);
    const MadeUp source(geometry, Metric::dtw);
    const auto values = Values::in_file(source, geometry, {}, 1 << 20);
    Targets targets;
    targets.quiet = values.get();
    const Game game(rules);
    RowChecker rows(game, geometry, {}, targets);
    std::vector<Code> codes(1);
    rows.expect(1000, codes);
    EXPECT_EQ(codes[0], draws ? 0 : 1) << "a loss in no plies has code 1";
  }
}

}  // namespace
}  // namespace mtb::deep
