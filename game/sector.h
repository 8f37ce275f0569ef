// A sector: all placements with given numbers of cows, named from the view of the player to move.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "game/result.h"

namespace mtb {

/// Counts of cows: on the board 0..12 and in hand 0..12, mover first. `5v4`, or `5v4+3v2` with 3
/// and 2 in hand.
struct Sector {
  std::uint8_t mover = 0;
  std::uint8_t opponent = 0;
  std::uint8_t mover_hand = 0;
  std::uint8_t opponent_hand = 0;

  bool has_hands() const { return mover_hand != 0 || opponent_hand != 0; }
  /// The same cows seen by the other player.
  Sector swapped() const { return {opponent, mover, opponent_hand, mover_hand}; }
  auto operator<=>(const Sector&) const = default;
};

/// `5v4`, or `5v4+3v2` when a hand is not empty.
std::string to_string(Sector sector);

/// Reads what to_string() writes; at most 12 cows a side, board and hand together. Error:
/// bad_input.
Result<Sector> parse_sector(std::string_view text);

}  // namespace mtb
