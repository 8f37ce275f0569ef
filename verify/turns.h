// Turns in the moving phase, one position at a time, as RULES.md has them. Slow and plain: the
// reference for the checker of whole rows, and what is used for samples and for positions with
// bans.
#pragma once

#include <compare>
#include <cstdint>

#include "verify/board.h"

namespace mtb::deep {

/// A re-forming ban of a player whose cow went X-Y: `from` is Y, `to` is X.
struct Ban {
  std::int8_t from = -1;
  std::int8_t to = -1;

  explicit operator bool() const { return from >= 0; }
  auto operator<=>(const Ban&) const = default;
};

/// Between turns, without cows in hand.
struct Position {
  Set mover = 0;
  Set opponent = 0;
  Ban mover_ban{};     ///< binds on the turn that is due
  Ban opponent_ban{};  ///< binds on the one after it
  auto operator<=>(const Position&) const = default;
};

/// What a turn leads to.
struct Successor {
  Position position;  ///< the other player to move
  bool shot = false;  ///< a cow was shot on the way
  bool over = false;  ///< the other player has fewer than three cows, and has lost
};

class Game {
 public:
  explicit Game(const Rules& rules) : rules_(rules), board_(rules) {}

  const Rules& rules() const { return rules_; }
  const Board& board() const { return board_; }

  bool flies(Set cows) const { return size_of(cows) <= rules_.fly_at; }
  Set destinations(Set mover, Set opponent, int from) const {
    const Set free = kAllPoints & ~(mover | opponent);
    return flies(mover) ? free : free & board_.ways[static_cast<std::size_t>(from)];
  }

  /// Whether the mover's ban forbids a move.
  bool is_forbidden(const Position& position, int from, int to) const;

  /// Whether the mover's ban forbids a move that it could otherwise make.
  bool binds(const Position& position) const;

  /// Whether the mover has a legal move.
  bool can_move(const Position& position) const;

  /// Calls visit(successor) for each way to take or decline the shots of a move that is not
  /// forbidden.
  template <class Visit>
  void after_move(const Position& position, int from, int to, Visit&& visit) const {
    const Set moved = (position.mover & ~bit(from)) | bit(to);
    const int mills = board_.mills_at(to, moved);
    Successor next{{position.opponent, moved, position.opponent_ban, {}}};
    if (rules_.reform != Reform::none && mills > 0 && board_.mills_at(from, position.mover) > 0) {
      next.position.opponent_ban = {static_cast<std::int8_t>(to), static_cast<std::int8_t>(from)};
    }
    shoot(next, rules_.shot_per_mill || mills < 1 ? mills : 1, visit);
  }

  /// Calls visit(successor) for every turn that is a move; passing is not among them.
  template <class Visit>
  void for_each_turn(const Position& position, Visit&& visit) const {
    for_each_point(position.mover, [&](int from) {
      for_each_point(destinations(position.mover, position.opponent, from), [&](int to) {
        if (!is_forbidden(position, from, to)) after_move(position, from, to, visit);
      });
    });
  }

  /// After a pass.
  static Position passed(const Position& position) {
    return {position.opponent, position.mover, position.opponent_ban, {}};
  }

  /// The position without bans that forbid nothing, whatever comes.
  Position without_idle_bans(Position position) const;

 private:
  template <class Visit>
  void shoot(const Successor& successor, int owed, Visit& visit) const {
    const Set cows = successor.position.mover;
    const Set aims = owed == 0 || successor.over ? 0 : aims_at(rules_, board_, cows);
    if (aims == 0 || rules_.may_decline) visit(successor);
    for_each_point(aims, [&](int aim) {
      Successor next = successor;
      next.shot = true;
      next.position.mover = cows & ~bit(aim);
      next.over = size_of(next.position.mover) < kLeastCows;
      if (next.position.mover_ban.from == aim) next.position.mover_ban = {};
      shoot(next, owed - 1, visit);
    });
  }

  Rules rules_;
  Board board_;
};

}  // namespace mtb::deep
