#include "format/surroundings.h"

#include <algorithm>
#include <bit>

namespace mtb {
namespace {

constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// The number of members of a set, if less than two, otherwise two.
unsigned up_to_two(std::uint32_t set) {
  return (set != 0 ? 1u : 0u) + ((set & (set - 1)) != 0 ? 1u : 0u);
}

/// Walks through the subsets of a size of the numbers 0..n-1 in ascending order, one run at a time:
/// in a run only the lowest members change, the others staying where they are.
class Runs {
 public:
  /// From the subset with this rank; 1 <= members <= n.
  Runs(int n, int members, std::uint32_t rank) : n_(n), members_(members) {
    for (int i = members, place = n; i > 0; --i) {
      do --place;
      while (kBinomials[at(place)][at(i)] > rank);
      rank -= kBinomials[at(place)][at(i)];
      member_[at(i - 1)] = place;
    }
  }

  /// From the lowest, number 0.
  int member(int i) const { return member_[at(i)]; }
  /// What member i stays below while those above it stay.
  int end(int i) const { return i + 1 < members_ ? member_[at(i + 1)] : n_; }

  /// On to the next position of the members above `i`, the others lowest. False when there is none.
  bool next(int i) {
    for (++i; i < members_; ++i) {
      if (member_[at(i)] + 1 == end(i)) continue;
      ++member_[at(i)];
      for (int k = 0; k < i; ++k) member_[at(k)] = k;
      return true;
    }
    return false;
  }

 private:
  int n_;
  int members_;
  std::array<int, kMaxCows> member_{};
};

bool slides(int cows, int hand, const RuleSet& rules) { return hand == 0 && cows > rules.fly_at; }

}  // namespace

MillPoints::MillPoints(int cows, Diagonals diagonals, bool slides) {
  const std::uint32_t sets = binomial(kPointCount, cows);
  points_.reserve(sets);
  std::uint32_t set = (1u << cows) - 1;
  for (std::uint32_t i = 0; i < sets; ++i) {
    points_.push_back(of(set, diagonals, slides));
    set = next_of_size(set);
  }
}

std::uint32_t MillPoints::of(std::uint32_t set, Diagonals diagonals, bool slides) {
  const Board& b = board(diagonals);
  std::uint32_t points = 0;
  for (int i = 0; i < b.line_count; ++i) {
    const std::uint32_t line = b.lines[at(i)].bits();
    const std::uint32_t missing = line & ~set;
    if (missing == 0 || (missing & (missing - 1)) != 0) continue;
    const std::uint32_t near = b.neighbours[at(std::countr_zero(missing))].bits();
    if (!slides || (set & ~line & near) != 0) points |= missing;
  }
  return points;
}

Surroundings::Surroundings(const SectorIndex& index, const RuleSet& rules, std::uint32_t reach,
                           const ClassCache& cache)
    : columns_(index.columns()),
      diagonals_(rules.diagonals),
      classes_(cache.get(index.classes().cows())) {
  const Sector s = index.sector();
  const bool mover_is_key = index.key() == KeySide::mover;
  const bool mover_slides = slides(s.mover, s.mover_hand, rules);
  const bool opponent_slides = slides(s.opponent, s.opponent_hand, rules);
  members_ = mover_is_key ? s.opponent : s.mover;
  neighbours_ = std::min(members_, kMaxNeighbours);
  key_slides_ = mover_is_key ? mover_slides : opponent_slides;
  other_mills_ =
      cache.mill_points(members_, diagonals_, mover_is_key ? opponent_slides : mover_slides);

  if (members_ == 0) return;
  steps_.reserve(std::size_t{columns_} * at(neighbours_));
  Runs runs(kPointCount - classes_->cows(), members_, 0);
  do {
    for (int lowest = 0; lowest < runs.end(0); ++lowest) {
      int below = -1;
      for (int i = 0; i < neighbours_; ++i) {
        const int place = i == 0 ? lowest : runs.member(i);
        std::uint32_t distance = 0;
        if (place - 1 > below) distance = kBinomials[at(place - 1)][at(i)];
        steps_.push_back(distance < reach ? static_cast<std::int16_t>(-static_cast<int>(distance))
                                          : std::int16_t{0});
        below = place;
      }
    }
  } while (runs.next(0));
}

void Surroundings::fill_hints(Slot first, std::span<std::uint8_t> hints) const {
  auto row = static_cast<std::uint32_t>(first / columns_);
  auto column = static_cast<std::uint32_t>(first % columns_);
  while (!hints.empty()) {
    const std::size_t count = std::min<std::size_t>(hints.size(), columns_ - column);
    fill_row(row, column, hints.first(count));
    hints = hints.subspan(count);
    ++row;
    column = 0;
  }
}

void Surroundings::fill_row(std::uint32_t row, std::uint32_t column,
                            std::span<std::uint8_t> hints) const {
  const std::uint32_t key = classes_->representative(row).bits();
  const std::uint32_t key_mills = MillPoints::of(key, diagonals_, key_slides_);
  std::array<std::uint8_t, kPointCount> free{};
  int free_count = 0;
  for (const Point p : ~PointSet(key)) {
    free[at(free_count++)] = static_cast<std::uint8_t>(mtb::index(p));
  }
  if (members_ == 0) {
    hints[0] = static_cast<std::uint8_t>(3 * up_to_two(key_mills));
    return;
  }
  const auto hint = [key](std::uint32_t open, std::uint32_t mills) {
    return static_cast<std::uint8_t>(3 * up_to_two(open) + up_to_two(mills & ~key));
  };
  if (members_ == 1) {
    for (std::uint8_t& out : hints) {
      const std::uint8_t p = free[column++];
      out = hint(key_mills & ~(1u << p), (*other_mills_)[p]);
    }
    return;
  }

  // The two lowest cows take the first so many of these pairs for each place of the others.
  struct Cows {
    std::uint32_t set;
    std::uint32_t rank;  ///< their share of the whole set's rank
  };
  std::array<Cows, kPointCount*(kPointCount - 1) / 2> pairs{};
  std::size_t pair_count = 0;
  for (int b = 1; b < free_count; ++b) {
    for (int a = 0; a < b; ++a) {
      pairs[pair_count++] = {1u << free[at(a)] | 1u << free[at(b)],
                             free[at(a)] + kBinomials[free[at(b)]][2]};
    }
  }
  Runs runs(free_count, members_, column);
  std::size_t begin = kBinomials[at(runs.member(1))][2] + at(runs.member(0));
  std::size_t done = 0;
  do {
    std::uint32_t upper = 0;
    std::size_t upper_rank = 0;
    for (int k = 2; k < members_; ++k) {
      const std::uint8_t p = free[at(runs.member(k))];
      upper |= 1u << p;
      upper_rank += kBinomials[p][at(k + 1)];
    }
    const std::uint32_t* const mills = other_mills_->from(upper_rank);
    const std::uint32_t open = key_mills & ~upper;
    const std::size_t count =
        std::min<std::size_t>(hints.size() - done, kBinomials[at(runs.end(1))][2] - begin);
    const Cows* const lowest = pairs.data() + begin;
    std::uint8_t* const out = hints.data() + done;
    for (std::size_t k = 0; k < count; ++k) {
      out[k] = hint(open & ~lowest[k].set, mills[lowest[k].rank]);
    }
    done += count;
    begin = 0;
  } while (done < hints.size() && runs.next(1));
}

}  // namespace mtb
