#include "format/index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "tests/format/samples.h"

namespace mtb {
namespace {

using samples::random_placement;
using Placement = SectorIndex::Placement;

// Everything here that is compared with the index is computed point by point, from the definition
// of the symmetries alone.
PointSet image(int symmetry, PointSet set) {
  PointSet result;
  for (Point p : set) result = result.with(Symmetry(symmetry)(p));
  return result;
}

PointSet smallest_image(PointSet set) {
  PointSet smallest = set;
  for (int g = 1; g < Symmetry::kCount; ++g) smallest = std::min(smallest, image(g, set));
  return smallest;
}

/// All sets of a size, ascending.
std::vector<PointSet> sets_of_size(int size) {
  std::vector<PointSet> sets;
  for (std::uint32_t bits = 0; bits < 1u << kPointCount; ++bits) {
    if (PointSet(bits).size() == size) sets.emplace_back(bits);
  }
  return sets;
}

bool same_but_for_symmetry(const Placement& a, const Placement& b) {
  for (int g = 0; g < Symmetry::kCount; ++g) {
    if (image(g, a.mover) == b.mover && image(g, a.opponent) == b.opponent) return true;
  }
  return false;
}

constexpr std::array<std::uint32_t, 13> kKnownClassCounts = {
    1, 4, 30, 158, 757, 2830, 8774, 22188, 46879, 82880, 124124, 157668, 170854};

class Classes : public testing::TestWithParam<int> {};

TEST_P(Classes, AreAsManyAsPublishedAndMakeUpAllSets) {
  const KeyClasses classes(GetParam());
  EXPECT_EQ(classes.count(), kKnownClassCounts[static_cast<std::size_t>(GetParam())]);
  std::uint64_t sets = 0;
  for (std::uint32_t row = 0; row < classes.count(); ++row) {
    sets += static_cast<std::uint64_t>(classes.orbit(row));
  }
  EXPECT_EQ(sets, binomial(kPointCount, GetParam()));
}

TEST_P(Classes, AreNumberedInTheOrderOfTheirSmallestMembers) {
  const KeyClasses classes(GetParam());
  for (std::uint32_t row = 0; row < classes.count(); ++row) {
    const PointSet set = classes.representative(row);
    ASSERT_EQ(set.size(), GetParam());
    ASSERT_EQ(set, smallest_image(set));
    if (row > 0) {
      ASSERT_LT(classes.representative(row - 1), set);
    }
  }
}

TEST_P(Classes, AreFoundForEverySetWithTheLowestSymmetry) {
  const KeyClasses classes(GetParam());
  std::vector<PointSet> sets;
  if (GetParam() <= 4) {
    sets = sets_of_size(GetParam());
  } else {
    std::mt19937 random(1);
    const Sector sector{static_cast<std::uint8_t>(GetParam()), 0};
    for (int i = 0; i < 20000; ++i) sets.push_back(random_placement(sector, random).mover);
  }
  for (const PointSet set : sets) {
    const auto [row, symmetry] = classes.classify(set);
    ASSERT_LT(row, classes.count());
    const PointSet smallest = smallest_image(set);
    ASSERT_EQ(classes.representative(row), smallest);
    int lowest = 0;
    while (image(lowest, set) != smallest) ++lowest;
    ASSERT_EQ(symmetry.number(), lowest);
  }
}

INSTANTIATE_TEST_SUITE_P(Format, Classes, testing::Range(0, kMaxCows + 1));

TEST(ClassCache, GivesTheSameClassesAgain) {
  const ClassCache cache;
  EXPECT_EQ(cache.get(4)->count(), 757u);
  EXPECT_EQ(cache.get(4), cache.get(4));
  EXPECT_NE(cache.get(4), cache.get(3));
}

// The published solution always takes the set of the player to move as the key.
TEST(Index, HasTheSlotsOfTheWholeMovingPhaseThatArePublished) {
  const ClassCache cache;
  std::uint64_t slots = 0;
  for (std::uint8_t mover = 3; mover <= 12; ++mover) {
    for (std::uint8_t opponent = 3; opponent <= 12; ++opponent) {
      slots += SectorIndex({mover, opponent}, KeySide::mover, cache).slots();
    }
  }
  EXPECT_EQ(slots, 17'048'389'791u);
}

struct WholeSector {
  Sector sector;
  KeySide key;
  friend void PrintTo(const WholeSector& s, std::ostream* out) {
    *out << to_string(s.sector) << (s.key == KeySide::mover ? " by mover" : " by opponent");
  }
};

class WholeSectors : public testing::TestWithParam<WholeSector> {
 protected:
  const ClassCache cache_{};
  const SectorIndex index_{GetParam().sector, GetParam().key, cache_};

  PointSet key(const Placement& p) const {
    return index_.key() == KeySide::mover ? p.mover : p.opponent;
  }
  PointSet other(const Placement& p) const {
    return index_.key() == KeySide::mover ? p.opponent : p.mover;
  }
};

// Ranking sets of free points by their numbers among the free points orders them as their bits do.
TEST_P(WholeSectors, AreListedByKeyAndThenByTheOtherSet) {
  const Sector sector = index_.sector();
  const bool mover_is_key = index_.key() == KeySide::mover;
  const auto keys = sets_of_size(mover_is_key ? sector.mover : sector.opponent);
  const auto others = sets_of_size(mover_is_key ? sector.opponent : sector.mover);
  Slot slot = 0;
  for (const PointSet k : keys) {
    if (smallest_image(k) != k) continue;
    for (const PointSet o : others) {
      if (k.intersects(o)) continue;
      ASSERT_LT(slot, index_.slots());
      const Placement placement = index_.placement(slot);
      ASSERT_EQ(key(placement), k);
      ASSERT_EQ(other(placement), o);
      ++slot;
    }
  }
  EXPECT_EQ(slot, index_.slots());
  EXPECT_EQ(index_.slots(), std::uint64_t{index_.rows()} * index_.columns());
}

TEST_P(WholeSectors, MapEverySlotToAPlacementAndBack) {
  for (Slot slot = 0; slot < index_.slots(); ++slot) {
    const Placement placement = index_.placement(slot);
    ASSERT_EQ(placement.mover.size(), index_.sector().mover);
    ASSERT_EQ(placement.opponent.size(), index_.sector().opponent);
    ASSERT_FALSE(placement.mover.intersects(placement.opponent));
    ASSERT_EQ(index_.slot(placement), slot);
  }
}

TEST_P(WholeSectors, GiveImagesOfAPlacementEquivalentSlots) {
  std::mt19937 random(2);
  for (int i = 0; i < 2000; ++i) {
    const Placement placement = random_placement(index_.sector(), random);
    std::set<Slot> slots;
    for (int g = 0; g < Symmetry::kCount; ++g) {
      slots.insert(index_.slot({image(g, placement.mover), image(g, placement.opponent)}));
    }
    for (const Slot slot : slots) {
      ASSERT_LT(slot, index_.slots());
      ASSERT_TRUE(same_but_for_symmetry(placement, index_.placement(slot)));
      ASSERT_EQ(slot / index_.columns(), *slots.begin() / index_.columns());
    }
    const auto row = static_cast<std::uint32_t>(*slots.begin() / index_.columns());
    if (index_.classes().orbit(row) == Symmetry::kCount) {
      ASSERT_EQ(slots.size(), 1u);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Format, WholeSectors,
    testing::Values(WholeSector{{3, 3}, KeySide::mover}, WholeSector{{3, 3}, KeySide::opponent},
                    WholeSector{{4, 3}, KeySide::mover}, WholeSector{{4, 3}, KeySide::opponent},
                    WholeSector{{3, 4}, KeySide::opponent}, WholeSector{{5, 3}, KeySide::mover},
                    WholeSector{{2, 2}, KeySide::mover}, WholeSector{{1, 0}, KeySide::mover},
                    WholeSector{{0, 1}, KeySide::mover}, WholeSector{{0, 3}, KeySide::mover},
                    WholeSector{{0, 0}, KeySide::mover},
                    WholeSector{{2, 1, 9, 10}, KeySide::mover}));

class LargeSectors : public testing::TestWithParam<WholeSector> {};

TEST_P(LargeSectors, MapPlacementsToEquivalentOnes) {
  const ClassCache cache;
  const SectorIndex index(GetParam().sector, GetParam().key, cache);
  std::mt19937 random(3);
  for (int i = 0; i < 20000; ++i) {
    const Placement placement = random_placement(index.sector(), random);
    const Slot slot = index.slot(placement);
    ASSERT_LT(slot, index.slots());
    ASSERT_TRUE(same_but_for_symmetry(placement, index.placement(slot)));
    ASSERT_EQ(index.slot(index.placement(slot)), slot);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Format, LargeSectors,
    testing::Values(WholeSector{{12, 12}, KeySide::mover}, WholeSector{{12, 3}, KeySide::mover},
                    WholeSector{{3, 12}, KeySide::mover}, WholeSector{{9, 8}, KeySide::mover},
                    WholeSector{{8, 8}, KeySide::opponent}, WholeSector{{7, 11}, KeySide::opponent},
                    WholeSector{{0, 12}, KeySide::mover},
                    WholeSector{{6, 5, 2, 3}, KeySide::mover}));

class Gathering : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_pext()) GTEST_SKIP() << "this processor has no pext";
  }
  const ClassCache pext_cache_{GatherMethod::pext};
  const ClassCache portable_cache_{GatherMethod::portable};
};

TEST_F(Gathering, GivesTheSameSlotsEitherWayInWholeSectors) {
  for (const Sector sector : {Sector{3, 3}, Sector{4, 4}}) {
    const SectorIndex pext(sector, KeySide::mover, pext_cache_);
    const SectorIndex portable(sector, KeySide::mover, portable_cache_);
    for (Slot slot = 0; slot < portable.slots(); ++slot) {
      const Placement placement = portable.placement(slot);
      ASSERT_EQ(pext.slot(placement), slot);
      ASSERT_EQ(portable.slot(placement), slot);
    }
  }
}

TEST_F(Gathering, GivesTheSameSlotsEitherWayInEverySector) {
  std::mt19937 random(4);
  for (std::uint8_t mover = 0; mover <= kMaxCows; ++mover) {
    for (std::uint8_t opponent = 0; opponent <= kMaxCows; ++opponent) {
      const Sector sector{mover, opponent};
      for (const KeySide key : {KeySide::mover, KeySide::opponent}) {
        const SectorIndex pext(sector, key, pext_cache_);
        const SectorIndex portable(sector, key, portable_cache_);
        for (int i = 0; i < 300; ++i) {
          const Placement placement = random_placement(sector, random);
          ASSERT_EQ(pext.slot(placement), portable.slot(placement)) << to_string(sector);
        }
      }
    }
  }
}

}  // namespace
}  // namespace mtb
