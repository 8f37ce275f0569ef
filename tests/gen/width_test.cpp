// States of two bytes and of four, at the distances where two bytes end.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "gen/distance_phase.h"
#include "gen/pair_state.h"
#include "tests/rules_named.h"

namespace mtb {
namespace {

using tests::rules_named;

/// Four against three in which nothing is decided but that the player with three cows has lost in
/// so many plies in one row; and what follows from it.
template <class Width>
class OneLostRow {
 public:
  using State = typename Width::State;
  using End = typename DistancePhase<Width>::End;

  explicit OneLostRow(std::uint32_t plies) {
    constexpr std::uint32_t kMoreThanThereAre = 100;
    key_.assign(task_.slot_count(), Width::open(kMoreThanThereAre, 0));
    other_ = key_;
    std::fill_n(other_.begin(), task_.columns().count(), static_cast<State>(plies));
    end_ = DistancePhase<Width>(task_, key_.data(), other_.data()).run({});
  }

  End end() const { return end_; }
  /// The slots of the player with four cows that win in so many plies.
  std::vector<std::size_t> won_in(std::uint32_t plies) const {
    std::vector<std::size_t> slots;
    for (std::size_t slot = 0; slot < key_.size(); ++slot) {
      if (key_[slot] == plies) slots.push_back(slot);
    }
    return slots;
  }

 private:
  const RuleSet rules_ = rules_named("traditional");
  const Pair pair_ = Pair::of(4, 3);
  const ClassCache cache_{};
  const LowerSectors lower_{};
  const std::shared_ptr<const KeyClasses> classes_ = cache_.get(pair_.key);
  const PairColumns columns_{pair_};
  const KeyMoves key_moves_{*classes_, rules_};
  const PairTask task_{rules_,   pair_,      Metric::dtw,
                       lower_,   cache_,     *classes_,
                       columns_, key_moves_, board(rules_.diagonals)};
  std::vector<State> key_;
  std::vector<State> other_;
  End end_;
};

// No true pair takes more than 255 plies above a table of bytes, so solve_pair() itself never comes
// to the place where it starts again with four bytes; what it relies on there is this.
TEST(StatesOfTwoBytes, SayThatADistanceDoesNotFitInsteadOfCuttingIt) {
  const OneLostRow<NarrowWidth> near(2);
  const OneLostRow<NarrowWidth> last(508);
  const OneLostRow<NarrowWidth> beyond(510);
  ASSERT_FALSE(near.won_in(3).empty());
  EXPECT_EQ(near.end(), DistancePhase<NarrowWidth>::End::done);
  EXPECT_EQ(last.end(), DistancePhase<NarrowWidth>::End::done);
  EXPECT_EQ(last.won_in(509), near.won_in(3));
  EXPECT_EQ(beyond.end(), DistancePhase<NarrowWidth>::End::too_far);
}

TEST(StatesOfFourBytes, GoOnWhereThoseOfTwoEnd) {
  const OneLostRow<NarrowWidth> near(2);
  for (const std::uint32_t plies : {508u, 510u, 40000u, 65532u}) {
    const OneLostRow<WideWidth> far(plies);
    EXPECT_EQ(far.end(), DistancePhase<WideWidth>::End::done);
    EXPECT_EQ(far.won_in(plies + 1), near.won_in(3)) << plies;
  }
  EXPECT_EQ(OneLostRow<WideWidth>(65534).end(), DistancePhase<WideWidth>::End::too_far);
}

}  // namespace
}  // namespace mtb
