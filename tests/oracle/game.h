// The moving phase of Morabaraba once more, for the oracle: written from the rules text alone, on
// the board's tables (game/board.h) and nothing else of the library. A state has no colours: it is
// what the player to move sees.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "game/board.h"
#include "tests/game/naive.h"

namespace oracle {

using mtb::Point;
using mtb::PointSet;

enum class Targets : std::uint8_t { free_cows_first, free_cows_only, any };
enum class WhenBlocked : std::uint8_t { loses, passes, draws };
enum class Trigger : std::uint8_t { always, either_at_three, both_at_three };
enum class Reform : std::uint8_t { free, cow_if_mill, mill, cow };

/// What matters of a rule set once all cows are placed.
struct Rules {
  mtb::Diagonals diagonals = mtb::Diagonals::mills;
  bool shot_for_each_mill = false;
  bool may_decline = false;
  Targets targets = Targets::free_cows_first;
  int fly_at = 0;
  WhenBlocked blocked = WhenBlocked::loses;
  int clock = 0;  ///< plies; 0: no clock
  Trigger trigger = Trigger::always;
  Reform reform = Reform::free;
};

/// The rules that these words mean.
Rules rules_of(const naive::Rules& words);

/// After a move X-Y that broke a mill at X and closed one at Y: from = Y, to = X.
struct Ban {
  Point from{}, to{};
  auto operator<=>(const Ban&) const = default;
};

/// Without the clock, which is no matter of which turns there are.
struct State {
  PointSet mover, opponent;
  std::optional<Ban> mover_ban, opponent_ban;
  bool operator==(const State&) const = default;
};

struct Turn {
  bool passes = false;
  Point from{}, to{};
  std::array<Point, 3> shots{};
  std::size_t shot_count = 0;
  bool declined = false;
  State next;  ///< as the opponent sees it
};

/// How a state stands before the turn, the clock aside.
enum class Standing : std::uint8_t { open, lost, drawn };

class Game {
 public:
  explicit Game(const Rules& rules);

  const Rules& rules() const { return rules_; }

  /// Replaces `turns` by all turns of a state in which both sides have at least three cows; there
  /// are some exactly when it is open.
  Standing list_turns(const State& state, std::vector<Turn>& turns) const;

  /// Whether the rules have a clock and it counts while the players have so many cows.
  bool clock_runs(int mover, int opponent) const;

  /// The bans that a player with the cows `own` may carry: those left by its last turn, when the
  /// other player, with the cows `other`, has answered it, and when not. There may be some among
  /// them that no game leads to, none is missing. Bans onto points that are not empty have no
  /// meaning and are left out.
  std::vector<Ban> possible_bans(PointSet own, PointSet other, bool answered) const;

 private:
  /// Cows that must have stood for a move to.from - from.to to leave a ban, the moved one included.
  struct BanPattern {
    Ban ban;
    PointSet cows;
    bool is_step = false;  ///< so that the move needed no flying
  };

  PointSet destinations(const State& state, Point from) const;
  bool is_banned(const State& state, Point from, Point to) const;
  bool can_move(const State& state) const;
  int mills_through(Point p, PointSet cows) const;
  PointSet targets(PointSet cows) const;
  void shoot(const Turn& turn, int owed, std::vector<Turn>& turns) const;

  Rules rules_;
  const mtb::Board& board_;
  std::array<std::vector<PointSet>, mtb::kPointCount> lines_through_;
  std::array<std::vector<BanPattern>, mtb::kPointCount> patterns_;  ///< by the ban's cow
};

}  // namespace oracle
