// The rules as the deep verifier takes them: plain values, read from RULES.md's table of
// parameters. seam.h fills them from the rules of a table file.
#pragma once

#include <cstdint>

namespace mtb::deep {

inline constexpr int kPoints = 24;
inline constexpr int kMostCows = 12;
inline constexpr int kLeastCows = 3;  ///< a player with fewer has lost

enum class Aims : std::uint8_t {
  free_first,  ///< cows in mills only when all cows are in mills
  free_only,   ///< cows in mills never; without a free cow there is no shot
  any,
};
enum class Blocked : std::uint8_t { loses, passes, draws };
enum class Trigger : std::uint8_t { always, either_at_three, both_at_three };
/// Which move a player may not make after a turn that opened one mill and closed another.
enum class Reform : std::uint8_t { none, cow_if_mill, mill, cow };

struct Rules {
  int cows = kMostCows;
  bool diagonal_ways = true;   ///< cows move along the four corner diagonals
  bool diagonal_mills = true;  ///< three cows on one of them are a mill
  bool shot_per_mill = false;  ///< otherwise one shot, however many mills a turn closes
  bool may_decline = false;
  Aims aims = Aims::free_first;
  int fly_at = 3;
  Blocked blocked = Blocked::loses;
  bool full_board_draws = true;
  int clock_plies = 0;  ///< 0: no clock
  Trigger trigger = Trigger::always;
  Reform reform = Reform::none;
};

/// Whether plies are counted in a sector without cows in hand.
constexpr bool clock_runs(const Rules& rules, int cows, int other_cows) {
  if (rules.clock_plies == 0) return false;
  const bool one = cows <= 3;
  const bool other = other_cows <= 3;
  switch (rules.trigger) {
    case Trigger::always:
      return true;
    case Trigger::either_at_three:
      return one || other;
    case Trigger::both_at_three:
      return one && other;
  }
  return false;
}

/// The most shots that a player with so many cows can have in one turn: each mill that the moved
/// cow closes takes two more cows, and no point is on more than three lines.
constexpr int most_shots(const Rules& rules, int cows) {
  const int mills = (cows - 1) / 2 < 3 ? (cows - 1) / 2 : 3;
  return rules.shot_per_mill || mills < 1 ? mills : 1;
}

}  // namespace mtb::deep
