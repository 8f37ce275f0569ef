#include "gen/ban_search.h"

#include "game/turns.h"

namespace mtb {

BanSearch::BanSearch(const RuleSet& rules, Metric metric, const FinishedSectors& finished)
    : rules_(rules),
      metric_(metric),
      may_return_(!bans_follow_shots(rules)),
      finished_(finished),
      board_(board(rules.diagonals)) {}

BanSearch::Met::Place BanSearch::Met::place(const BannedPosition& position) {
  const auto number = [](const std::optional<Ban>& ban) {
    return ban ? index(ban->from) * kPointCount + index(ban->to) : -1;
  };
  return {position.mover.bits(), position.opponent.bits(), number(position.mover_ban),
          number(position.opponent_ban)};
}

/// Whether a ban does its player no good. It might where having no turn is no loss, but one that
/// flies has other turns.
bool BanSearch::only_hurts(PointSet player, PointSet opponent) const {
  const bool flies = player.size() <= rules_.fly_at;
  return rules_.blocked == Blocked::loss ||
         (flies && player.size() + opponent.size() <= kPointCount - 2);
}

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
Code BanSearch::after(const BannedPosition& position, const BannedPosition& successor, bool shot,
                      Met& met) const {
  const bool dtc = metric_ == Metric::dtc;
  if (successor.mover.size() < kMinCows) return dtc ? dtc_code::win(1) : dtw_code::decided(1);
  const Code code = find(successor, met);
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

/// Calls visit(successor, shot) for all that the shots still owed, taken or declined, may lead to.
template <class Visit>
void BanSearch::shoot(BannedPosition successor, int owed, bool shot, Visit&& visit) const {
  const PointSet aims = owed == 0 || successor.mover.size() < kMinCows
                            ? PointSet()
                            : targets(rules_, successor.mover);
  if (aims.empty() || rules_.shot == Shooting::optional) visit(successor, shot);
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
Code BanSearch::blocked(const BannedPosition& position, Met& met) const {
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
                   {position.opponent, position.mover, position.opponent_ban, std::nullopt}, false,
                   met);
  }
  return metric_ == Metric::dtc ? dtc_code::loss(0) : dtw_code::decided(0);
}

Code BanSearch::value(const BannedPosition& position) const {
  Met met;
  const Code code = find(position, met);
  // All that was met begins as a draw, and is worked out again until nothing changes. On the way
  // every win and every loss that is said is one, at that distance or a shorter one; at the end
  // each value is the one that follows from those of its successors, and only the right ones do so.
  for (bool changed = !met.entries.empty(); changed;) {
    changed = false;
    met.asked = false;
    const std::size_t known = met.entries.size();
    for (std::size_t i = known; i-- > 0;) {
      const BannedPosition of = met.entries[i].position;
      const Code now = search(of, met);
      changed = changed || now != met.entries[i].code;
      met.entries[i].code = now;
    }
    changed = met.asked && (changed || met.entries.size() != known);
  }
  return met.entries.empty() ? code : met.entries.front().code;
}

Code BanSearch::value_after_move(PointSet mover, PointSet opponent, const Ban& ban) const {
  const PointSet moved = mover.without(ban.to).with(ban.from);
  if (only_hurts(mover, opponent)) {
    Met met;
    const Code at_most = after({mover, opponent}, {opponent, moved}, false, met);
    if (better(finished_.code(mover, opponent), at_most)) return finished_.code(opponent, moved);
  }
  return value({opponent, moved, std::nullopt, ban});
}

/// The value of a position as far as it is known; one that has not been met is noted for value().
Code BanSearch::find(BannedPosition position, Met& met) const {
  std::optional<Ban>& ban = position.mover_ban;
  if (ban && !binds(position.mover, position.opponent, *ban)) ban.reset();
  std::optional<Ban>& other_ban = position.opponent_ban;
  if (other_ban && !position.opponent.contains(other_ban->from)) other_ban.reset();
  if (!ban && !other_ban) return finished_.code(position.mover, position.opponent);
  // Turns come back to a position only through one that has just got a ban.
  if (!may_return_ || !other_ban) return search(position, met);
  const auto [place, is_new] = met.places.try_emplace(Met::place(position), met.entries.size());
  if (is_new) met.entries.push_back({position, dtw_code::draw()});
  met.asked = true;
  return met.entries[place->second].code;
}

/// Whether the mover's ban, the only one, can change a value: only if a turn that it forbids is as
/// good as the best.
bool BanSearch::may_matter(const BannedPosition& position, Code plain, Met& met) const {
  const bool hurts = only_hurts(position.mover, position.opponent);
  bool matters = false;
  for_each_turn(position, true, [&](BannedPosition successor, bool shot) {
    if (matters) return;
    // A new ban makes that turn no better, and is not followed.
    matters = successor.opponent_ban && !hurts;
    if (matters) return;
    successor.opponent_ban.reset();
    matters = !better(plain, after(position, successor, shot, met));
  });
  return matters;
}

/// The value of a position with bans from its turns.
Code BanSearch::search(const BannedPosition& position, Met& met) const {
  const Code plain = finished_.code(position.mover, position.opponent);
  if (!position.opponent_ban && !may_matter(position, plain, met)) return plain;
  if (!position.mover_ban && rules_.blocked == Blocked::loss) {
    // The opponent's ban only helps, and only where it binds after the turn.
    Code best = plain;
    for_each_turn(position, false, [&](const BannedPosition& successor, bool shot) {
      if (successor.mover.size() < kMinCows || !successor.mover_ban ||
          !binds(successor.mover, successor.opponent, *successor.mover_ban)) {
        return;
      }
      const Code code = after(position, successor, shot, met);
      if (better(code, best)) best = code;
    });
    return best;
  }
  const bool hurts = only_hurts(position.mover, position.opponent);
  std::optional<Code> best;
  const auto take = [&](const BannedPosition& successor, bool shot) {
    const Code code = after(position, successor, shot, met);
    if (!best || better(code, *best)) best = code;
  };
  for_each_turn(position, false, [&](const BannedPosition& successor, bool shot) {
    if (!successor.opponent_ban) take(successor, shot);
  });
  for_each_turn(position, false, [&](const BannedPosition& successor, bool shot) {
    if (!successor.opponent_ban) return;
    if (hurts && !position.opponent_ban && best) {
      // A turn that is not good enough without its own ban need not be followed.
      BannedPosition without = successor;
      without.opponent_ban.reset();
      if (!better(after(position, without, shot, met), *best)) return;
    }
    take(successor, shot);
  });
  return best ? *best : blocked(position, met);
}

}  // namespace mtb
