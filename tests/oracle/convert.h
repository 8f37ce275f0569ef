// From the oracle's view of things to the library's, and back.
#pragma once

#include <optional>
#include <string>

#include "game/notation.h"
#include "game/position.h"
#include "tests/oracle/game.h"

namespace oracle {

/// White to move, all cows placed.
inline mtb::Position position_of(const State& state, int clock = 0) {
  const auto ban = [](const std::optional<Ban>& b) {
    return b ? std::optional(mtb::Ban{b->from, b->to}) : std::nullopt;
  };
  mtb::Position position;
  position.cows = {state.mover, state.opponent};
  position.ban = {ban(state.mover_ban), ban(state.opponent_ban)};
  position.clock = static_cast<std::uint16_t>(clock);
  return position;
}

inline State state_of(const mtb::Position& position) {
  const auto ban = [&](mtb::Colour colour) {
    const auto& b = position.ban[colour];
    return b ? std::optional(Ban{b->from, b->to}) : std::nullopt;
  };
  return {position.mover(), position.opponent(), ban(position.side),
          ban(mtb::other(position.side))};
}

/// As in notation: `b4-b2xa7`.
inline std::string text(const Turn& turn) {
  if (turn.passes) return "--";
  std::string token = mtb::to_string(turn.from) + '-' + mtb::to_string(turn.to);
  for (std::size_t i = 0; i < turn.shot_count; ++i) token += 'x' + mtb::to_string(turn.shots[i]);
  return turn.declined ? token + "x-" : token;
}

}  // namespace oracle
