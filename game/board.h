// The board: 24 points, sets of points, lines, mills, and the 16 symmetries.
//
// Bit order (public constant of the library): point i is bit i of a set. Bits 0..7 are the outer
// ring, 8..15 the middle ring, 16..23 the inner ring; within a ring clockwise from the top left
// corner. Hence bit p of a ring is a corner when p is even and a side's midpoint when p is odd:
//
//      outer  a7 d7 g7 g4 g1 d1 a1 a4      middle  b6 d6 f6 f4 f2 d2 b2 b4
//      inner  c5 d5 e5 e4 e3 d3 c3 c4
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstdint>

namespace mtb {

inline constexpr int kPointCount = 24;
inline constexpr int kRingSize = 8;

/// A point of the board, 0..23 in the bit order above.
enum class Point : std::uint8_t {};

constexpr Point point(int index) { return static_cast<Point>(index); }
constexpr int index(Point p) { return static_cast<int>(p); }

/// A set of points. Value type of 32 bits, of which the upper eight are always zero.
class PointSet {
 public:
  class Iterator {
   public:
    constexpr explicit Iterator(std::uint32_t bits) : bits_(bits) {}
    constexpr Point operator*() const { return point(std::countr_zero(bits_)); }
    constexpr Iterator& operator++() {
      bits_ &= bits_ - 1;
      return *this;
    }
    constexpr bool operator==(const Iterator&) const = default;

   private:
    std::uint32_t bits_;
  };

  constexpr PointSet() = default;
  constexpr explicit PointSet(std::uint32_t bits) : bits_(bits & kMask) {}
  static constexpr PointSet of(Point p) { return PointSet(1u << index(p)); }
  static constexpr PointSet all() { return PointSet(kMask); }

  constexpr std::uint32_t bits() const { return bits_; }
  constexpr int size() const {
    // Sums of two, four, eight bits side by side. std::popcount() is a call of a library where the
    // compiler may not count on an instruction for it.
    std::uint32_t sums = bits_ - (bits_ >> 1 & 0x555555);
    sums = (sums & 0x333333) + (sums >> 2 & 0x333333);
    sums = (sums + (sums >> 4)) & 0x0F0F0F;
    return static_cast<int>(sums * 0x010101 >> 16 & 0xFF);
  }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool contains(Point p) const { return (bits_ >> index(p) & 1u) != 0; }
  constexpr bool contains(PointSet other) const { return (other.bits_ & ~bits_) == 0; }
  constexpr bool intersects(PointSet other) const { return (bits_ & other.bits_) != 0; }
  constexpr PointSet with(Point p) const { return PointSet(bits_ | 1u << index(p)); }
  constexpr PointSet without(Point p) const { return PointSet(bits_ & ~(1u << index(p))); }

  constexpr PointSet operator|(PointSet o) const { return PointSet(bits_ | o.bits_); }
  constexpr PointSet operator&(PointSet o) const { return PointSet(bits_ & o.bits_); }
  constexpr PointSet operator-(PointSet o) const { return PointSet(bits_ & ~o.bits_); }
  constexpr PointSet operator~() const { return PointSet(~bits_); }
  constexpr PointSet& operator|=(PointSet o) { return *this = *this | o; }
  constexpr auto operator<=>(const PointSet&) const = default;

  /// Points in ascending order.
  constexpr Iterator begin() const { return Iterator(bits_); }
  constexpr Iterator end() const { return Iterator(0); }

 private:
  static constexpr std::uint32_t kMask = (1u << kPointCount) - 1;
  std::uint32_t bits_ = 0;
};

/// What the four corner diagonals are under a rule set.
enum class Diagonals : std::uint8_t { mills, moves_only, none };

/// Edges and mill lines of the board under one reading of the diagonals.
struct Board {
  /// Points one step away along a drawn line.
  std::array<PointSet, kPointCount> neighbours{};
  /// The lines on which three cows are a mill; the first `line_count` are in use.
  std::array<PointSet, 20> lines{};
  int line_count = 0;
  /// For each point, the other two points of each mill line through it; `mate_count` in use.
  std::array<std::array<PointSet, 3>, kPointCount> mates{};
  std::array<std::uint8_t, kPointCount> mate_count{};

  /// All points one step away from some point of `from` (they may belong to `from` themselves).
  constexpr PointSet reach(PointSet from) const {
    PointSet result;
    for (Point p : from) result |= neighbours[static_cast<std::size_t>(index(p))];
    return result;
  }

  /// Number of mills, 0..3, that a cow on `p` stands in or would complete among `cows`.
  constexpr int mills_at(Point p, PointSet cows) const {
    const auto i = static_cast<std::size_t>(index(p));
    int count = 0;
    for (std::size_t m = 0; m < mate_count[i]; ++m) count += cows.contains(mates[i][m]) ? 1 : 0;
    return count;
  }

  /// The members of `cows` that stand in a mill.
  constexpr PointSet in_mills(PointSet cows) const {
    PointSet result;
    for (int i = 0; i < line_count; ++i) {
      const PointSet line = lines[static_cast<std::size_t>(i)];
      if (cows.contains(line)) result |= line;
    }
    return result;
  }
};

/// The board under each reading of the diagonals; a constant.
const Board& board(Diagonals diagonals);

namespace detail {
/// Image of each set of ring positions under each reflection and turn.
inline constexpr auto kRingImages = [] {
  std::array<std::array<std::uint8_t, 256>, 8> images{};
  for (unsigned g = 0; g < 8; ++g) {
    for (unsigned set = 0; set < 256; ++set) {
      const unsigned mirrored = (g & 4) == 0
                                    ? set
                                    : (set & 0x01) | (set & 0x02) << 6 | (set & 0x04) << 4 |
                                          (set & 0x08) << 2 | (set & 0x10) | (set & 0x20) >> 2 |
                                          (set & 0x40) >> 4 | (set & 0x80) >> 6;
      const unsigned shift = 2 * (g & 3);
      images[g][set] = static_cast<std::uint8_t>(mirrored << shift | mirrored >> (8 - shift));
    }
  }
  return images;
}();
}  // namespace detail

/// One of the 16 symmetries: reflect (position p of a ring goes to -p), then turn by quarter turns
/// (p goes to p + 2 * turns), and independently exchange the outer and the inner ring.
/// Number = 8 * exchange + 4 * reflect + turns; number 0 is the identity.
class Symmetry {
 public:
  static constexpr int kCount = 16;

  constexpr explicit Symmetry(int number) : number_(static_cast<std::uint8_t>(number)) {}
  constexpr int number() const { return number_; }

  constexpr Point operator()(Point p) const {
    const int ring = index(p) / kRingSize;
    const int spot = index(p) % kRingSize;
    const int turned = ((reflects() ? -spot : spot) + 2 * turns()) & (kRingSize - 1);
    return point((exchanges() ? 2 - ring : ring) * kRingSize + turned);
  }

  constexpr PointSet operator()(PointSet set) const {
    const auto outer = ring_image(set.bits() & 0xFF);
    const auto middle = ring_image(set.bits() >> 8 & 0xFF);
    const auto inner = ring_image(set.bits() >> 16);
    // Without a branch, which would be guessed wrong half of the time.
    const unsigned outer_to = exchanges() ? 16 : 0;
    return PointSet(outer << outer_to | middle << 8 | inner << (16 - outer_to));
  }

  /// A reflection followed by a turn undoes itself; a pure turn is undone by the opposite turn.
  constexpr Symmetry inverse() const {
    const int back = reflects() ? turns() : (4 - turns()) & 3;
    return Symmetry((number_ & 12) | back);
  }

  constexpr bool operator==(const Symmetry&) const = default;

 private:
  constexpr int turns() const { return number_ & 3; }
  constexpr bool reflects() const { return (number_ & 4) != 0; }
  constexpr bool exchanges() const { return (number_ & 8) != 0; }
  constexpr std::uint32_t ring_image(std::uint32_t ring) const;

  std::uint8_t number_;
};

constexpr std::uint32_t Symmetry::ring_image(std::uint32_t ring) const {
  return detail::kRingImages[number_ & 7u][ring];
}

}  // namespace mtb
