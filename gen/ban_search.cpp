#include "gen/ban_search.h"

#include "game/turns.h"

namespace mtb {

BanSearch::BanSearch(const RuleSet& rules, Metric metric, const FinishedSectors& finished)
    : rules_(rules), metric_(metric), finished_(finished), board_(board(rules.diagonals)) {}

/// Whether a ban forbids a move that there is.
bool BanSearch::binds(PointSet player, PointSet opponent, const Ban& ban) const {
  if (!player.contains(ban.from) || player.contains(ban.to) || opponent.contains(ban.to)) {
    return false;
  }
  const bool flies = player.size() <= rules_.fly_at;
  for (Point from : flies ? player : player& board_.neighbours[number(ban.to)]) {
    if (is_banned(rules_, player, ban, from, ban.to)) return true;
  }
  return false;
}

bool BanSearch::can_move(PointSet mover, PointSet opponent, const std::optional<Ban>& ban) const {
  const PointSet free = ~(mover | opponent);
  const bool flies = mover.size() <= rules_.fly_at;
  for (Point from : mover) {
    for (Point to : flies ? free : free& board_.neighbours[number(from)]) {
      if (!ban || !is_banned(rules_, mover, *ban, from, to)) return true;
    }
  }
  return false;
}

/// The value of a turn from `position`, from what it leads to.
Code BanSearch::after(const BannedPosition& position, const BannedPosition& successor,
                      bool shot) const {
  const bool dtc = metric_ == Metric::dtc;
  if (successor.mover.size() < kMinCows) return dtc ? dtc_code::win(1) : dtw_code::decided(1);
  const Code code = value(successor);
  if (code == dtw_code::draw()) return code;
  if (!dtc) return static_cast<Code>(code + 1);
  const CodeMeaning there = finished_.meaning(successor.mover.size(), successor.opponent.size());
  const bool wins = code % 2 != 0;
  std::uint32_t plies = there.plies(code) + 1;
  if (shot) {
    // What lies behind a shot counts by its outcome at clock zero.
    const CodeMeaning here = finished_.meaning(position.mover.size(), position.opponent.size());
    plies = there.is_late(code) ? here.clock_bound + 1 : 1;
  }
  return wins ? dtc_code::win(plies) : dtc_code::loss(plies);
}

/// Calls visit(successor, shot) for all that the shots still owed may lead to.
template <class Visit>
void BanSearch::shoot(BannedPosition successor, int owed, bool shot, Visit&& visit) const {
  const PointSet aims = owed == 0 || successor.mover.size() < kMinCows
                            ? PointSet()
                            : targets(rules_, successor.mover);
  if (aims.empty()) return visit(successor, shot);
  for (Point aim : aims) {
    BannedPosition next = successor;
    next.mover = successor.mover.without(aim);
    shoot(next, owed - 1, true, visit);
  }
}

/// Calls visit(successor, shot) for all turns but passes: those that the mover's ban allows, or
/// those that it forbids.
template <class Visit>
void BanSearch::for_each_turn(const BannedPosition& position, bool banned, Visit&& visit) const {
  const PointSet free = ~(position.mover | position.opponent);
  const bool flies = position.mover.size() <= rules_.fly_at;
  for (Point from : position.mover) {
    const bool opens = board_.mills_at(from, position.mover) > 0;
    for (Point to : flies ? free : free& board_.neighbours[number(from)]) {
      const bool forbidden =
          position.mover_ban && is_banned(rules_, position.mover, *position.mover_ban, from, to);
      if (forbidden != banned) continue;
      const PointSet moved = position.mover.without(from).with(to);
      const int mills = board_.mills_at(to, moved);
      BannedPosition successor{position.opponent, moved, position.opponent_ban, std::nullopt};
      if (opens && mills > 0) successor.opponent_ban = Ban{to, from};
      shoot(successor, rules_.shots == Shots::one && mills > 1 ? 1 : mills, false, visit);
    }
  }
}

/// A player without a legal turn.
Code BanSearch::blocked(const BannedPosition& position) const {
  switch (rules_.blocked) {
    case Blocked::loss:
      break;
    case Blocked::draw:
      return dtw_code::draw();
    case Blocked::pass:
      if (!can_move(position.opponent, position.mover, position.opponent_ban)) {
        return dtw_code::draw();
      }
      return after(position,
                   {position.opponent, position.mover, position.opponent_ban, std::nullopt}, false);
  }
  return metric_ == Metric::dtc ? dtc_code::loss(0) : dtw_code::decided(0);
}

Code BanSearch::value(BannedPosition position) const {
  const PointSet mover = position.mover;
  const PointSet opponent = position.opponent;
  if (position.mover_ban && !binds(mover, opponent, *position.mover_ban)) {
    position.mover_ban.reset();
  }
  if (position.opponent_ban && !opponent.contains(position.opponent_ban->from)) {
    position.opponent_ban.reset();
  }
  const Code plain = finished_.code(mover, opponent);
  if (!position.mover_ban && !position.opponent_ban) return plain;
  if (position.mover_ban && !position.opponent_ban) {
    // The ban can matter only if a turn that it forbids is as good as the best. What bans do to
    // that turn's own successors makes it no better.
    bool may_matter = false;
    for_each_turn(position, true, [&](BannedPosition successor, bool shot) {
      successor.opponent_ban.reset();
      may_matter = may_matter || !better(plain, after(position, successor, shot));
    });
    if (!may_matter) return plain;
  }
  if (!position.mover_ban) {
    // The opponent's ban only helps, and only where it binds after the turn.
    Code best = plain;
    for_each_turn(position, false, [&](const BannedPosition& successor, bool shot) {
      if (successor.mover.size() < kMinCows || !successor.mover_ban ||
          !binds(successor.mover, successor.opponent, *successor.mover_ban)) {
        return;
      }
      const Code code = after(position, successor, shot);
      if (better(code, best)) best = code;
    });
    return best;
  }
  std::optional<Code> best;
  for_each_turn(position, false, [&](const BannedPosition& successor, bool shot) {
    const Code code = after(position, successor, shot);
    if (!best || better(code, *best)) best = code;
  });
  return best ? *best : blocked(position);
}

}  // namespace mtb
