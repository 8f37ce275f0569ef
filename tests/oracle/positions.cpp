#include "tests/oracle/positions.h"

#include <algorithm>
#include <array>

namespace oracle {
namespace {

using mtb::PointSet;
using mtb::Symmetry;

constexpr std::uint32_t kNoNumber = 0xFFFFFFFF;

/// kChoose[n][k], up to 24 of 24.
constexpr auto kChoose = [] {
  std::array<std::array<std::uint32_t, 26>, 26> choose{};
  for (std::size_t n = 0; n < choose.size(); ++n) {
    choose[n][0] = 1;
    for (std::size_t k = 1; k <= n; ++k) choose[n][k] = choose[n - 1][k - 1] + choose[n - 1][k];
  }
  return choose;
}();

/// Among the sets of the same size, in ascending order of their bits.
std::size_t rank(PointSet set) {
  std::size_t result = 0;
  std::size_t k = 0;
  for (const mtb::Point p : set) result += kChoose[static_cast<std::size_t>(mtb::index(p))][++k];
  return result;
}

/// All sets of a size, so that each stands at its rank.
std::vector<PointSet> sets_of(int size) {
  std::vector<PointSet> sets;
  for (std::uint32_t bits = 0; bits < 1u << mtb::kPointCount; ++bits) {
    if (std::popcount(bits) == size) sets.emplace_back(bits);
  }
  return sets;
}

std::vector<Symmetry> all_symmetries() {
  std::vector<Symmetry> symmetries;
  for (int i = 0; i < Symmetry::kCount; ++i) symmetries.emplace_back(i);
  return symmetries;
}

}  // namespace

Positions::Positions(int mover, int opponent) {
  const std::vector<PointSet> movers = sets_of(mover);
  const std::vector<PointSet> opponents = sets_of(opponent);
  const std::vector<Symmetry> symmetries = all_symmetries();
  opponent_sets_ = opponents.size();

  mover_sets_.resize(movers.size());
  std::vector<PointSet> firsts;
  for (const PointSet set : movers) {
    PointSet first = set;
    for (const Symmetry s : symmetries) first = std::min(first, s(set));
    MoverSet& entry = mover_sets_[rank(set)];
    if (first == set) {
      entry.orbit = static_cast<std::uint32_t>(firsts.size());
      firsts.push_back(set);
    } else {
      entry.orbit = mover_sets_[rank(first)].orbit;
    }
    for (const Symmetry s : symmetries) {
      if (s(set) == first) entry.to_first.push_back(s);
    }
  }

  numbers_.assign(firsts.size() * opponent_sets_, kNoNumber);
  for (const PointSet first : firsts) {
    for (const PointSet other : opponents) {
      if (first.intersects(other)) continue;
      const auto [place, ignored] = canonical(first, other);
      if (place % opponent_sets_ != rank(other)) continue;
      numbers_[place] = count();
      const auto fixing = std::count_if(symmetries.begin(), symmetries.end(), [&](Symmetry s) {
        return s(first) == first && s(other) == other;
      });
      representatives_.push_back({first, other, Symmetry::kCount / static_cast<int>(fixing)});
    }
  }
}

Positions::Canonical Positions::canonical(PointSet mover, PointSet opponent) const {
  const MoverSet& set = mover_sets_[rank(mover)];
  Canonical best{opponent_sets_, Symmetry(0)};
  for (const Symmetry s : set.to_first) {
    const std::size_t place = rank(s(opponent));
    if (place < best.place) best = {place, s};
  }
  best.place += set.orbit * opponent_sets_;
  return best;
}

Positions::Found Positions::find(PointSet mover, PointSet opponent) const {
  const auto [place, symmetry] = canonical(mover, opponent);
  return {numbers_[place], symmetry};
}

}  // namespace oracle
