// Values of positions, and how they follow from one another (FORMAT.md, "Values").
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mtb::deep {

/// As stored in tables.
using Code = std::uint16_t;

enum class Metric : std::uint8_t { wdl, dtw, dtc };

/// How good something is for a player: more is better. Quick wins, slow wins, draws, slow losses,
/// quick losses; nothing at all is below them.
using Merit = std::uint16_t;
inline constexpr Merit kNothing = 0;
inline constexpr Merit kDrawn = 32768;
/// A code that no position has.
inline constexpr Code kNoCode = 0xFFFF;
/// The longest distance that merits can express is one more.
inline constexpr std::uint32_t kMostPlies = 32700;

constexpr Merit win_in(std::uint32_t plies) { return static_cast<Merit>(65535 - plies); }
constexpr Merit loss_in(std::uint32_t plies) { return static_cast<Merit>(1 + plies); }

/// The codes of one table of distances.
struct Scale {
  Metric metric = Metric::dtw;  ///< dtw or dtc
  std::uint32_t bound = 0;      ///< of dtc where the rules have a clock: plies beyond it are late

  constexpr std::uint32_t plies(Code code) const {
    return metric == Metric::dtc ? (code - 1u) / 2 : code - 1u;
  }
  static constexpr bool is_win(Code code) { return code != 0 && code % 2 == 0; }
  constexpr bool is_late(Code code) const { return bound != 0 && code != 0 && plies(code) > bound; }

  /// The code of what a player has; kNoCode for nothing.
  constexpr Code code(Merit merit) const {
    if (merit == kDrawn) return 0;
    if (merit == kNothing) return kNoCode;
    const bool wins = merit > kDrawn;
    const std::uint32_t distance = wins ? 65535u - merit : merit - 1u;
    if (metric == Metric::dtw) return static_cast<Code>(distance + 1);
    return static_cast<Code>(2 * distance + (wins ? 2 : 1));
  }

  /// What a turn is worth to its player that leads, without a shot, to the other player having
  /// `code` in the same pair. Distances that are out of range are worth nothing; no code of a
  /// position is right then.
  constexpr Merit after_quiet(Code code) const {
    if (code == 0) return kDrawn;
    if (plies(code) > kMostPlies) return kNothing;
    return is_win(code) ? loss_in(plies(code) + 1) : win_in(plies(code) + 1);
  }

  /// The same with a shot, the codes being of another sector; `here` is the scale of the position
  /// in which the turn is made.
  constexpr Merit after_shot(Code code, const Scale& here) const {
    if (metric == Metric::dtw || code == 0) return after_quiet(code);
    const std::uint32_t distance = is_late(code) ? here.bound + 1 : 1;
    return is_win(code) ? loss_in(distance) : win_in(distance);
  }

  /// The outcome as a wdl code: draw 0, win 1, loss 2, clock win 3, clock loss 4.
  constexpr Code outcome(Code code) const {
    if (code == 0) return 0;
    return static_cast<Code>((is_win(code) ? 1 : 2) + (is_late(code) ? 2 : 0));
  }

  bool operator==(const Scale&) const = default;
};

/// The merits of all codes up to `largest`, for reading whole rows.
template <class Function>
std::vector<Merit> merits_of_codes(Code largest, Function&& merit) {
  std::vector<Merit> merits(std::size_t{largest} + 1);
  for (std::size_t code = 0; code < merits.size(); ++code) {
    merits[code] = merit(static_cast<Code>(code));
  }
  return merits;
}

}  // namespace mtb::deep
