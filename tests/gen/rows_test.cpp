// The parts that rows are worked with, each against a plain computation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "game/turns.h"
#include "gen/colour_exchange.h"
#include "gen/flights.h"
#include "gen/frozen_news.h"
#include "gen/key_moves.h"
#include "gen/news.h"
#include "gen/quiet_moves.h"
#include "gen/row_frame.h"
#include "gen/steps.h"
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
      std::vector<std::uint16_t> expected_news;
      for (std::uint32_t c = 0; c < columns; ++c) {
        if (states[c] > distance) expected = std::min(expected, states[c]);
        if (states[c] == distance) expected_news.push_back(static_cast<std::uint16_t>(c));
      }
      EXPECT_EQ(nearest, expected);
      std::vector<std::uint64_t> above(news_words(columns));
      mark_above(states.data(), columns, distance, above.data());
      for (std::size_t c = 0; c < 64 * above.size(); ++c) {
        EXPECT_EQ((above[c / 64] >> c % 64 & 1) != 0, c < columns && states[c] > distance);
      }
      ColumnList list(columns);
      EXPECT_THAT(list_news(news.data(), columns, list), testing::ElementsAreArray(expected_news));
      EXPECT_EQ(count_news(news.data(), columns), expected_news.size());
    }
  }
}

TEST(News, AreTheColumnsAtTheDistanceAndTheNextDistanceAbove) {
  news_are_found<std::uint16_t>();
  news_are_found<std::uint32_t>();
}

TEST(FrozenNews, KeepTheSetsOfTheirColumnsInEitherForm) {
  std::mt19937_64 random(6);
  const SubsetTable columns(17, 4);
  for (const std::uint32_t one_in : {2u, 20u, 60u, 500u, 100000u}) {
    for (const std::uint32_t excluded : {0u, 1u, 1u << 9, 1u << 16}) {
      std::vector<std::uint64_t> words(news_words(columns.count()));
      std::vector<std::uint64_t> with_excluded(words.size());
      std::vector<std::uint32_t> expected;
      std::size_t all = 0;
      for (std::uint32_t c = 0; c < columns.count(); ++c) {
        const std::uint32_t set = columns.mask(c);
        if ((set & excluded) != 0) with_excluded[c / 64] |= std::uint64_t{1} << c % 64;
        if (random() % one_in != 0) continue;
        words[c / 64] |= std::uint64_t{1} << c % 64;
        ++all;
        if ((set & excluded) == 0) expected.push_back(set);
      }
      SetList sets(columns.count() + 1);
      std::uint16_t count = 0;
      FrozenNews news(words.data(), count);
      EXPECT_EQ(news.freeze(columns, sets), all);
      EXPECT_EQ(news.empty(), all == 0);
      EXPECT_THAT(news.sets_without(excluded, with_excluded.data(), columns, sets),
                  testing::ElementsAreArray(expected));
    }
  }
}

TEST(Flights, AreCountedAsIfEachWereMade) {
  std::mt19937_64 random(7);
  for (const int points : {12, 16, 17, 18, 21}) {
    const SubsetTable columns(points, 3);
    FlightCounts flights(points);
    for (const std::uint32_t one_in : {1u, 3u, 50u}) {
      std::vector<std::uint32_t> marked;
      for (std::uint32_t c = 0; c < columns.count(); ++c) {
        if (random() % one_in != 0) continue;
        marked.push_back(columns.mask(c));
        flights.mark(static_cast<std::uint16_t>(c), columns.mask(c));
      }
      std::vector<int> expected(columns.count());
      for (std::uint32_t c = 0; c < columns.count(); ++c) {
        for (std::uint32_t set : marked) {
          expected[c] += std::popcount(set & columns.mask(c)) == 2 ? 1 : 0;
        }
      }
      EXPECT_THAT(flights.count(), testing::ElementsAreArray(expected));
    }
  }
}

TEST(Steps, AreCountedAsIfEachWereMade) {
  std::mt19937_64 random(9);
  for (const Diagonals diagonals : {Diagonals::mills, Diagonals::none}) {
    const Board& board = mtb::board(diagonals);
    for (const auto& [key_cows, cows] : {std::pair{5, 4}, {8, 3}, {9, 6}, {12, 11}, {12, 1}}) {
      const int points = kPointCount - key_cows;
      const SubsetTable columns(points, cows);
      const StepTable steps(columns, points);
      const PointColumns with_point(columns, points);
      StepCounts counts(steps, columns, with_point, points);
      for (const std::uint32_t one_in : {1u, 4u, 60u}) {
        const RowFrame frame(random_set(random, key_cows), board);
        const bool mills_are_quiet = random() % 2 == 0;
        std::vector<std::uint64_t> news(news_words(columns.count()));
        for (std::uint32_t c = 0; c < columns.count(); ++c) {
          if (random() % one_in == 0) news[c / 64] |= std::uint64_t{1} << c % 64;
        }
        std::vector<int> expected(columns.count());
        for (std::uint32_t c = 0; c < columns.count(); ++c) {
          const PointSet set = frame.board_set(columns.mask(c));
          for (Point from : set) {
            for (Point to : board.neighbours[static_cast<std::size_t>(index(from))]) {
              if (set.contains(to) || frame.key().contains(to)) continue;
              const PointSet moved = set.without(from).with(to);
              const std::uint32_t column = columns.rank(frame.compress(moved));
              const bool is_news = (news[column / 64] >> column % 64 & 1) != 0;
              const bool closes = board.mills_at(to, moved) > 0;
              expected[c] += is_news && (mills_are_quiet || !closes) ? 1 : 0;
            }
          }
        }
        EXPECT_THAT(counts.count(frame, news.data(), mills_are_quiet),
                    testing::ElementsAreArray(expected));
      }
      EXPECT_LE(steps.bytes(), StepTable::bytes(points, cows));
      EXPECT_GT(steps.bytes(), StepTable::bytes(points, cows) / 2);
    }
  }
}

TEST(RowFrame, KnowsTheEdgesWithOneEndInASet) {
  std::mt19937_64 random(8);
  for (const Diagonals diagonals : {Diagonals::mills, Diagonals::none}) {
    const Board& board = mtb::board(diagonals);
    for (int i = 0; i < 500; ++i) {
      const PointSet key = random_set(random, 3 + i % 10);
      const PointSet set = random_set(random, 1 + static_cast<int>(random() % 8), key);
      const RowFrame frame(key, board);
      std::set<std::uint32_t> expected;
      for (Point from : set) {
        for (Point to : board.neighbours[static_cast<std::size_t>(index(from))]) {
          if (!key.contains(to) && !set.contains(to)) {
            expected.insert(frame.bit_of(from) | frame.bit_of(to));
          }
        }
      }
      std::set<std::uint32_t> found;
      std::uint64_t edges = frame.boundary(frame.compress(set));
      for (; edges != 0; edges &= edges - 1) found.insert(frame.ends(std::countr_zero(edges)));
      EXPECT_EQ(found, expected);
    }
  }
}

TEST(ColourExchange, TakesWholeClassesOfEquivalentPlacementsToWholeClasses) {
  const ClassCache cache;
  const SectorIndex index({3, 3, 0, 0}, KeySide::mover, cache);
  const SubsetTable columns(kPointCount - 3, 3);
  const ColourExchange exchange(index, columns);
  // By the smallest slot of a class of placements: a class goes where its members, exchanged, go.
  const auto equivalents = [&](SectorIndex::Placement placement) {
    std::set<Slot> slots;
    for (int s = 0; s < Symmetry::kCount; ++s) {
      const Symmetry symmetry(s);
      const PointSet mover = symmetry(placement.mover);
      const auto row = index.classes().classify(mover).row;
      if (mover != index.classes().representative(row)) continue;
      slots.insert(Slot{row} * index.columns() + index.column(row, symmetry(placement.opponent)));
    }
    return slots;
  };
  for (std::uint32_t row = 0; row < index.rows(); row += 7) {
    for (std::uint16_t column = 0; column < index.columns(); column += 3) {
      const auto placement = index.placement(Slot{row} * index.columns() + column);
      std::vector<Cell> cells;
      exchange.append_exchanged(row, std::span(&column, 1), cells);
      std::set<Slot> slots;
      for (const Cell& cell : cells) slots.insert(Slot{cell.row} * index.columns() + cell.column);
      EXPECT_EQ(slots, equivalents({placement.opponent, placement.mover}));
    }
  }
}

}  // namespace
}  // namespace mtb
