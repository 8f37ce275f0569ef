// The shots of the player who is not the key, against turns made one by one.
#include "gen/other_shots.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "game/notation.h"
#include "game/turns.h"
#include "gen/pair_state.h"
#include "tests/rules_named.h"

namespace mtb {
namespace {

using tests::rules_named;
using Width = NarrowWidth;

/// A pair whose lower sectors hold made-up values.
struct MadeUpPair {
  MadeUpPair(std::string_view name, int key, int other)
      : rules(rules_named(name)), pair(Pair::of(key, other)) {
    const std::array<Sector, 4> needed = lower_sectors(pair, rules);
    for (const std::size_t i : {std::size_t{2}, std::size_t{3}}) {
      if (needed[i] == Sector{}) continue;
      const SectorIndex index(needed[i], default_key(needed[i]), cache);
      // Equivalent slots get different values here: either way must come to the canonical one.
      held[i - 2].emplace(
          LowerSector::from_codes(index, 199, [&](Slot first, std::span<Code> codes) {
            for (std::size_t c = 0; c < codes.size(); ++c) {
              codes[c] = static_cast<Code>((first + c) * 0x9E3779B97F4A7C15u >> 57);
            }
          }));
    }
    lower.other_shoots_one = held[0] ? &*held[0] : nullptr;
    lower.other_shoots_two = held[1] ? &*held[1] : nullptr;
  }

  /// The score of the best turn of the other player that shoots, worked out turn by turn.
  Width::State best_shot(PointSet key, PointSet other) const {
    Position position;
    position.cows = {other, key};
    Width::State best = Width::kNoShot;
    for (const Turn& turn : legal_turns(rules, position)) {
      if (turn.shot_count == 0) continue;
      const Position after = play(rules, position, turn);
      const PointSet left = after.cows[Colour::black];
      const LowerSector* sector =
          turn.shot_count == 1 ? lower.other_shoots_one : lower.other_shoots_two;
      const Width::State score =
          sector == nullptr ? Width::win_score(1)
                            : Width::score_after(sector->code(
                                  sector->index().slot({left, after.cows[Colour::white]})));
      best = std::max(best, score);
    }
    return best;
  }

  RuleSet rules;
  Pair pair;
  ClassCache cache;
  std::array<std::optional<LowerSector>, 2> held;
  LowerSectors lower;
  std::shared_ptr<const KeyClasses> classes = cache.get(pair.key);
  PairColumns columns{pair};
  KeyMoves key_moves{*classes, rules};
  PairTask task{rules,   pair,      Metric::dtw,           lower, cache, *classes,
                columns, key_moves, board(rules.diagonals)};
};

struct Asked {
  const char* rules;
  int key;
  int other;
};

class OtherPlayersShots : public ::testing::TestWithParam<Asked> {};

// With one cow more than the shooter, the key has less than the shooter after two shots: the rows
// of the sector behind them are then of the shooter's sets.
TEST_P(OtherPlayersShots, AreWorthTheBestOfAllTurnsThatShoot) {
  const auto& [name, key_cows, other_cows] = GetParam();
  MadeUpPair made(name, key_cows, other_cows);
  OtherShots<Width> shots(made.task);
  std::mt19937_64 random(5);
  std::vector<Width::State> best(made.task.columns().count());
  int with_shots = 0;
  for (int i = 0; i < 6; ++i) {
    const auto row = static_cast<std::uint32_t>(random() % made.classes->count());
    const RowFrame frame(made.classes->representative(row), board(made.rules.diagonals));
    shots.fold(frame, best);
    for (std::uint32_t c = 0; c < best.size(); c += 1 + static_cast<std::uint32_t>(random() % 7)) {
      const PointSet other = frame.board_set(made.task.columns().mask(c));
      ASSERT_EQ(best[c], made.best_shot(frame.key(), other))
          << to_string(Position{{other, frame.key()}, {}, Colour::white, 0, {}, 0});
      with_shots += best[c] != Width::kNoShot ? 1 : 0;
    }
  }
  EXPECT_GT(with_shots, 0);
}

INSTANTIATE_TEST_SUITE_P(In, OtherPlayersShots,
                         ::testing::Values(Asked{"traditional", 6, 5}, Asked{"traditional", 7, 5},
                                           Asked{"traditional", 4, 3}, Asked{"koti", 6, 5},
                                           Asked{"tournament", 6, 5}),
                         [](const auto& info) {
                           return info.param.rules + std::to_string(info.param.key) + "v" +
                                  std::to_string(info.param.other);
                         });

}  // namespace
}  // namespace mtb
