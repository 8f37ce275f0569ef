#include "format/index.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <mutex>

#include "format/surroundings.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define MTB_HAS_PEXT 1
#else
#define MTB_HAS_PEXT 0
#endif

namespace mtb {
namespace {

constexpr unsigned kRingSets = 256;

// What the code below needs to know about the 256 sets of one ring.
struct RingTables {
  /// Smallest image of a set under the reflections and turns.
  std::array<std::uint8_t, kRingSets> minimum{};
  /// Number of a set that is its own minimum, among those.
  std::array<std::uint8_t, kRingSets> minimum_number{};
  unsigned minimum_count = 0;
  std::array<std::uint8_t, kRingSets> size{};
  /// Number of a set among the sets of its size, ascending.
  std::array<std::uint8_t, kRingSets> number_of_size{};
};

constexpr RingTables kRing = [] {
  RingTables ring;
  std::array<std::uint8_t, kRingSize + 1> seen{};
  for (unsigned set = 0; set < kRingSets; ++set) {
    ring.minimum[set] = static_cast<std::uint8_t>(set);
    for (const auto& images : detail::kRingImages) {
      ring.minimum[set] = std::min(ring.minimum[set], images[set]);
    }
    if (ring.minimum[set] == set) {
      ring.minimum_number[set] = static_cast<std::uint8_t>(ring.minimum_count++);
    }
    ring.size[set] = static_cast<std::uint8_t>(std::popcount(set));
    ring.number_of_size[set] = seen[ring.size[set]]++;
  }
  return ring;
}();

/// Image of each ring set under each reflection and turn, at the place of the leading ring in the
/// keys that classify() compares.
constexpr unsigned kLeading = 20;
constexpr auto kLeadingImages = [] {
  std::array<std::array<std::int32_t, 8>, kRingSets> images{};
  for (unsigned set = 0; set < kRingSets; ++set) {
    for (unsigned g = 0; g < 8; ++g) {
      images[set][g] = std::int32_t{detail::kRingImages[g][set]} << kLeading;
    }
  }
  return images;
}();

/// Share of each byte of a set in its rank, by place of the byte, number of members in this and the
/// lower bytes, and value of the byte: its last member counts C(position, that number), and so on.
/// Meaningless where a byte has more members than that number.
constexpr auto kRankShare = [] {
  std::array<std::array<std::array<std::uint32_t, kRingSets>, kMaxCows + 1>, 3> table{};
  for (std::size_t place = 0; place < table.size(); ++place) {
    for (std::size_t members = 1; members <= kMaxCows; ++members) {
      for (unsigned set = 1; set < kRingSets; ++set) {
        const auto top = static_cast<unsigned>(std::bit_width(set)) - 1;
        table[place][members][set] = table[place][members - 1][set ^ 1u << top] +
                                     kBinomials[kRingSize * place + top][members];
      }
    }
  }
  return table;
}();

/// Rank of a set among the sets of its size (`members`), in ascending order of their bits.
std::uint32_t rank(std::uint32_t set, std::size_t members) {
  const std::uint32_t high = set >> 16;
  const std::uint32_t middle = set >> 8 & 0xFF;
  const std::uint32_t low = set & 0xFF;
  const std::size_t below_high = members - kRing.size[high];
  const std::size_t below_middle = below_high - kRing.size[middle];
  return kRankShare[2][members][high] + kRankShare[1][below_high][middle] +
         kRankShare[0][below_middle][low];
}

/// The members of a four-point set among the points of a mask, moved together.
constexpr auto kGathered4 = [] {
  std::array<std::array<std::uint8_t, 16>, 16> table{};
  for (unsigned mask = 0; mask < 16; ++mask) {
    for (unsigned set = 0; set < 16; ++set) {
      unsigned place = 0;
      for (unsigned i = 0; i < 4; ++i) {
        if ((mask >> i & 1) == 0) continue;
        table[mask][set] = static_cast<std::uint8_t>(table[mask][set] | (set >> i & 1) << place);
        ++place;
      }
    }
  }
  return table;
}();

std::uint32_t gather_portable(std::uint32_t set, std::uint32_t mask) {
  std::uint32_t result = 0;
  unsigned place = 0;
  for (unsigned shift = 0; shift < kPointCount; shift += 4) {
    const unsigned part = mask >> shift & 15;
    result |= std::uint32_t{kGathered4[part][set >> shift & 15]} << place;
    place += kRing.size[part];
  }
  return result;
}

#if MTB_HAS_PEXT
#define MTB_FOR_PEXT __attribute__((target("avx2,bmi2")))
MTB_FOR_PEXT inline std::uint32_t gather_pext(std::uint32_t set, std::uint32_t mask) {
  return __builtin_ia32_pext_si(set, mask);
}
#else
#define MTB_FOR_PEXT
std::uint32_t gather_pext(std::uint32_t set, std::uint32_t mask) {
  return gather_portable(set, mask);
}
#endif

/// Whether no symmetry makes the set smaller.
bool is_representative(PointSet set) {
  for (int g = 1; g < Symmetry::kCount; ++g) {
    if (Symmetry(g)(set) < set) return false;
  }
  return true;
}

}  // namespace

KeyClasses::KeyClasses(int cows) : cows_(cows), prefixes_(kRing.minimum_count * kRingSets) {
  assert(cows >= 0 && cows <= kMaxCows);
  // The inner ring holds the highest bits, so the smallest member of a class has the smallest
  // image of any outer or inner ring there. Few sets pass, and ascending loops find them in order.
  for (unsigned inner = 0; inner < kRingSets; ++inner) {
    if (kRing.minimum[inner] != inner) continue;
    for (unsigned middle = 0; middle < kRingSets; ++middle) {
      const int rest = cows - kRing.size[inner] - kRing.size[middle];
      if (rest < 0 || rest > kRingSize) continue;
      Prefix& prefix = prefixes_[kRing.minimum_number[inner] * kRingSets + middle];
      prefix = {count(), static_cast<std::uint32_t>(steps_.size())};
      for (unsigned outer = 0; outer < kRingSets; ++outer) {
        if (kRing.size[outer] != rest) continue;
        steps_.push_back(static_cast<std::uint8_t>(count() - prefix.first_row));
        const std::uint32_t set = inner << 16 | middle << 8 | outer;
        if (kRing.minimum[outer] >= inner && is_representative(PointSet(set))) {
          representatives_.push_back(set);
        }
      }
      // A prefix without representatives is never asked for.
      if (count() == prefix.first_row) steps_.resize(prefix.first_step);
    }
  }
  representatives_.shrink_to_fit();
  steps_.shrink_to_fit();
}

int KeyClasses::orbit(std::uint32_t row) const {
  const PointSet set = representative(row);
  int fixing = 0;
  for (int g = 0; g < Symmetry::kCount; ++g) fixing += Symmetry(g)(set) == set ? 1 : 0;
  return Symmetry::kCount / fixing;
}

[[gnu::always_inline]] inline KeyClasses::Canonical KeyClasses::classify_inline(
    PointSet set) const {
  const auto& outer = kLeadingImages[set.bits() & 0xFF];
  const auto& middle = kLeadingImages[set.bits() >> 8 & 0xFF];
  const auto& inner = kLeadingImages[set.bits() >> 16];
  // Inner ring, middle ring, outer ring, symmetry: with its number lowest, the minimum settles ties
  // as well. Signed numbers without branches, which compilers turn into vector code.
  std::array<std::int32_t, 8> keys;
  for (std::size_t g = 0; g < keys.size(); ++g) {
    const std::int32_t shared = middle[g] >> 8 | static_cast<std::int32_t>(g);
    const std::int32_t kept = inner[g] | outer[g] >> 16 | shared;
    const std::int32_t exchanged = outer[g] | inner[g] >> 16 | shared | 8;
    keys[g] = std::min(kept, exchanged);
  }
  for (std::size_t half = keys.size() / 2; half > 0; half /= 2) {
    for (std::size_t g = 0; g < half; ++g) keys[g] = std::min(keys[g], keys[g + half]);
  }
  const auto best = static_cast<std::uint32_t>(keys[0]);
  const std::uint32_t least_inner = best >> 20;
  const std::uint32_t its_middle = best >> 12 & 0xFF;
  const std::uint32_t its_outer = best >> 4 & 0xFF;
  const Prefix& prefix = prefixes_[kRing.minimum_number[least_inner] * kRingSets + its_middle];
  return {prefix.first_row + steps_[prefix.first_step + kRing.number_of_size[its_outer]],
          Symmetry(static_cast<int>(best & 15))};
}

KeyClasses::Canonical KeyClasses::classify(PointSet set) const { return classify_inline(set); }

struct ClassCache::Kept {
  template <class T>
  struct Made {
    std::once_flag once;
    std::shared_ptr<const T> value;
  };

  std::array<Made<KeyClasses>, kMaxCows + 1> classes;
  /// By cows, diagonals, and whether the cows slide.
  std::array<std::array<std::array<Made<MillPoints>, 2>, 3>, kMaxCows + 1> mill_points;
};

ClassCache::ClassCache(GatherMethod method) : method_(method), kept_(std::make_shared<Kept>()) {}

std::shared_ptr<const KeyClasses> ClassCache::get(int cows) const {
  auto& made = kept_->classes[static_cast<std::size_t>(cows)];
  std::call_once(made.once, [&] { made.value = std::make_shared<const KeyClasses>(cows); });
  return made.value;
}

std::shared_ptr<const MillPoints> ClassCache::mill_points(int cows, Diagonals diagonals,
                                                          bool slides) const {
  auto& made = kept_->mill_points[static_cast<std::size_t>(cows)]
                                 [static_cast<std::size_t>(diagonals)][slides ? 1 : 0];
  std::call_once(made.once,
                 [&] { made.value = std::make_shared<const MillPoints>(cows, diagonals, slides); });
  return made.value;
}

bool has_pext() {
#if MTB_HAS_PEXT
  __builtin_cpu_init();
  return __builtin_cpu_supports("bmi2") != 0 && __builtin_cpu_supports("avx2") != 0;
#else
  return false;
#endif
}

GatherMethod preferred_gather() {
#if MTB_HAS_PEXT
  // AMD before Zen 3 has pext in microcode, tens of times slower than the portable form. Vendors
  // that are not known to be fast get the form that is never slow.
  if (has_pext()) {
    if (__builtin_cpu_is("intel") != 0) return GatherMethod::pext;
    if (__builtin_cpu_is("amd") != 0 && __builtin_cpu_is("bdver4") == 0 &&
        __builtin_cpu_is("znver1") == 0 && __builtin_cpu_is("znver2") == 0) {
      return GatherMethod::pext;
    }
  }
#endif
  return GatherMethod::portable;
}

template <SectorIndex::Gather kGather>
[[gnu::always_inline]] inline std::uint32_t SectorIndex::column_inline(std::uint32_t row,
                                                                       PointSet other) const {
  const std::uint32_t free = (~classes_->representative(row)).bits();
  return rank(kGather(other.bits(), free), static_cast<std::size_t>(members_));
}

template <SectorIndex::Gather kGather>
[[gnu::always_inline]] inline Slot SectorIndex::slot_inline(PointSet key, PointSet other) const {
  const auto [row, symmetry] = classes_->classify_inline(key);
  return Slot{row} * columns_ + column_inline<kGather>(row, symmetry(other));
}

/// All of slot() in one piece, so that all of it is compiled for processors that have pext.
MTB_FOR_PEXT Slot SectorIndex::slot_with_pext(PointSet key, PointSet other) const {
  return slot_inline<gather_pext>(key, other);
}

SectorIndex::SectorIndex(Sector sector, KeySide key, const ClassCache& cache)
    : sector_(sector),
      key_(key),
      method_(cache.gather_method()),
      members_(key == KeySide::mover ? sector.opponent : sector.mover),
      classes_(cache.get(key == KeySide::mover ? sector.mover : sector.opponent)) {
  columns_ = binomial(kPointCount - classes_->cows(), members_);
}

Slot SectorIndex::slot(Placement placement) const {
  const bool mover_is_key = key_ == KeySide::mover;
  const PointSet key = mover_is_key ? placement.mover : placement.opponent;
  const PointSet other = mover_is_key ? placement.opponent : placement.mover;
  return method_ == GatherMethod::pext ? slot_with_pext(key, other)
                                       : slot_inline<gather_portable>(key, other);
}

std::uint32_t SectorIndex::column(std::uint32_t row, PointSet other) const {
  return method_ == GatherMethod::pext ? column_inline<gather_pext>(row, other)
                                       : column_inline<gather_portable>(row, other);
}

SectorIndex::Placement SectorIndex::placement(Slot slot) const {
  const PointSet key = classes_->representative(static_cast<std::uint32_t>(slot / columns_));
  auto rest = static_cast<std::uint32_t>(slot % columns_);
  // The last member stands on the highest free point whose share fits into the column, and so on.
  PointSet other;
  auto left = static_cast<std::size_t>(members_);
  auto place = static_cast<std::size_t>(kPointCount - classes_->cows());
  for (int i = kPointCount - 1; left > 0; --i) {
    if (key.contains(point(i))) continue;
    --place;
    if (kBinomials[place][left] > rest) continue;
    rest -= kBinomials[place][left];
    other = other.with(point(i));
    --left;
  }
  return key_ == KeySide::mover ? Placement{key, other} : Placement{other, key};
}

}  // namespace mtb
