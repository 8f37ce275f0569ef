// How values are written as small codes in a table (FORMAT.md, "Values").
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "game/outcome.h"
#include "game/result.h"

namespace mtb {

enum class Metric : std::uint8_t { wdl, dtw, dtc };

/// `wdl`, `dtw`, `dtc`; also the ending of a table's file name.
std::string_view to_string(Metric metric);
Result<Metric> parse_metric(std::string_view text);

/// Code of a value in a block of values: at most 16 bits.
using Code = std::uint16_t;

/// Distance to win or loss without the clock: 0 for a draw, else plies + 1. A win takes an odd
/// number of plies and a loss an even one, since the players alternate and the game ends before
/// the loser's turn; so the parity tells which.
namespace dtw_code {
constexpr Code draw() { return 0; }
constexpr Code decided(std::uint32_t plies) { return static_cast<Code>(plies + 1); }
constexpr Outcome outcome(Code code) {
  return code == 0 ? Outcome::draw : (code % 2 == 0 ? Outcome::win : Outcome::loss);
}
/// Plies to the end; only for decided codes.
constexpr std::uint32_t plies(Code code) { return code - 1u; }
}  // namespace dtw_code

/// Outcomes: draw 0, win 1, loss 2, clock win 3, clock loss 4.
namespace wdl_code {
constexpr Code of(Outcome outcome) {
  switch (outcome) {
    case Outcome::win:
      return 1;
    case Outcome::clock_win:
      return 3;
    case Outcome::draw:
      return 0;
    case Outcome::clock_loss:
      return 4;
    case Outcome::loss:
      return 2;
  }
  return 0;
}
/// Nothing for a code that stands for no outcome.
constexpr std::optional<Outcome> outcome(Code code) {
  switch (code) {
    case 0:
      return Outcome::draw;
    case 1:
      return Outcome::win;
    case 2:
      return Outcome::loss;
    case 3:
      return Outcome::clock_win;
    case 4:
      return Outcome::clock_loss;
    default:
      return std::nullopt;
  }
}
}  // namespace wdl_code

}  // namespace mtb
