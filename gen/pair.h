// A pair: the two sectors that quiet moves connect, solved as one unit.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "format/index.h"
#include "game/sector.h"

namespace mtb {

/// Cows of the two players, the key's player first: `key >= other`. The sectors are keyvother, with
/// the key's player to move, and othervkey; for equal numbers they are one and the same.
struct Pair {
  std::uint8_t key = 0;
  std::uint8_t other = 0;

  static Pair of(int a, int b) {
    return {static_cast<std::uint8_t>(a > b ? a : b), static_cast<std::uint8_t>(a > b ? b : a)};
  }
  bool equal() const { return key == other; }
  int total() const { return key + other; }
  Sector key_to_move() const { return {key, other, 0, 0}; }
  Sector other_to_move() const { return {other, key, 0, 0}; }
  /// Both sectors, or the one of an equal pair; with the key's player to move first.
  std::vector<Sector> sectors() const {
    if (equal()) return {key_to_move()};
    return {key_to_move(), other_to_move()};
  }
  std::uint32_t columns() const { return binomial(kPointCount - key, other); }
  auto operator<=>(const Pair&) const = default;
};

/// `5v4`, the key's player first.
inline std::string to_string(Pair pair) { return to_string(pair.key_to_move()); }

}  // namespace mtb
