#include "verify/board.h"

namespace mtb::deep {
namespace {

constexpr int kRing = 8;

/// Point at a position of a ring; 0 is the outer ring, 2 the inner one.
constexpr int at(int ring, int position) { return kRing * ring + (position + kRing) % kRing; }

using ByteImages = std::array<std::array<Set, 256>, 3>;

/// By symmetry, the images of the sets within each third of the points.
const std::array<ByteImages, kSymmetries>& byte_images() {
  static const std::array<ByteImages, kSymmetries> images = [] {
    std::array<ByteImages, kSymmetries> made{};
    for (std::size_t s = 0; s < made.size(); ++s) {
      for (std::size_t third = 0; third < 3; ++third) {
        for (unsigned part = 1; part < 256; ++part) {
          const int point = static_cast<int>(8 * third) + lowest(part);
          made[s][third][part] =
              made[s][third][part & (part - 1)] | bit(image_of_point(static_cast<int>(s), point));
        }
      }
    }
    return made;
  }();
  return images;
}

}  // namespace

std::string point_name(int point) {
  // Position 0 of a ring is its top left corner; ring 0 is three steps away from the middle d4.
  constexpr std::array<int, kRing> right = {-1, 0, 1, 1, 1, 0, -1, -1};
  constexpr std::array<int, kRing> up = {1, 1, 1, 0, -1, -1, -1, 0};
  const int steps = 3 - point / kRing;
  const auto position = static_cast<std::size_t>(point % kRing);
  std::string name(1, static_cast<char>('d' + steps * right[position]));
  name += static_cast<char>('4' + steps * up[position]);
  return name;
}

std::string set_name(Set set) {
  std::string names;
  for_each_point(set, [&](int point) { names += (names.empty() ? "" : ",") + point_name(point); });
  return names.empty() ? "-" : names;
}

Board::Board(const Rules& rules) {
  const auto join = [this](int a, int b) {
    ways[static_cast<std::size_t>(a)] |= bit(b);
    ways[static_cast<std::size_t>(b)] |= bit(a);
  };
  for (int ring = 0; ring < 3; ++ring) {
    for (int position = 0; position < kRing; ++position) {
      join(at(ring, position), at(ring, position + 1));
      if (position % 2 != 0) continue;
      lines.push_back(bit(at(ring, position)) | bit(at(ring, position + 1)) |
                      bit(at(ring, position + 2)));
    }
  }
  for (int position = 0; position < kRing; ++position) {
    const bool corner = position % 2 == 0;
    if (!corner || rules.diagonal_ways) {
      join(at(0, position), at(1, position));
      join(at(1, position), at(2, position));
    }
    if (!corner || rules.diagonal_mills) {
      lines.push_back(bit(at(0, position)) | bit(at(1, position)) | bit(at(2, position)));
    }
  }
  for (const Set line : lines) {
    for_each_point(line, [&](int point) {
      mates[static_cast<std::size_t>(point)].push_back(line & ~bit(point));
    });
  }
}

Set aims_at(const Rules& rules, const Board& board, Set cows) {
  if (rules.aims == Aims::any) return cows;
  const Set free = cows & ~board.in_mills(cows);
  return free == 0 && rules.aims == Aims::free_first ? cows : free;
}

int image_of_point(int symmetry, int point) {
  const bool exchange = symmetry >= 8;
  const bool reflect = symmetry % 8 >= 4;
  const int turns = symmetry % 4;
  const int ring = exchange ? 2 - point / kRing : point / kRing;
  const int position = reflect ? -(point % kRing) : point % kRing;
  return at(ring, position + 2 * turns);
}

Set image(int symmetry, Set set) {
  const ByteImages& parts = byte_images()[static_cast<std::size_t>(symmetry)];
  return parts[0][set & 255] | parts[1][(set >> 8) & 255] | parts[2][(set >> 16) & 255];
}

int inverse(int symmetry) {
  for (int other = 0; other < kSymmetries; ++other) {
    bool undone = true;
    for (int point = 0; point < kPoints && undone; ++point) {
      undone = image_of_point(other, image_of_point(symmetry, point)) == point;
    }
    if (undone) return other;
  }
  return 0;  // never: the symmetries are a group
}

}  // namespace mtb::deep
