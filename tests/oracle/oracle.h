// An oracle for small sectors without cows in hand: plain fixpoints over all states, bans and clock
// included. It shares nothing with generator, table format and rules of the library but the tables
// of the board, and is told nothing about how distances and the clock hang together: what the clock
// changes is found by going back ply by ply from the moment when it has run out.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "tests/oracle/game.h"
#include "tests/oracle/positions.h"

namespace oracle {

/// Numbers of cows, the mover's first.
using Cows = std::pair<int, int>;

/// For the mover; the negative is the same for the other player.
enum class Outcome : std::int8_t { loss = -2, clock_loss = -1, draw = 0, clock_win = 1, win = 2 };

constexpr Outcome operator-(Outcome outcome) {
  return static_cast<Outcome>(-static_cast<int>(outcome));
}

/// A decided state's distance: a win in n plies is n, a loss in n plies -n - 1, anything else 0.
using Distance = std::int32_t;

constexpr std::int32_t plies(Distance distance) { return distance > 0 ? distance : -distance - 1; }
/// Of a turn, when the state after it has this distance and the turn counts as a ply.
constexpr Distance before_turn(Distance after) { return after > 0 ? -after - 2 : -after; }

/// Everything about a state.
struct Value {
  Distance dtw = 0;  ///< without the clock
  /// With the clock where it runs: how many plies it must leave for the win or loss, as a distance.
  Distance plies_needed = 0;
  Outcome at_zero = Outcome::draw;  ///< at clock zero; without a clock win, draw or loss
  /// To the next shot or the end. Beyond Oracle::clock_bound() for clock wins and clock losses.
  Distance dtc = 0;
  bool operator==(const Value&) const = default;
};

/// A turn's outcome, and the distances that start with it.
struct TurnValue {
  Outcome outcome = Outcome::draw;
  Distance dtw = 0;
  Distance dtc = 0;
};

class Oracle {
 public:
  /// Distances of clock outcomes where the clock does not run are greater than this, all others
  /// are less.
  static constexpr int kNoBound = 10000;

  /// Solves the states of these numbers of cows, either side to move, and all that shots lead to.
  /// Throws std::logic_error when it contradicts itself.
  Oracle(const Rules& rules, Cows cows);

  const Game& game() const { return game_; }
  /// All that were solved, in an order in which shots lead back.
  const std::vector<Cows>& solved() const { return order_; }

  /// States of a sector, symmetric ones counted as one; bans are all that the cows allow for.
  std::uint32_t count(Cows cows) const;
  State state(Cows cows, std::uint32_t index) const;
  /// How many placements the state without its bans stands for.
  int images(Cows cows, std::uint32_t index) const;
  Value value(Cows cows, std::uint32_t index) const;
  /// Of any state of a sector that is solved, whatever its bans.
  Value value(const State& state) const;
  /// Whether it is one of the states that count() counts.
  bool holds(const State& state) const;
  /// The value that follows from those of the states after it.
  Value value_by_turns(const State& state) const;

  /// At a clock count, 0 to the rules' clock; one that has been reached draws what is not over.
  /// Where the clock does not run, its count is no matter.
  Outcome outcome(const Value& value, Cows cows, int clock) const;
  /// The distance to shot or end beyond which the outcome is a clock win or clock loss.
  int clock_bound(Cows cows) const;

  /// What a turn is worth to its player, who makes it at this clock count.
  TurnValue value_of(const Turn& turn, Cows cows, int clock) const;

 private:
  using Node = std::uint32_t;

  struct Sector {
    explicit Sector(Cows cows) : positions(cows.first, cows.second) {}

    Positions positions;
    Node first_node = 0;
    std::vector<Node> nodes_of;         ///< by position: its first node; and the end
    std::vector<std::uint32_t> bans;    ///< by node: both bans, packed; ascending in a position
    std::vector<std::uint32_t> places;  ///< by node: its position
  };

  class PairSolver;

  void add_sector(Cows cows);
  void solve_pair(Cows cows);
  std::optional<Node> find(const State& state) const;
  /// Of the state after a turn, for the opponent, unless the turn ends the game.
  std::optional<Value> value_after(const Turn& turn) const;
  /// Of a turn, from the value after it.
  Outcome outcome_from(const std::optional<Value>& after, const Turn& turn, Cows cows,
                       int clock) const;
  Distance dtc_from(const std::optional<Value>& after, const Turn& turn, Cows cows) const;

  Game game_;
  std::vector<Cows> order_;
  std::map<Cows, Sector> sectors_;
  std::vector<Value> values_;  ///< by node
};

}  // namespace oracle
