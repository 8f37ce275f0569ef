// The parts that rows are worked with, each against a plain computation.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "game/turns.h"
#include "gen/key_moves.h"
#include "gen/news.h"
#include "gen/quiet_moves.h"
#include "gen/row_frame.h"
#include "gen/subset_table.h"

namespace mtb {
namespace {

PointSet random_set(std::mt19937_64& random, int size, PointSet avoid = {}) {
  std::uniform_int_distribution<int> any_point(0, kPointCount - 1);
  PointSet set;
  while (set.size() < size) {
    const Point p = point(any_point(random));
    if (!avoid.contains(p)) set = set.with(p);
  }
  return set;
}

TEST(Columns, AreNumberedAsTheIndexNumbersThem) {
  const ClassCache cache;
  for (const Sector sector : {Sector{3, 3, 0, 0}, Sector{6, 5, 0, 0}, Sector{12, 7, 0, 0}}) {
    const SectorIndex index(sector, KeySide::mover, cache);
    const SubsetTable table(kPointCount - sector.mover, sector.opponent);
    ASSERT_EQ(table.count(), index.columns());
    const PointSet key = index.classes().representative(0);
    const RowFrame frame(key, board(Diagonals::mills));
    for (std::uint32_t column = 0; column < table.count(); ++column) {
      ASSERT_EQ(frame.compress(index.placement(column).opponent), table.mask(column));
      ASSERT_EQ(table.rank(table.mask(column)), column);
    }
  }
}

TEST(QuietMoves, AreTheLegalTurnsThatCloseNoMill) {
  std::mt19937_64 random(3);
  for (const Diagonals diagonals : {Diagonals::mills, Diagonals::moves_only, Diagonals::none}) {
    for (int fly_at : {0, 3, 4}) {
      RuleSet rules;
      rules.diagonals = diagonals;
      rules.fly_at = static_cast<std::uint8_t>(fly_at);
      for (int i = 0; i < 3000; ++i) {
        const int size = 3 + i % 10;
        const PointSet key = random_set(random, 3 + static_cast<int>(random() % 10));
        if (key.size() + size >= kPointCount) continue;
        const PointSet cows = random_set(random, size, key);
        Position position;
        position.cows = {cows, key};
        int quiet = 0;
        std::set<std::pair<Point, Point>> moves;
        for (const Turn& turn : legal_turns(rules, position)) {
          quiet += turn.shot_count == 0 ? 1 : 0;
          moves.insert({turn.from, turn.to});
        }
        const std::uint32_t set = cows.bits();
        std::uint8_t count = 0;
        count_quiet_moves(std::span(&set, 1), key, rules, std::span(&count, 1));
        EXPECT_EQ(count, quiet);
        count_moves(std::span(&set, 1), key, rules, std::span(&count, 1));
        EXPECT_EQ(count, moves.size());
      }
    }
  }
}

TEST(KeyMoves, CarryEveryKeySetToTheClassOfTheMovedSet) {
  const KeyClasses classes(4);
  const RuleSet rules;
  const KeyMoves moves(classes, rules);
  const Board& board = mtb::board(rules.diagonals);
  for (std::uint32_t row = 0; row < classes.count(); ++row) {
    const PointSet key = classes.representative(row);
    std::size_t expected = 0;
    for (Point from : key) {
      expected += static_cast<std::size_t>(
          (board.neighbours[static_cast<std::size_t>(index(from))] - key).size());
    }
    EXPECT_EQ(moves.of(row).size(), expected);
    for (const KeyMove& move : moves.of(row)) {
      const PointSet moved = key.without(move.from).with(move.to);
      EXPECT_EQ(Symmetry(move.symmetry)(moved), classes.representative(move.target));
      EXPECT_EQ(move.mills, board.mills_at(move.to, moved));
    }
  }
}

TEST(Relabelling, CarriesSetsAsTheSymmetryDoes) {
  std::mt19937_64 random(4);
  const Board& board = mtb::board(Diagonals::mills);
  Relabelling relabel;
  for (int i = 0; i < 2000; ++i) {
    const PointSet key = random_set(random, 3 + i % 10);
    const Symmetry symmetry(static_cast<int>(random() % Symmetry::kCount));
    const RowFrame here(key, board);
    const RowFrame there(symmetry(key), board);
    relabel.build(here.images_in(there, symmetry), here.points());
    const PointSet set = random_set(random, 1 + static_cast<int>(random() % 8), key);
    EXPECT_EQ(relabel(here.compress(set)), there.compress(symmetry(set)));
    EXPECT_EQ(here.in_mills(here.compress(set)), here.compress(board.in_mills(set)));
  }
}

template <class State>
void news_are_found() {
  std::mt19937_64 random(5);
  for (std::size_t columns : {1u, 63u, 64u, 65u, 680u, 1000u}) {
    for (int i = 0; i < 50; ++i) {
      std::vector<State> states(columns);
      for (State& state : states) state = static_cast<State>(random() % 60);
      if (i % 2 == 0) {
        for (State& state : states) {
          if (state > 30) state = static_cast<State>(State{1} << (8 * sizeof(State) - 1));
        }
      }
      const auto distance = static_cast<State>(random() % 60);
      std::vector<std::uint64_t> news(news_words(columns));
      const State nearest = collect_news(states.data(), columns, distance, news.data());
      State expected = std::numeric_limits<State>::max();
      std::vector<std::uint32_t> expected_news;
      for (std::uint32_t c = 0; c < columns; ++c) {
        if (states[c] > distance) expected = std::min(expected, states[c]);
        if (states[c] == distance) expected_news.push_back(c);
      }
      EXPECT_EQ(nearest, expected);
      std::vector<std::uint32_t> found;
      for_each_news(news.data(), columns, [&](std::uint32_t column) { found.push_back(column); });
      EXPECT_EQ(found, expected_news);
      EXPECT_EQ(count_news(news.data(), columns), expected_news.size());
    }
  }
}

TEST(News, AreTheColumnsAtTheDistanceAndTheNextDistanceAbove) {
  news_are_found<std::uint16_t>();
  news_are_found<std::uint32_t>();
}

}  // namespace
}  // namespace mtb
