#include "verify/index.h"

namespace mtb::deep {
namespace {

using Triangle = std::array<std::array<std::uint32_t, kPoints + 1>, kPoints + 1>;

constexpr Triangle pascal() {
  Triangle triangle{};
  for (std::size_t n = 0; n <= kPoints; ++n) {
    triangle[n][0] = 1;
    for (std::size_t k = 1; k <= n; ++k) {
      triangle[n][k] = triangle[n - 1][k - 1] + (k < n ? triangle[n - 1][k] : 0);
    }
  }
  return triangle;
}

constexpr Triangle kChoose = pascal();

/// The next larger number with as many bits; 0 has none.
Set next_set(Set set) {
  const Set carried = set + (set & (~set + 1));
  return carried | (((set ^ carried) >> 2) >> lowest(set));
}

}  // namespace

std::uint32_t choose(int n, int k) {
  return k > n ? 0 : kChoose[static_cast<std::size_t>(n)][static_cast<std::size_t>(k)];
}

const Ranks& Ranks::get() {
  static const Ranks ranks = [] {
    Ranks made;
    for (Set part = 1; part < 4096; ++part) {
      // The highest point is the last in the sum.
      const int top = static_cast<int>(std::bit_width(part)) - 1;
      const Set rest = part & ~bit(top);
      made.lows[part] = made.lows[rest] + choose(top, size_of(part)) + (1u << 16);
      for (std::size_t below = 0; below < made.highs.size(); ++below) {
        made.highs[below][part] =
            made.highs[below][rest] + choose(12 + top, static_cast<int>(below) + size_of(part));
      }
    }
    return made;
  }();
  return ranks;
}

std::uint32_t rank_of(Set set) { return Ranks::get()(set); }

Set set_of_rank(std::uint32_t rank, int size) {
  Set set = 0;
  for (int ordinal = size; ordinal > 0; --ordinal) {
    int point = ordinal - 1;
    while (choose(point + 1, ordinal) <= rank) ++point;
    rank -= choose(point, ordinal);
    set |= bit(point);
  }
  return set;
}

std::vector<Set> sets_by_rank(int points, int size) {
  std::vector<Set> sets(choose(points, size));
  for (std::uint32_t rank = 0; rank < sets.size(); ++rank) sets[rank] = set_of_rank(rank, size);
  return sets;
}

Set compacted(Set set, Set within) {
  Set compact = 0;
  for_each_point(set & within,
                 [&](int point) { compact |= bit(size_of(within & (bit(point) - 1))); });
  return compact;
}

Set spread(Set compact, Set within) {
  Set set = 0;
  int number = 0;
  for_each_point(within, [&](int point) {
    if ((compact & bit(number)) != 0) set |= bit(point);
    ++number;
  });
  return set;
}

Classes::Classes(int cows) {
  constexpr std::uint32_t kUnknown = 0xFFFFFFFF;
  std::array<int, kSymmetries> inverses{};
  for (int s = 0; s < kSymmetries; ++s) inverses[static_cast<std::size_t>(s)] = inverse(s);
  places_.assign(choose(kPoints, cows), kUnknown);
  const Ranks& ranks = Ranks::get();
  // In ascending order the first of its images that is met is the smallest.
  Set set = bit(cows) - 1;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (places_[ranks(set)] == kUnknown) {
      const std::uint32_t row = rows();
      representatives_.push_back(set);
      for (int s = 0; s < kSymmetries; ++s) {
        std::uint32_t& place = places_[ranks(image(s, set))];
        const std::uint32_t found =
            row * kSymmetries + static_cast<std::uint32_t>(inverses[static_cast<std::size_t>(s)]);
        if (found < place) place = found;
      }
    }
    if (set != 0) set = next_set(set);
  }
}

int Classes::images(std::uint32_t row) const {
  const Set set = representatives_[row];
  int fixed = 0;
  for (int s = 0; s < kSymmetries; ++s) fixed += image(s, set) == set ? 1 : 0;
  return kSymmetries / fixed;
}

Geometry::Geometry(int mover_cows, int opponent_cows, bool mover_is_key, const Classes& key_classes)
    : mover(mover_cows),
      opponent(opponent_cows),
      key_is_mover(mover_is_key),
      classes(&key_classes),
      columns(mover_is_key ? choose(kPoints - mover_cows, opponent_cows)
                           : choose(kPoints - opponent_cows, mover_cows)) {}

Slot Geometry::slot(Set mover_set, Set opponent_set) const {
  const Set key = key_is_mover ? mover_set : opponent_set;
  const Set other = key_is_mover ? opponent_set : mover_set;
  const Classes::Place place = classes->place(key);
  const Set free = kAllPoints & ~classes->representative(place.row);
  return Slot{place.row} * columns + rank_of(compacted(image(place.symmetry, other), free));
}

Geometry::Sets Geometry::sets(Slot slot) const {
  const Set key = classes->representative(static_cast<std::uint32_t>(slot / columns));
  const auto column = static_cast<std::uint32_t>(slot % columns);
  const Set other = spread(set_of_rank(column, key_is_mover ? opponent : mover), kAllPoints & ~key);
  return key_is_mover ? Sets{key, other} : Sets{other, key};
}

}  // namespace mtb::deep
