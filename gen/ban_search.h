// What a position is worth when players carry re-forming bans: a small search over finished
// sectors.
#pragma once

#include <optional>

#include "format/values.h"
#include "game/position.h"
#include "game/rule_set.h"
#include "gen/finished_sectors.h"

namespace mtb {

/// The two sides of a position between turns, without cows in hand, with their bans.
struct BannedPosition {
  PointSet mover;
  PointSet opponent;
  std::optional<Ban> mover_ban{};     ///< binds on the turn that is due
  std::optional<Ban> opponent_ban{};  ///< binds on the turn after it
};

/// Evaluates positions with bans under rules with bans_follow_shots(). A ban lasts for one turn of
/// its player, and a new one comes with a shot only; so after two turns the search has come to
/// positions without bans or to sectors with fewer cows. Safe for concurrent use.
class BanSearch {
 public:
  /// `finished` holds the sectors of all positions that are asked and those that their shots lead
  /// to, in codes of `metric`, dtw or dtc.
  BanSearch(const RuleSet& rules, Metric metric, const FinishedSectors& finished);

  /// The code of the value for the mover.
  Code value(BannedPosition position) const;

  /// The bans that a player's last turn may have left behind, when it led to these sets with the
  /// opponent to move: calls add(ban).
  template <class Add>
  void for_each_ban(PointSet player, PointSet opponent, Add&& add) const {
    const PointSet free = ~(player | opponent);
    const bool flew = player.size() <= rules_.fly_at;
    for (Point to : board_.in_mills(player)) {
      const PointSet origins = flew ? free : free & board_.neighbours[number(to)];
      for (Point from : origins) {
        if (board_.mills_at(from, player.without(to).with(from)) > 0) add(Ban{to, from});
      }
    }
  }

  /// Whether the first value is better for the player whose both are.
  static bool better(Code a, Code b) { return merit(a) > merit(b); }

 private:
  static std::size_t number(Point p) { return static_cast<std::size_t>(index(p)); }
  /// Greater is better: quick wins, slow wins, draws, slow losses, quick losses.
  static int merit(Code code) {
    constexpr int kFar = 1 << 17;
    if (code == 0) return 0;
    return code % 2 == 0 ? kFar - code : code - kFar;
  }

  bool binds(PointSet player, PointSet opponent, const Ban& ban) const;
  bool can_move(PointSet mover, PointSet opponent, const std::optional<Ban>& ban) const;
  Code after(const BannedPosition& position, const BannedPosition& successor, bool shot) const;
  template <class Visit>
  void for_each_turn(const BannedPosition& position, bool banned, Visit&& visit) const;
  template <class Visit>
  void shoot(BannedPosition successor, int owed, bool shot, Visit&& visit) const;
  Code blocked(const BannedPosition& position) const;

  const RuleSet rules_;
  const Metric metric_;
  const FinishedSectors& finished_;
  const Board& board_;
};

}  // namespace mtb
