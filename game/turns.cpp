#include "game/turns.h"

#include <algorithm>
#include <limits>

namespace mtb {
namespace {

bool hands_empty(const Position& position) {
  return position.hand[Colour::white] == 0 && position.hand[Colour::black] == 0;
}

/// Whether the mover's ban forbids a move.
bool is_banned(const RuleSet& rules, const Position& position, Point from, Point to) {
  const auto& ban = position.ban[position.side];
  return ban && mtb::is_banned(rules, position.mover(), *ban, from, to);
}

/// Where the mover's cow on `from` may go.
PointSet destinations(const RuleSet& rules, const Position& position, Point from) {
  const bool flies = position.mover().size() <= rules.fly_at;  // never when fly_at is 0
  PointSet result = position.free_points();
  if (!flies) {
    result = result & board(rules.diagonals).neighbours[static_cast<std::size_t>(index(from))];
  }
  for (Point to : result) {
    if (is_banned(rules, position, from, to)) result = result.without(to);
  }
  return result;
}

/// Whether the mover can place or move; a player with cows in hand must place.
bool can_act(const RuleSet& rules, const Position& position) {
  if (position.hand[position.side] != 0) return !position.free_points().empty();
  for (Point from : position.mover()) {
    if (!destinations(rules, position, from).empty()) return true;
  }
  return false;
}

/// Appends every way to complete `turn` with up to `owed` further shots at `cows`.
void complete(const RuleSet& rules, const Turn& turn, int owed, PointSet cows, int hand,
              std::vector<Turn>& turns) {
  const bool over = cows.size() + hand < kMinCows;
  const PointSet aims = over ? PointSet() : targets(rules, cows);
  if (owed == 0 || aims.empty()) {
    turns.push_back(turn);
    return;
  }
  if (rules.shot == Shooting::optional) {
    turns.push_back(turn);
    turns.back().declined = true;
  }
  for (Point aim : aims) {
    Turn longer = turn;
    longer.shots[longer.shot_count++] = aim;
    complete(rules, longer, owed - 1, cows.without(aim), hand, turns);
  }
}

}  // namespace

PointSet targets(const RuleSet& rules, PointSet cows) {
  if (rules.targets == Targets::any) return cows;
  const PointSet free = cows - board(rules.diagonals).in_mills(cows);
  return free.empty() && rules.targets == Targets::free_first ? cows : free;
}

bool is_banned(const RuleSet& rules, PointSet mover, const Ban& ban, Point from, Point to) {
  // A cow that was shot carries no ban any more.
  if (to != ban.to || !mover.contains(ban.from)) return false;
  const Board& lines = board(rules.diagonals);
  const PointSet rest = mover.without(from);
  switch (rules.reform) {
    case Reform::none:
      return false;
    case Reform::cow_if_mill:
      return from == ban.from && lines.mills_at(to, rest) > 0;
    case Reform::cow:
      return from == ban.from;
    case Reform::mill: {
      // Which mills were broken follows from X and Y alone. Since the move X-Y the mover has only
      // lost cows. A line through X that can be closed now therefore either contains Y, and then
      // was no mill before (Y was empty), or its two other cows stood there before, and it was.
      const auto x = static_cast<std::size_t>(index(to));
      for (std::size_t m = 0; m < lines.mate_count[x]; ++m) {
        const PointSet mates = lines.mates[x][m];
        if (rest.contains(mates) && !mates.contains(ban.from)) return true;
      }
      return false;
    }
  }
  return false;
}

bool clock_runs(const RuleSet& rules, Sector sector) {
  if (sector.has_hands()) return false;
  const bool mover = sector.mover <= 3;
  const bool opponent = sector.opponent <= 3;
  switch (rules.clock.trigger) {
    case ClockTrigger::always:
      return true;
    case ClockTrigger::either_at_three:
      return mover || opponent;
    case ClockTrigger::both_at_three:
      return mover && opponent;
  }
  return false;
}

Verdict verdict(const RuleSet& rules, const Position& position) {
  if (position.owed != 0) return Verdict::open;
  if (position.total(position.side) < kMinCows) return Verdict::loss;
  if (position.total(other(position.side)) < kMinCows) return Verdict::win;
  if (position.free_points().empty() && hands_empty(position)) {
    return rules.full_board == FullBoard::loss ? Verdict::loss : Verdict::draw;
  }
  if (!can_act(rules, position)) {
    switch (rules.blocked) {
      case Blocked::loss:
        return Verdict::loss;
      case Blocked::draw:
        return Verdict::draw;
      case Blocked::pass:
        if (!can_act(rules, play(rules, position, Turn{}))) return Verdict::draw;
    }
  }
  // Last, so that the last counted ply may still win.
  const bool expired = rules.clock.plies != 0 && position.clock >= rules.clock.plies;
  return expired && clock_runs(rules, position.sector()) ? Verdict::draw : Verdict::open;
}

std::vector<Turn> legal_turns(const RuleSet& rules, const Position& position) {
  std::vector<Turn> turns;
  if (verdict(rules, position) != Verdict::open) return turns;

  const Board& lines = board(rules.diagonals);
  const PointSet opponent = position.opponent();
  const int opponent_hand = position.hand[other(position.side)];
  const auto add = [&](const Turn& turn, PointSet cows) {
    const int mills = lines.mills_at(turn.to, cows);
    const int earned = rules.shots == Shots::one ? std::min(mills, 1) : mills;
    complete(rules, turn, earned, opponent, opponent_hand, turns);
  };

  Turn turn;
  if (position.owed != 0) {
    turn.kind = Turn::Kind::shoot;
    complete(rules, turn, position.owed, opponent, opponent_hand, turns);
  } else if (position.hand[position.side] != 0) {
    turn.kind = Turn::Kind::place;
    for (Point to : position.free_points()) {
      turn.to = to;
      add(turn, position.mover().with(to));
    }
  } else {
    turn.kind = Turn::Kind::move;
    for (Point from : position.mover()) {
      turn.from = from;
      for (Point to : destinations(rules, position, from)) {
        turn.to = to;
        add(turn, position.mover().without(from).with(to));
      }
    }
    if (turns.empty()) turns.push_back(Turn{});  // blocked, and the game goes on: a pass
  }
  std::sort(turns.begin(), turns.end());
  return turns;
}

Position play(const RuleSet& rules, const Position& position, const Turn& turn) {
  const Colour me = position.side;
  const Colour them = other(me);
  Position next = position;
  next.side = them;
  next.owed = 0;

  // A ban lasts for one turn. Shots that were owed belong to the turn that set it.
  if (turn.kind != Turn::Kind::shoot) next.ban[me].reset();
  if (turn.kind == Turn::Kind::place) {
    next.cows[me] = position.cows[me].with(turn.to);
    --next.hand[me];
  } else if (turn.kind == Turn::Kind::move) {
    next.cows[me] = position.cows[me].without(turn.from).with(turn.to);
    const Board& lines = board(rules.diagonals);
    if (rules.reform != Reform::none && lines.mills_at(turn.from, position.cows[me]) > 0 &&
        lines.mills_at(turn.to, next.cows[me]) > 0) {
      next.ban[me] = Ban{turn.to, turn.from};
    }
  }
  for (std::size_t i = 0; i < turn.shot_count; ++i) {
    const Point shot = turn.shots[i];
    next.cows[them] = next.cows[them].without(shot);
    if (next.ban[them] && next.ban[them]->from == shot) next.ban[them].reset();
  }

  // What the clock counts is a ply that began while it ran. Owed shots are taken to end such a ply
  // when the hands are empty now.
  const bool counted = turn.shot_count == 0 && clock_runs(rules, position.sector());
  const int plies = std::min<int>(position.clock + 1, std::numeric_limits<std::uint16_t>::max());
  next.clock = counted ? static_cast<std::uint16_t>(plies) : std::uint16_t{0};
  return next;
}

std::uint64_t perft(const RuleSet& rules, const Position& position, int depth) {
  if (depth <= 0) return 1;
  const std::vector<Turn> turns = legal_turns(rules, position);
  if (depth == 1) return turns.size();
  std::uint64_t count = 0;
  for (const Turn& turn : turns) count += perft(rules, play(rules, position, turn), depth - 1);
  return count;
}

}  // namespace mtb
