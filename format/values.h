// How values are written as small codes in a table (FORMAT.md, "Values").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "game/outcome.h"
#include "game/result.h"

namespace mtb {

enum class Metric : std::uint8_t { wdl, dtw, dtc };
inline constexpr std::size_t kMetrics = 3;
inline constexpr std::array<Metric, kMetrics> kAllMetrics = {Metric::wdl, Metric::dtw, Metric::dtc};

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

/// Distance to the next shot or the end with the clock: 0 for a draw, else 1 + 2 * plies, and one
/// more for a win. Either player may have to take the last turn before the shot, so the parity of
/// the plies tells nothing, and a bit of its own says who wins.
namespace dtc_code {
constexpr std::uint32_t kMaxPlies = 32766;
constexpr Code draw() { return 0; }
constexpr Code win(std::uint32_t plies) { return static_cast<Code>(2 + 2 * plies); }
constexpr Code loss(std::uint32_t plies) { return static_cast<Code>(1 + 2 * plies); }
/// Plies; only for decided codes.
constexpr std::uint32_t plies(Code code) { return (code - 1u) / 2; }
}  // namespace dtc_code

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
/// By code. Looked up, since no processor can guess which it is.
inline constexpr std::array kOutcomes = {Outcome::draw, Outcome::win, Outcome::loss,
                                         Outcome::clock_win, Outcome::clock_loss};
/// Nothing for a code that stands for no outcome.
constexpr std::optional<Outcome> outcome(Code code) {
  if (code >= kOutcomes.size()) return std::nullopt;
  return kOutcomes[code];
}
}  // namespace wdl_code

/// What the codes of a table stand for.
struct CodeMeaning {
  Metric metric = Metric::wdl;
  /// Of dtc codes: the most plies of an outcome that the clock allows; more stand for a clock win
  /// or a clock loss. 0 where no clock is applied.
  std::uint32_t clock_bound = 0;

  /// The outcome, of dtw without the clock, of the others at clock zero. Nothing for a code that
  /// the metric does not have.
  constexpr std::optional<Outcome> outcome(Code code) const {
    if (metric == Metric::wdl) return wdl_code::outcome(code);
    const Outcome plain = dtw_code::outcome(code);
    if (plain == Outcome::draw || !is_late(code)) return plain;
    return plain == Outcome::win ? Outcome::clock_win : Outcome::clock_loss;
  }
  /// Whether a dtc code lies beyond the clock's bound.
  constexpr bool is_late(Code code) const {
    return metric == Metric::dtc && clock_bound != 0 && code > dtc_code::win(clock_bound);
  }
  /// The distance; only for decided codes of dtw and dtc.
  constexpr std::uint32_t plies(Code code) const {
    return metric == Metric::dtc ? dtc_code::plies(code) : dtw_code::plies(code);
  }
};

}  // namespace mtb
