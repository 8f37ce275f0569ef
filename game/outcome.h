// What a position is worth, from the view of the player to move.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace mtb {

/// Best to worst for the mover. A clock win is won without the rule set's draw clock and drawn
/// with it; where a clock is off or not looked at, only win, draw and loss occur.
enum class Outcome : std::uint8_t { win, clock_win, draw, clock_loss, loss };

inline constexpr std::size_t kOutcomeCount = 5;

/// The same outcome from the other player's view.
constexpr Outcome reversed(Outcome outcome) {
  return static_cast<Outcome>(kOutcomeCount - 1 - static_cast<std::size_t>(outcome));
}

/// `win`, `clock_win`, `draw`, `clock_loss`, `loss`.
constexpr std::string_view to_string(Outcome outcome) {
  constexpr std::array<std::string_view, kOutcomeCount> names = {"win", "clock_win", "draw",
                                                                 "clock_loss", "loss"};
  return names[static_cast<std::size_t>(outcome)];
}

}  // namespace mtb
