// What a position is worth when players carry re-forming bans: a small search over finished
// sectors.
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

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

/// Evaluates positions with bans. A ban lasts for one turn of its player. Under rules with
/// bans_follow_shots() a new one comes with a shot only; so after two turns the search has come to
/// positions without bans or to sectors with fewer cows. Under others it may come back to positions
/// with bans that it has met before. Safe for concurrent use.
class BanSearch {
 public:
  /// `finished` holds the sectors of all positions that are asked and those that their shots lead
  /// to, in codes of `metric`, dtw or dtc.
  BanSearch(const RuleSet& rules, Metric metric, const FinishedSectors& finished);

  /// The code of the value for the mover.
  Code value(const BannedPosition& position) const;

  /// The code of the position after a move that earned no shot and left `ban` behind, made from
  /// sets without bans; or that without the ban, where even so the move is worse than another.
  Code value_after_move(PointSet mover, PointSet opponent, const Ban& ban) const;

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

  /// The positions with bans of the last turn that one search has come to, with what is known of
  /// their values.
  struct Met {
    using Place = std::tuple<std::uint32_t, std::uint32_t, int, int>;
    static Place place(const BannedPosition& position);

    struct Entry {
      BannedPosition position;
      Code code;
    };
    std::map<Place, std::size_t> places;
    std::vector<Entry> entries;
    bool asked = false;  ///< a value among them was used
  };

  bool only_hurts(PointSet player, PointSet opponent) const;
  bool binds(PointSet player, PointSet opponent, const Ban& ban) const;
  bool can_move(PointSet mover, PointSet opponent, const std::optional<Ban>& ban) const;
  Code find(BannedPosition position, Met& met) const;
  Code search(const BannedPosition& position, Met& met) const;
  bool may_matter(const BannedPosition& position, Code plain, Met& met) const;
  Code after(const BannedPosition& position, const BannedPosition& successor, bool shot,
             Met& met) const;
  template <class Visit>
  void for_each_turn(const BannedPosition& position, bool banned, Visit&& visit) const;
  template <class Visit>
  void shoot(BannedPosition successor, int owed, bool shot, Visit&& visit) const;
  Code blocked(const BannedPosition& position, Met& met) const;

  const RuleSet rules_;
  const Metric metric_;
  /// Whether positions with bans may follow one another without end.
  const bool may_return_;
  const FinishedSectors& finished_;
  const Board& board_;
};

}  // namespace mtb
