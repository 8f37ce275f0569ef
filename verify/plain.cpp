#include "verify/plain.h"

#include <algorithm>

namespace mtb::deep {
namespace {

/// Settled positions that are kept, at about 80 bytes each; then all are forgotten.
constexpr std::size_t kMostSettled = 1 << 15;

}  // namespace

Code PlainChecker::expected(const Position& position) {
  return scale(position).code(merit(position));
}

Merit PlainChecker::merit(const Position& position) {
  const Scale& here = scale(position);
  const bool full = (position.mover | position.opponent) == kAllPoints;
  if (full) return game_.rules().full_board_draws ? kDrawn : loss_in(0);
  Merit best = kNothing;
  // A ban takes turns from its player alone. Where having none is a loss, that does no good.
  const bool ban_only_hurts = game_.rules().blocked == Blocked::loses;
  std::vector<Successor> with_ban;
  game_.for_each_turn(position, [&](const Successor& successor) {
    if (ban_only_hurts && successor.position.opponent_ban) {
      with_ban.push_back(successor);
    } else {
      best = std::max(best, merit_after(here, successor));
    }
  });
  for (const Successor& successor : with_ban) {
    Successor without = successor;
    without.position.opponent_ban = {};
    if (merit_after(here, without) <= best) continue;
    best = std::max(best, merit_after(here, successor));
  }
  return game_.can_move(position) ? best : merit_when_blocked(position);
}

Merit PlainChecker::merit_of_move(const Position& position, int from, int to) {
  const Scale& here = scale(position);
  Merit best = kNothing;
  game_.after_move(position, from, to, [&](const Successor& successor) {
    best = std::max(best, merit_after(here, successor));
  });
  return best;
}

Merit PlainChecker::merit_when_blocked(const Position& position) {
  switch (game_.rules().blocked) {
    case Blocked::loses:
      return loss_in(0);
    case Blocked::draws:
      return kDrawn;
    case Blocked::passes:
      break;
  }
  const Position passed = Game::passed(position);
  if (!game_.can_move(passed)) return kDrawn;
  return merit_after(scale(position), {passed});
}

Merit PlainChecker::merit_after(const Scale& here, const Successor& successor) {
  if (successor.over) return win_in(1);
  const Position position = game_.without_idle_bans(successor.position);
  const Scale& there = scale(position);
  const Code code = code_of(position);
  return successor.shot ? there.after_shot(code, here) : there.after_quiet(code);
}

/// The code of a position without idle bans; while a search is going on, as far as it is known.
Code PlainChecker::code_of(const Position& position) {
  if (!position.mover_ban && !position.opponent_ban) {
    return tables_.code(position.mover, position.opponent);
  }
  if (const auto found = settled_.find(position); found != settled_.end()) return found->second;
  // After the next turn nothing is left of a ban of the mover alone.
  if (searching_ && !position.opponent_ban) return expected(position);
  const auto [place, is_new] = open_places_.try_emplace(position, open_.size());
  if (is_new) open_.push_back({position});
  if (searching_) return open_[place->second].code;
  settle();
  return settled_.at(position);
}

/// Works out what is open and all that it leads to. All begin as draws, and are worked out again
/// until none changes: wins and losses are only added, and their distances only become shorter. At
/// the end each code follows from those of its successors.
void PlainChecker::settle() {
  searching_ = true;
  for (bool changed = true; changed;) {
    changed = false;
    const std::size_t known = open_.size();
    for (std::size_t i = known; i-- > 0;) {
      const Position position = open_[i].position;
      const Code code = expected(position);
      changed = changed || code != open_[i].code;
      open_[i].code = code;
    }
    changed = changed || open_.size() != known;
  }
  searching_ = false;
  if (settled_.size() > kMostSettled) settled_.clear();
  for (const Node& node : open_) settled_.emplace(node.position, node.code);
  open_.clear();
  open_places_.clear();
}

}  // namespace mtb::deep
