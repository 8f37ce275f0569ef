#include "verify/turns.h"

namespace mtb::deep {

bool Game::is_forbidden(const Position& position, int from, int to) const {
  const Ban ban = position.mover_ban;
  // A ban goes with its cow.
  if (!ban || to != ban.to || (position.mover & bit(ban.from)) == 0) return false;
  const Set others = position.mover & ~bit(from);
  switch (rules_.reform) {
    case Reform::none:
      return false;
    case Reform::cow_if_mill:
      return from == ban.from && board_.mills_at(to, others) > 0;
    case Reform::cow:
      return from == ban.from;
    case Reform::mill:
      // Since its mill was broken the mover has only lost cows. So two cows that could make a mill
      // at X now stood there before, and made one with the cow of X, unless one of them is the cow
      // that left X for Y.
      for (const Set pair : board_.mates[static_cast<std::size_t>(to)]) {
        if ((pair & ~others) == 0 && (pair & bit(ban.from)) == 0) return true;
      }
      return false;
  }
  return false;
}

bool Game::binds(const Position& position) const {
  const int to = position.mover_ban.to;
  if (!position.mover_ban || ((position.mover | position.opponent) & bit(to)) != 0) return false;
  bool found = false;
  for_each_point(position.mover, [&](int from) {
    found = found || ((destinations(position.mover, position.opponent, from) & bit(to)) != 0 &&
                      is_forbidden(position, from, to));
  });
  return found;
}

bool Game::can_move(const Position& position) const {
  bool found = false;
  for_each_point(position.mover, [&](int from) {
    for_each_point(destinations(position.mover, position.opponent, from),
                   [&](int to) { found = found || !is_forbidden(position, from, to); });
  });
  return found;
}

Position Game::without_idle_bans(Position position) const {
  if (!binds(position)) position.mover_ban = {};
  const Ban waiting = position.opponent_ban;
  if (waiting && (position.opponent & bit(waiting.from)) == 0) position.opponent_ban = {};
  return position;
}

}  // namespace mtb::deep
