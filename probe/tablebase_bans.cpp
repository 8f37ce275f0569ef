// The part of Tablebase that answers for positions with re-forming bans, which tables do not have.
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>

#include "probe/tablebase.h"

namespace mtb {
namespace {

/// Whether the mover's ban forbids a move of some cow onto its free point, however far.
bool binds(const RuleSet& rules, PointSet mover, PointSet free, const Ban& ban) {
  if (!free.contains(ban.to)) return false;
  for (Point from : mover) {
    if (is_banned(rules, mover, ban, from, ban.to)) return true;
  }
  return false;
}

/// The position, between turns, without bans that forbid nothing, whatever comes. Tables are of
/// positions without bans.
Position without_idle_bans(const RuleSet& rules, Position position) {
  for (const Colour c : {Colour::white, Colour::black}) {
    std::optional<Ban>& ban = position.ban[c];
    if (!ban) continue;
    const bool has_cow = rules.reform != Reform::none && position.cows[c].contains(ban->from);
    const bool is_due = c == position.side;
    if (!has_cow || (is_due && !binds(rules, position.mover(), position.free_points(), *ban))) {
      ban.reset();
    }
  }
  return position;
}

}  // namespace

/// Positions with bans, at clock zero, whose values follow from one another, with what is known of
/// these. Mostly there are few: a ban lasts for one turn.
struct Tablebase::BannedPositions {
  struct Entry {
    Position position;
    Evaluation value;
  };
  std::vector<Entry> entries;
  std::map<std::array<std::int64_t, 6>, std::size_t> places;
  bool asked = false;  ///< a value among them was used

  /// A position that has not been met is a draw until more is known.
  const Evaluation& value(const Position& position, const Evaluation& draw) {
    const auto number = [&](Colour c) -> std::int64_t {
      const std::optional<Ban>& ban = position.ban[c];
      return ban ? index(ban->from) * kPointCount + index(ban->to) : -1;
    };
    const auto [place, is_new] = places.try_emplace(
        {position.cows[Colour::white].bits(), position.cows[Colour::black].bits(),
         position.hand[Colour::white] * (kMaxCows + 1) + position.hand[Colour::black],
         position.side == Colour::white, number(Colour::white), number(Colour::black)},
        entries.size());
    if (is_new) entries.push_back({position, draw});
    asked = true;
    return entries[place->second].value;
  }
};

/// Of a position with bans, which tables do not have, from its turns. Distances do not depend on
/// the clock, and when it has run out there are no turns: they are looked at as if it had just
/// started.
///
/// Where a new ban can come without a shot, positions with bans may come back to themselves. All
/// that are met begin as draws and are evaluated again until nothing changes. On the way every win
/// and loss that is said is one, at that distance or a shorter one; at the end each value follows
/// from those of its successors, and only the right ones do so.
Result<Evaluation> Tablebase::look_ahead(const Position& position, Need need,
                                         Question& question) const {
  const Evaluation draw = drawn();
  // Outcomes at other counts of the clock follow from distances.
  if (clock_applied_) need = Need::all;
  if (question.met != nullptr) {
    // Turns come back to a position only through one that has just got a ban.
    const bool is_new = position.ban[other(position.side)].has_value();
    Result<Evaluation> value = is_new ? question.met->value(without_clock(position), draw)
                                      : value_under_bans(without_clock(position), need, question);
    if (!value) return value;
    return apply_clock(position, *value).map([&] { return *value; });
  }
  BannedPositions positions;
  Question inner{question.control, {}, &positions};
  positions.value(without_clock(position), draw);
  for (bool changed = true; changed;) {
    changed = false;
    positions.asked = false;
    const std::size_t known = positions.entries.size();
    for (std::size_t i = known; i-- > 0;) {
      const Position of = positions.entries[i].position;
      const Result<Evaluation> value = value_under_bans(of, need, inner);
      if (!value) return value;
      changed = changed || *value != positions.entries[i].value;
      positions.entries[i].value = *value;
    }
    changed = positions.asked && (changed || positions.entries.size() != known);
  }
  Evaluation value = positions.entries.front().value;
  return apply_clock(position, value).map([&] { return value; });
}

/// From the turns of a position with bans. Most are not looked at: what the position is worth
/// without bans mostly tells what it is worth with them.
Result<Evaluation> Tablebase::value_under_bans(const Position& position, Need need,
                                               Question& question) const {
  const std::vector<Turn> turns = turns_of(position);
  const std::optional<Ban>& ban = position.ban[position.side];
  const bool loses_when_blocked = rules_.blocked == Blocked::loss;
  if (position.ban[other(position.side)] && (ban || !loses_when_blocked)) {
    return best_value(valued(position, turns, need, question));
  }
  Position free = position;
  free.ban = {};
  const Result<Evaluation> plain = look_up(free, need, question);
  if (!plain) return plain;
  const auto leads_to_ban = [&](const Position& after) {
    return has_ban(without_idle_bans(rules_, after));
  };

  if (!ban) {
    // The opponent's ban only helps, and only where it binds after the turn.
    std::vector<RankedTurn> ranked = valued(position, turns, need, question, leads_to_ban);
    ranked.push_back({Turn{}, free, plain});
    return best_value(ranked);
  }

  // A ban does its player no good where being blocked is a loss, or cannot be. It matters only if a
  // turn that it forbids is as good as the best, and that turn's own ban makes it no better.
  const bool flies = position.mover().size() <= rules_.fly_at;
  const bool only_hurts = loses_when_blocked || (flies && position.free_points().size() >= 2);
  std::vector<Turn> forbidden = turns_of(free);
  std::erase_if(forbidden, [&](const Turn& turn) {
    return !is_banned(rules_, position.mover(), *ban, turn.from, turn.to);
  });
  bool matters = false;
  for (const Turn& turn : forbidden) {
    Position after = play(rules_, free, turn);
    matters = matters || (has_ban(after) && !only_hurts);
    if (matters) break;
    after.ban = {};
    const Result<Evaluation> value = evaluate(after, need, question);
    if (!value) return value;
    // Without its own ban the turn may even be better than the position it is made in.
    const Evaluation most = before_turn(free, turn, *value);
    matters = may_make(most, *plain) || may_improve(most, *plain);
  }
  if (!matters) return plain;

  std::vector<RankedTurn> ranked = valued(
      position, turns, need, question, [&](const Position& after) { return !leads_to_ban(after); });
  std::optional<Evaluation> best;
  if (!ranked.empty()) {
    const Result<Evaluation> value = best_value(ranked);
    if (!value) return value;
    best = *value;
  }
  for (const Turn& turn : turns) {
    Position after = play(rules_, position, turn);
    if (!leads_to_ban(after)) continue;
    if (only_hurts && best) {
      Position unbanned = after;
      unbanned.ban = {};
      const Result<Evaluation> most = evaluate(unbanned, need, question);
      if (most && !may_improve(before_turn(position, turn, *most), *best)) continue;
    }
    ranked.push_back(valued(position, turn, after, need, question));
  }
  return best_value(ranked);
}

Result<Evaluation> Tablebase::evaluate_with_bans(const Position& position, Need need,
                                                 Question& question) const {
  const Position needed = without_idle_bans(rules_, position);
  return has_ban(needed) ? look_ahead(needed, need, question) : look_up(needed, need, question);
}

}  // namespace mtb
