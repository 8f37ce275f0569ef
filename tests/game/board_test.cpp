#include "game/board.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <vector>

namespace mtb {
namespace {

constexpr std::array<Diagonals, 3> kReadings = {Diagonals::mills, Diagonals::moves_only,
                                                Diagonals::none};

std::vector<Symmetry> symmetries() {
  std::vector<Symmetry> all;
  for (int g = 0; g < Symmetry::kCount; ++g) all.emplace_back(g);
  return all;
}

PointSet neighbours(const Board& board, Point p) {
  return board.neighbours[static_cast<std::size_t>(index(p))];
}

std::set<PointSet> lines(const Board& board) {
  return {board.lines.begin(), board.lines.begin() + board.line_count};
}

/// The image of each point, as a value that can be compared.
std::vector<int> permutation(Symmetry g) {
  std::vector<int> images;
  for (Point p : PointSet::all()) images.push_back(index(g(p)));
  return images;
}

TEST(Board, HasFortyEdgesOrThirtyTwoWithoutDiagonals) {
  for (Diagonals diagonals : kReadings) {
    int ends = 0;
    for (Point p : PointSet::all()) ends += neighbours(board(diagonals), p).size();
    EXPECT_EQ(ends, 2 * (diagonals == Diagonals::none ? 32 : 40));
  }
}

TEST(Board, HasTwentyMillsOrSixteenWhereDiagonalsAreNone) {
  EXPECT_EQ(lines(board(Diagonals::mills)).size(), 20u);
  EXPECT_EQ(lines(board(Diagonals::moves_only)).size(), 16u);
  EXPECT_EQ(lines(board(Diagonals::none)).size(), 16u);
}

TEST(Board, GivesOuterAndInnerPointsThreeNeighboursAndMiddlePointsFour) {
  for (Point p : PointSet::all()) {
    const bool middle = index(p) / kRingSize == 1;
    EXPECT_EQ(neighbours(board(Diagonals::mills), p).size(), middle ? 4 : 3) << index(p);
  }
}

TEST(Board, IsWalkedBothWays) {
  for (Diagonals diagonals : kReadings) {
    for (Point p : PointSet::all()) {
      EXPECT_FALSE(neighbours(board(diagonals), p).contains(p));
      for (Point q : neighbours(board(diagonals), p)) {
        EXPECT_TRUE(neighbours(board(diagonals), q).contains(p));
      }
    }
  }
}

TEST(Board, ListsForEveryPointTheLinesThroughIt) {
  for (Diagonals diagonals : kReadings) {
    const Board& b = board(diagonals);
    for (Point p : PointSet::all()) {
      std::set<PointSet> through;
      for (PointSet line : lines(b)) {
        if (line.contains(p)) through.insert(line.without(p));
      }
      const auto i = static_cast<std::size_t>(index(p));
      EXPECT_EQ(through,
                std::set<PointSet>(b.mates[i].begin(), b.mates[i].begin() + b.mate_count[i]));
    }
  }
}

TEST(Board, FindsExactlyTheCowsThatStandOnAFullLine) {
  const Board& b = board(Diagonals::mills);
  // The top side of the outer square and two cows of the diagonal through its first corner.
  const PointSet side = PointSet(0b111);
  const PointSet cows = side.with(point(8));
  EXPECT_EQ(b.in_mills(cows), side);
  EXPECT_EQ(b.mills_at(point(0), cows), 1);
  EXPECT_EQ(b.mills_at(point(16), cows), 1);  // would complete the diagonal
  EXPECT_EQ(b.mills_at(point(8), cows), 0);
  EXPECT_EQ(board(Diagonals::none).mills_at(point(16), cows), 0);
}

TEST(Board, SeesNoMillInARowThatTurnsACorner) {
  const PointSet corner = PointSet(1u << 1 | 1u << 0 | 1u << 7);  // d7, a7, a4
  EXPECT_TRUE(board(Diagonals::mills).in_mills(corner).empty());
}

TEST(Board, ReachesTheNeighboursOfAllCows) {
  const Board& b = board(Diagonals::mills);
  EXPECT_EQ(b.reach(PointSet::of(point(0)).with(point(20))),
            neighbours(b, point(0)) | neighbours(b, point(20)));
}

TEST(Symmetries, AreSixteenDifferentPermutationsThatFormAGroup) {
  std::set<std::vector<int>> group;
  for (Symmetry g : symmetries()) group.insert(permutation(g));
  EXPECT_EQ(group.size(), 16u);
  for (Symmetry g : symmetries()) {
    for (Symmetry h : symmetries()) {
      std::vector<int> product;
      for (Point p : PointSet::all()) product.push_back(index(g(h(p))));
      EXPECT_TRUE(group.contains(product)) << g.number() << " after " << h.number();
    }
  }
}

TEST(Symmetries, StartWithTheIdentity) {
  for (Point p : PointSet::all()) EXPECT_EQ(Symmetry(0)(p), p);
}

TEST(Symmetries, AreUndoneByTheirInverses) {
  for (Symmetry g : symmetries()) {
    for (Point p : PointSet::all()) EXPECT_EQ(g.inverse()(g(p)), p) << g.number();
  }
}

TEST(Symmetries, MapASetPointByPoint) {
  for (Symmetry g : symmetries()) {
    for (std::uint32_t bits = 1; bits < 1u << kPointCount; bits = bits * 3 + 1) {
      PointSet images;
      for (Point p : PointSet(bits)) images |= PointSet::of(g(p));
      EXPECT_EQ(g(PointSet(bits)), images) << g.number() << ' ' << bits;
    }
  }
}

TEST(Symmetries, KeepEdgesAndMillsUnderEveryReadingOfTheDiagonals) {
  for (Diagonals diagonals : kReadings) {
    const Board& b = board(diagonals);
    for (Symmetry g : symmetries()) {
      for (Point p : PointSet::all()) EXPECT_EQ(g(neighbours(b, p)), neighbours(b, g(p)));
      std::set<PointSet> images;
      for (PointSet line : lines(b)) images.insert(g(line));
      EXPECT_EQ(images, lines(b)) << g.number();
    }
  }
}

TEST(Symmetries, LeaveTheKnownNumbersOfClassesOfOneToTwelveCows) {
  constexpr std::array<int, 13> kClasses = {1,     4,     30,    158,    757,    2830,  8774,
                                            22188, 46879, 82880, 124124, 157668, 170854};
  std::array<int, 13> classes{};
  for (std::uint32_t bits = 0; bits < 1u << kPointCount; ++bits) {
    const PointSet set(bits);
    if (set.size() > 12) continue;
    bool smallest = true;
    for (int g = 1; smallest && g < Symmetry::kCount; ++g) smallest = !(Symmetry(g)(set) < set);
    if (smallest) ++classes[static_cast<std::size_t>(set.size())];
  }
  EXPECT_EQ(classes, kClasses);
}

}  // namespace
}  // namespace mtb
