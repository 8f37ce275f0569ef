// What holds for the turns of any position under any rule set.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "game/notation.h"
#include "game/turns.h"
#include "tests/game/naive.h"
#include "tests/game/random.h"

namespace mtb {
namespace {

struct Game {
  RuleSet rules;
  Position position;
};

/// Random positions under random rules, each played on for a few turns, so that bans occur.
std::vector<Game> random_games(std::uint32_t seed, int count) {
  Random random(seed);
  std::vector<Game> games;
  while (static_cast<int>(games.size()) < count) {
    const naive::Game game(random_rules(random));
    const RuleSet rules = parse_rule_set(naive::toml(game.rules()), "random").value();
    Position position = parse_position(naive::text(random_state(random, game))).value();
    for (int ply = 0; ply < 4; ++ply) {
      games.push_back({rules, position});
      std::vector<Turn> choice = legal_turns(rules, position);
      if (choice.empty()) break;
      std::vector<Turn> with_ban;
      for (const Turn& turn : choice) {
        if (play(rules, position, turn).ban[position.side]) with_ban.push_back(turn);
      }
      position = play(rules, position, random.pick(with_ban.empty() ? choice : with_ban));
    }
  }
  return games;
}

Turn transformed(const Turn& turn, Symmetry g) {
  Turn image = turn;
  if (turn.kind == Turn::Kind::move) image.from = g(turn.from);
  if (turn.kind == Turn::Kind::move || turn.kind == Turn::Kind::place) image.to = g(turn.to);
  for (std::size_t i = 0; i < turn.shot_count; ++i) image.shots[i] = g(turn.shots[i]);
  return image;
}

TEST(Turns, AreListedInAscendingOrderAndEachOnce) {
  for (const Game& game : random_games(11, 5000)) {
    const std::vector<Turn> all = legal_turns(game.rules, game.position);
    EXPECT_TRUE(std::adjacent_find(all.begin(), all.end(), std::greater_equal<>()) == all.end())
        << to_string(game.position);
    EXPECT_EQ(all.empty(), verdict(game.rules, game.position) != Verdict::open);
  }
}

TEST(Turns, AreTheSameInEverySymmetry) {
  for (const Game& game : random_games(12, 2000)) {
    const std::vector<Turn> all = legal_turns(game.rules, game.position);
    for (int number = 0; number < Symmetry::kCount; ++number) {
      const Symmetry g(number);
      const Position image = transformed(game.position, g);
      ASSERT_EQ(verdict(game.rules, image), verdict(game.rules, game.position));
      std::vector<Turn> images;
      for (const Turn& turn : all) {
        images.push_back(transformed(turn, g));
        ASSERT_EQ(play(game.rules, image, images.back()),
                  transformed(play(game.rules, game.position, turn), g));
      }
      std::sort(images.begin(), images.end());
      ASSERT_EQ(legal_turns(game.rules, image), images) << to_string(game.position);
    }
  }
}

TEST(Turns, AreTheSameForTheOtherColour) {
  for (const Game& game : random_games(13, 5000)) {
    const Position swapped = colours_swapped(game.position);
    EXPECT_EQ(swapped.side, other(game.position.side));
    EXPECT_EQ(colours_swapped(swapped), game.position);
    EXPECT_EQ(verdict(game.rules, swapped), verdict(game.rules, game.position));
    const std::vector<Turn> all = legal_turns(game.rules, game.position);
    ASSERT_EQ(legal_turns(game.rules, swapped), all) << to_string(game.position);
    for (const Turn& turn : all) {
      ASSERT_EQ(play(game.rules, swapped, turn),
                colours_swapped(play(game.rules, game.position, turn)));
    }
  }
}

TEST(Turns, LeadToValidPositions) {
  for (const Game& game : random_games(14, 1000)) {
    if (!validate(game.position, game.rules)) continue;
    for (const Turn& turn : legal_turns(game.rules, game.position)) {
      const auto valid = validate(play(game.rules, game.position, turn), game.rules);
      EXPECT_TRUE(valid.has_value()) << valid.error().message;
    }
  }
}

// A turn may also be made in two steps: the placement or move, then, from the position that owes
// the shots, the shots.
TEST(OwedShots, CompleteATurnToWhatItIsInOneStep) {
  int compared = 0;
  for (const Game& game : random_games(15, 5000)) {
    const std::vector<Turn> all = legal_turns(game.rules, game.position);
    for (const Turn& turn : all) {
      if (turn.shot_count == 0) continue;
      Turn quiet = turn;
      quiet.shot_count = 0;
      quiet.shots = {};
      quiet.declined = false;
      Position half = play(game.rules, game.position, quiet);
      half.side = game.position.side;
      half.clock = game.position.clock;
      const Board& lines = board(game.rules.diagonals);
      const int mills = lines.mills_at(turn.to, half.mover());
      half.owed = static_cast<std::uint8_t>(game.rules.shots == Shots::one ? 1 : mills);
      if (validate(game.position, game.rules)) {
        const auto valid = validate(half, game.rules);
        ASSERT_TRUE(valid.has_value()) << valid.error().message;
      }

      Turn shots = turn;
      shots.kind = Turn::Kind::shoot;
      shots.from = shots.to = Point{};
      const std::vector<Turn> rest = legal_turns(game.rules, half);
      ASSERT_TRUE(std::find(rest.begin(), rest.end(), shots) != rest.end()) << to_string(turn);
      ASSERT_EQ(static_cast<long>(rest.size()),
                std::count_if(all.begin(), all.end(), [&](const Turn& other) {
                  return other.from == turn.from && other.to == turn.to;
                }));
      ASSERT_EQ(play(game.rules, half, shots), play(game.rules, game.position, turn));
      ++compared;
    }
  }
  EXPECT_GT(compared, 1000);
}

}  // namespace
}  // namespace mtb
