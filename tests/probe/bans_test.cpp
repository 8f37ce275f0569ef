// Re-forming bans: what tables say of a position against what follows from its turns, one by one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "game/notation.h"
#include "game/turns.h"
#include "gen/ban_search.h"
#include "gen/finished_sectors.h"
#include "gen/plan.h"
#include "probe/tablebase.h"
#include "tests/probe/solved_tables.h"
#include "tests/rules_named.h"
#include "tests/temporary_folder.h"

namespace mtb {
namespace {

/// Every ban with rules that let it matter in different ways.
struct BannedRules {
  const char* name;
  RuleSet rules;
};

RuleSet with_ban(RuleSet rules, Reform reform) {
  rules.reform = reform;
  return rules;
}

std::vector<BannedRules> banned_rules() {
  RuleSet sliding = tests::rules_named("tournament");
  RuleSet any_target = tests::rules_named("koti");
  any_target.clock = {7, ClockTrigger::either_at_three};
  RuleSet declined = tests::rules_named("sanmill");
  declined.shot = Shooting::optional;
  declined.clock = {10, ClockTrigger::always};
  return {{"gar", tests::rules_named("gar")},
          {"iggamecenter", tests::rules_named("iggamecenter")},
          {"mill_declined", with_ban(declined, Reform::mill)},
          {"mill_sliding", with_ban(sliding, Reform::mill)},
          {"cow_sliding", with_ban(sliding, Reform::cow)},
          {"mill_passing", with_ban(any_target, Reform::mill)}};
}

/// Bans of the side with fewer cows first matter in six against five, which takes minutes.
bool exhaustive() { return std::getenv("MTB_EXHAUSTIVE") != nullptr; }

class TablesWithBans : public ::testing::TestWithParam<BannedRules> {
 protected:
  void SetUp() override {
    tests::solve(GetParam().rules, exhaustive() ? Sector{6, 5} : Sector{5, 4}, folder_.path());
    const std::filesystem::path folder = folder_.path();
    auto opened = Tablebase::open({&folder, 1});
    ASSERT_TRUE(opened) << opened.error().message;
    base_.emplace(std::move(*opened));
  }

  /// Random positions of a sector in which some turn leaves a ban behind; they are rare.
  std::vector<Position> with_bans_at_hand(Sector sector) {
    const RuleSet& rules = base_->rules();
    const ClassCache classes;
    const SectorIndex index(sector, default_key(sector), classes);
    std::vector<Position> found;
    for (int i = 0; i < 30'000 && found.size() < 20; ++i) {
      const Position position = tests::white_to_move(index, random_() % index.slots());
      if (board(rules.diagonals).in_mills(position.mover()).empty()) continue;
      const std::vector<Turn> turns = legal_turns(rules, position);
      if (std::any_of(turns.begin(), turns.end(), [&](const Turn& turn) {
            return play(rules, position, turn).ban[position.side].has_value();
          })) {
        found.push_back(position);
      }
    }
    return found;
  }

  void compare_with_search();

  tests::TemporaryFolder folder_;
  std::optional<Tablebase> base_;
  std::mt19937_64 random_{11};
};

/// Without the clock, the distance of a position from those of its turns.
std::optional<std::uint32_t> nearest_end(const std::vector<RankedTurn>& turns) {
  std::optional<std::uint32_t> best;
  for (const RankedTurn& turn : turns) {
    const std::optional<std::uint32_t>& dtw = turn.value.value().dtw;
    if (!dtw) continue;
    const bool wins = *dtw % 2 == 1;
    const bool known = best && *best % 2 == 1;
    if (wins) best = known ? std::min(*best, *dtw) : *dtw;
  }
  if (best) return best;
  for (const RankedTurn& turn : turns) {
    if (!turn.value->dtw) return std::nullopt;
    best = std::max(best.value_or(0), *turn.value->dtw);
  }
  return best;
}

// The search that tables are made with against the probe, on positions with bans of both sides,
// whether play leads to them or not.
void TablesWithBans::compare_with_search() {
  const RuleSet& rules = base_->rules();
  const ClassCache classes;
  FinishedSectors finished;
  for (const Sector sector : base_->sectors(Metric::dtw)) {
    const auto table = TableFile::open(folder_ / table_file_name(sector, Metric::dtw), classes);
    ASSERT_TRUE(table) << table.error().message;
    auto values = LowerSector::load(*table);
    ASSERT_TRUE(values) << values.error().message;
    finished.add(sector, std::move(*values), {Metric::dtw, 0});
  }
  const BanSearch search(rules, Metric::dtw, finished);
  // A cow that could go back and close a mill there: its ban is most likely to matter.
  const auto any_ban = [&](PointSet cows, PointSet free) -> std::optional<Ban> {
    const Board& lines = board(rules.diagonals);
    std::vector<Ban> bans;
    for (Point from : cows) {
      const PointSet steps = lines.neighbours[static_cast<std::size_t>(index(from))];
      for (Point to : cows.size() <= rules.fly_at ? free : free & steps) {
        if (lines.mills_at(to, cows.without(from).with(to)) > 0) bans.push_back({from, to});
      }
    }
    if (bans.empty() || random_() % 4 == 0) return std::nullopt;
    return bans[random_() % bans.size()];
  };
  int changed = 0;
  for (const Sector sector : {Sector{5, 4}, Sector{4, 5}, Sector{4, 4}}) {
    const SectorIndex slots(sector, default_key(sector), classes);
    for (int compared = 0; compared < 1000 && !HasFailure();) {
      Position position = tests::white_to_move(slots, random_() % slots.slots());
      if (verdict(rules, position) != Verdict::open) continue;
      const Code without = search.value({position.mover(), position.opponent()});
      position.ban = {any_ban(position.mover(), position.free_points()),
                      any_ban(position.opponent(), position.free_points())};
      if (!position.ban[Colour::white] && !position.ban[Colour::black]) continue;
      ++compared;
      const Code code = search.value({position.mover(), position.opponent(),
                                      position.ban[Colour::white], position.ban[Colour::black]});
      changed += code == without ? 0 : 1;
      const Evaluation value = base_->probe(position).value();
      const CodeMeaning meaning{Metric::dtw, 0};
      ASSERT_EQ(value.dtw.has_value(), code != dtw_code::draw()) << to_string(position);
      if (value.dtw) {
        ASSERT_EQ(*value.dtw, meaning.plies(code)) << to_string(position);
      }
    }
  }
  EXPECT_GT(changed, 10);
}

// The generator's search over finished sectors goes by sets and slots; ranking turns goes by the
// rules as game/ states them, turn by turn, until no ban is left.
TEST_P(TablesWithBans, ValueAPositionLikeItsBestTurn) {
  std::size_t bans = 0;
  std::vector<Sector> sectors = {{5, 4}};
  if (exhaustive()) sectors.insert(sectors.end(), {Sector{5, 5}, Sector{6, 5}, Sector{5, 6}});
  for (const Sector sector : sectors) {
    const std::vector<Position> positions = with_bans_at_hand(sector);
    EXPECT_GT(positions.size(), 10u) << to_string(sector);
    for (const Position& position : positions) {
      const Evaluation value = base_->probe(position).value();
      const auto turns = base_->rank(position).value();
      EXPECT_EQ(turns.front().value->outcome, value.outcome) << to_string(position);
      EXPECT_EQ(turns.front().value->dtc, value.dtc) << to_string(position);
      EXPECT_EQ(nearest_end(turns), value.dtw) << to_string(position);
      for (const RankedTurn& turn : turns) {
        const Position& banned = turn.position;
        if (!banned.ban[position.side] || banned.total(banned.side) < kMinCows) continue;
        ++bans;
        // Taking turns away from one player never does that player good: the other is at least as
        // well off. Best to worst is ascending.
        Position free = banned;
        free.ban[position.side].reset();
        EXPECT_LE(base_->probe_outcome(banned).value(), base_->probe_outcome(free).value())
            << to_string(banned);
      }
    }
  }
  EXPECT_GT(bans, 50u);
  // Two lines that a cow may slide between share no point: each mill has two cows of its own.
  EXPECT_TRUE(with_bans_at_hand({4, 4}).empty());
  compare_with_search();
}

INSTANTIATE_TEST_SUITE_P(Under, TablesWithBans, ::testing::ValuesIn(banned_rules()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace mtb
