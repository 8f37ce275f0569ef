// The deep verifier's turns and index against those of the project, which it does not share: two
// readings of the same texts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "format/index.h"
#include "format/table_writer.h"
#include "game/turns.h"
#include "tests/temporary_folder.h"
#include "tests/verify/shipped.h"
#include "verify/index.h"
#include "verify/turns.h"

namespace mtb::tests {
namespace {

using ::testing::ElementsAre;

/// Small distinct random sets of points.
struct Draw {
  std::mt19937 engine;
  int below(int bound) { return static_cast<int>(engine() % static_cast<unsigned>(bound)); }
  deep::Set set(int size, deep::Set taken) {
    deep::Set set = 0;
    while (deep::size_of(set) < size) {
      const deep::Set point = deep::bit(below(deep::kPoints));
      if ((taken & point) == 0) set |= point;
    }
    return set;
  }
};

TEST(TheVerifiersIndex, HasTheRowsOfTheFormat) {
  std::vector<std::uint32_t> rows;
  for (int cows = 0; cows <= 12; ++cows) rows.push_back(deep::Classes(cows).rows());
  EXPECT_THAT(rows, ElementsAre(1, 4, 30, 158, 757, 2830, 8774, 22188, 46879, 82880, 124124, 157668,
                                170854));
}

TEST(TheVerifiersIndex, GivesEveryPositionTheSlotThatTheReaderGivesIt) {
  const ClassCache cache;
  Draw draw{std::mt19937(7)};
  for (int cows = 3; cows <= 9; cows += 2) {
    const deep::Classes classes(cows);
    for (int others = 3; others <= 12; others += 3) {
      for (const bool key_is_mover : {false, true}) {
        const deep::Geometry geometry(key_is_mover ? cows : others, key_is_mover ? others : cows,
                                      key_is_mover, classes);
        const Sector sector{static_cast<std::uint8_t>(geometry.mover),
                            static_cast<std::uint8_t>(geometry.opponent)};
        const SectorIndex index(sector, key_is_mover ? KeySide::mover : KeySide::opponent, cache);
        ASSERT_EQ(geometry.slots(), index.slots());
        for (int i = 0; i < 500; ++i) {
          const deep::Set mover = draw.set(geometry.mover, 0);
          const deep::Set opponent = draw.set(geometry.opponent, mover);
          const deep::Slot slot = geometry.slot(mover, opponent);
          ASSERT_EQ(slot, index.slot({PointSet(mover), PointSet(opponent)}));
          const auto sets = geometry.sets(slot);
          ASSERT_EQ(geometry.slot(sets.mover, sets.opponent), slot);
        }
      }
    }
  }
}

TEST(ThePointsOfTheVerifier, HaveTheirNames) {
  std::vector<std::string> names;
  for (int point = 0; point < deep::kPoints; ++point) names.push_back(deep::point_name(point));
  EXPECT_THAT(names,
              ElementsAre("a7", "d7", "g7", "g4", "g1", "d1", "a1", "a4", "b6", "d6", "f6", "f4",
                          "f2", "d2", "b2", "b4", "c5", "d5", "e5", "e4", "e3", "d3", "c3", "c4"));
}

/// Rules as the verifier takes them: those of a table with all draws. That takes a file.
deep::Rules rules_of(const RuleSet& rules, const TemporaryFolder& folder, const ClassCache& cache) {
  TableSpec spec;
  spec.rules = rules;
  spec.sector = {3, 3};
  spec.metric = Metric::dtw;
  spec.clock = rules.clock.plies == 0 ? ClockUse::none : ClockUse::ignored;
  spec.generator = "a test";
  const auto path = folder / "3v3.dtw";
  const auto written = write_table(
      spec, [](Slot, std::span<Code> codes) { std::fill(codes.begin(), codes.end(), Code{0}); },
      path, cache);
  EXPECT_TRUE(written) << written.error().message;
  const auto table = TableFile::open(path, cache);
  return table ? deep::rules_of(*table) : deep::Rules{};
}

/// Cows of the next mover and of the other player, and their bans.
using After = std::tuple<deep::Set, deep::Set, int, int, int, int>;

deep::Ban ban_of(const std::optional<Ban>& ban) {
  if (!ban) return {};
  return {static_cast<std::int8_t>(index(ban->from)), static_cast<std::int8_t>(index(ban->to))};
}

std::set<After> after_turns(const RuleSet& rules, const Position& position) {
  std::set<After> result;
  for (const Turn& turn : legal_turns(rules, position)) {
    if (turn.kind != Turn::Kind::move) continue;
    const Position next = play(rules, position, turn);
    const deep::Ban mine = ban_of(next.ban[next.side]);
    const deep::Ban other_ban = ban_of(next.ban[other(next.side)]);
    result.emplace(next.mover().bits(), next.opponent().bits(), mine.from, mine.to, other_ban.from,
                   other_ban.to);
  }
  return result;
}

std::set<After> after_turns(const deep::Game& game, const deep::Position& position) {
  std::set<After> result;
  game.for_each_turn(position, [&](const deep::Successor& next) {
    const deep::Position& to = next.position;
    EXPECT_EQ(next.shot, deep::size_of(to.mover) < deep::size_of(position.opponent));
    EXPECT_EQ(next.over, deep::size_of(to.mover) < 3);
    result.emplace(to.mover, to.opponent, to.mover_ban.from, to.mover_ban.to, to.opponent_ban.from,
                   to.opponent_ban.to);
  });
  return result;
}

/// A ban that a move may have left: X and Y are on different lines.
std::optional<Ban> some_ban(Draw& draw, PointSet cows) {
  if (cows.empty() || draw.below(2) == 0) return std::nullopt;
  Ban ban{static_cast<Point>(draw.below(24)), static_cast<Point>(draw.below(24))};
  for (const Point cow : cows) {
    if (draw.below(3) == 0) ban.from = cow;
  }
  if (cows.contains(ban.to)) return std::nullopt;
  return ban;
}

TEST(TheVerifiersTurns, LeadWhereThoseOfTheProjectLead) {
  const TemporaryFolder folder;
  const ClassCache cache;
  std::vector<RuleSet> all;
  for (const NamedRuleSet& named : named_rule_sets()) all.push_back(named.rules);
  RuleSet odd = all.front();
  odd.diagonals = Diagonals::moves_only;
  odd.targets = Targets::strict;
  odd.shot = Shooting::optional;
  odd.reform = Reform::mill;
  odd.fly_at = 4;
  all.push_back(odd);
  odd.targets = Targets::any;
  odd.diagonals = Diagonals::mills;
  odd.blocked = Blocked::draw;
  all.push_back(odd);
  odd.shot = Shooting::forced;
  odd.reform = Reform::cow_if_mill;
  all.push_back(odd);

  Draw draw{std::mt19937(11)};
  std::size_t turns = 0;
  std::size_t bans = 0;
  for (const RuleSet& rules : all) {
    const deep::Game game(rules_of(rules, folder, cache));
    for (int i = 0; i < 3000; ++i) {
      Position position;
      // Cows stand together, so that there are mills.
      const deep::Set near = draw.set(14, 0);
      const deep::Set white = draw.set(3 + draw.below(6), ~near);
      const deep::Set black = draw.set(3 + draw.below(draw.below(2) == 0 ? 4 : 10), white);
      position.cows = {PointSet(white), PointSet(black)};
      if (rules.reform != Reform::none) {
        position.ban = {some_ban(draw, position.cows[Colour::white]),
                        some_ban(draw, position.cows[Colour::black])};
      }
      const std::set<After> expected = after_turns(rules, position);
      const deep::Position same{white, black, ban_of(position.ban[Colour::white]),
                                ban_of(position.ban[Colour::black])};
      ASSERT_EQ(after_turns(game, same), expected)
          << canonical_text(rules) << deep::set_name(white) << ' ' << deep::set_name(black);
      ASSERT_EQ(game.can_move(same), !expected.empty());
      turns += expected.size();
      for (const After& after : expected) bans += std::get<4>(after) >= 0 ? 1 : 0;
    }
  }
  EXPECT_GT(turns, 100000u);
  EXPECT_GT(bans, 1000u);
}

}  // namespace
}  // namespace mtb::tests
