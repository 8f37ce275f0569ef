#include "verify/row_checker.h"

#include <algorithm>

namespace mtb::deep {
RowChecker::RowChecker(const Game& game, const Geometry& sector, const Scale& scale,
                       const Targets& targets)
    : game_(game),
      sector_(sector),
      scale_(scale),
      targets_(targets),
      key_moves_(sector.key_is_mover),
      sets_(sets_by_rank(kPoints - (key_moves_ ? sector.mover : sector.opponent),
                         key_moves_ ? sector.opponent : sector.mover)) {
  quiet_merits_ = merits_of_codes(targets.quiet->largest(), [&](Code code) {
    return targets.quiet->scale().after_quiet(code);
  });
  for (std::size_t shots = 1; shots <= 3; ++shots) {
    const Values* const values = targets.shot[shots];
    if (values == nullptr) continue;
    shot_merits_[shots] = merits_of_codes(
        values->largest(), [&](Code code) { return values->scale().after_shot(code, scale_); });
  }
  if (targets.all != nullptr) plain_.emplace(game, *targets.all);
}

void RowChecker::expect(std::uint32_t row, std::span<Code> codes) {
  enter(row);
  if (frame_.count != size_of(sets_.front())) key_moves_ ? move_key() : move_others();
  be_blocked();
  for (std::size_t column = 0; column < codes.size(); ++column) {
    codes[column] = scale_.code(best_[column]);
  }
}

void RowChecker::enter(std::uint32_t row) {
  row_ = row;
  const Board& board = game_.board();
  frame_ = {};
  frame_.key = sector_.classes->representative(row);
  frame_.free = kAllPoints & ~frame_.key;
  for_each_point(frame_.free, [&](int point) {
    frame_.points[static_cast<std::size_t>(frame_.count++)] = point;
  });
  for (const Set line : board.lines) {
    if ((line & frame_.key) == 0) frame_.lines.push_back(compacted(line, frame_.free));
  }
  for (int i = 0; i < frame_.count; ++i) {
    const auto number = static_cast<std::size_t>(i);
    const auto point = static_cast<std::size_t>(frame_.points[number]);
    frame_.ways[number] = compacted(board.ways[point] & frame_.free, frame_.free);
    for (const Set pair : board.mates[point]) {
      if ((pair & frame_.key) != 0) continue;
      const auto mate = static_cast<std::size_t>(frame_.mate_count[number]++);
      frame_.mates[number][mate] = compacted(pair, frame_.free);
    }
  }
  best_.assign(sets_.size(), kNothing);
  aims_known_ = false;
}

Set RowChecker::in_mills(Set set) const {
  Set result = 0;
  for (const Set line : frame_.lines) {
    if ((line & ~set) == 0) result |= line;
  }
  return result;
}

Set RowChecker::aims_at(Set set) const {
  const Aims rule = game_.rules().aims;
  if (rule == Aims::any) return set;
  const Set free = set & ~in_mills(set);
  return free == 0 && rule == Aims::free_first ? set : free;
}

void RowChecker::relabel(int symmetry, Set representative, Relabelling& to) const {
  std::array<Set, kPoints> single{};
  for (int i = 0; i < frame_.count; ++i) {
    const auto number = static_cast<std::size_t>(i);
    const int point = image_of_point(symmetry, frame_.points[number]);
    if ((representative & bit(point)) != 0) continue;
    single[number] = bit(size_of(kAllPoints & ~representative & (bit(point) - 1)));
  }
  for (std::size_t part = 0; part < to.parts.size(); ++part) {
    to.parts[part][0] = 0;
    for (Set set = 1; set < to.parts[part].size(); ++set) {
      to.parts[part][set] = to.parts[part][set & (set - 1)] |
                            single[7 * part + static_cast<std::size_t>(lowest(set))];
    }
  }
}

std::span<const Merit> RowChecker::fetch(const Values& values, std::span<const Merit> merits,
                                         std::uint32_t row, std::vector<Merit>& room) const {
  room.resize(values.geometry().columns);
  values.row(row, merits, room.data());
  return room;
}

// ---- The key moves: each move takes all columns to one row.

void RowChecker::move_key() {
  const Board& board = game_.board();
  // Moves that leave a ban come last, when most of them need not be looked at any more.
  for (const bool banned : {false, true}) {
    for_each_point(frame_.key, [&](int from) {
      const bool opens =
          game_.rules().reform != Reform::none && board.mills_at(from, frame_.key) > 0;
      if (banned && !opens) return;
      const Set others = frame_.key & ~bit(from);
      for_each_point(game_.destinations(frame_.key, 0, from), [&](int to) {
        if (banned == (opens && board.mills_at(to, others) > 0)) move_key(from, to);
      });
    });
  }
}

void RowChecker::move_key(int from, int to) {
  const Board& board = game_.board();
  const Set moved = (frame_.key & ~bit(from)) | bit(to);
  const int owed = shots_for(board.mills_at(to, moved));
  const Classes& classes = *targets_.quiet->geometry().classes;
  const Classes::Place place = classes.place(moved);
  Relabelling relabelling;
  relabel(place.symmetry, classes.representative(place.row), relabelling);
  const Set destination = compacted(bit(to), frame_.free);

  if (owed == 0 || game_.rules().may_decline || game_.rules().aims == Aims::free_only) {
    quiet_row_ = fetch(*targets_.quiet, quiet_merits_, place.row, quiet_room_);
  }
  if (owed == 0) {
    for (std::size_t column = 0; column < sets_.size(); ++column) {
      const Set set = sets_[column];
      if ((set & destination) == 0) raise(column, quiet_row_[ranks_(relabelling(set))]);
    }
    return;
  }
  for (std::size_t shots = 1; shots <= static_cast<std::size_t>(owed); ++shots) {
    const Values* const values = targets_.shot[shots];
    if (values == nullptr) continue;
    shot_rows_[shots] = fetch(*values, shot_merits_[shots], place.row, shot_rooms_[shots]);
  }
  if (!aims_known_) {
    aims_.resize(sets_.size());
    std::ranges::transform(sets_, aims_.begin(), [&](Set set) { return aims_at(set); });
    aims_known_ = true;
  }
  const bool leaves_ban =
      game_.rules().reform != Reform::none && board.mills_at(from, frame_.key) > 0;
  for (std::size_t column = 0; column < sets_.size(); ++column) {
    const Set set = sets_[column];
    if ((set & destination) != 0) continue;
    const Merit merit = shoot_others(set, aims_[column], relabelling(set), owed, 0, relabelling);
    leaves_ban ? take_banned(column, merit, from, to) : static_cast<void>(raise(column, merit));
  }
}

Merit RowChecker::shoot_others(Set set, Set aims, Set there, int owed, int shots,
                               const Relabelling& relabelling) const {
  Merit best = kNothing;
  if (aims == 0 || (shots > 0 && game_.rules().may_decline)) {
    best = shots == 0 ? quiet_row_[ranks_(there)]
                      : shot_rows_[static_cast<std::size_t>(shots)][ranks_(there)];
  } else if (game_.rules().may_decline) {
    best = quiet_row_[ranks_(there)];
  }
  for_each_point(aims, [&](int aim) {
    const Set rest = set & ~bit(aim);
    Merit merit = win_in(1);
    if (size_of(rest) >= kLeastCows) {
      const Set rest_there = there & ~relabelling(bit(aim));
      merit = owed == 1
                  ? shot_rows_[static_cast<std::size_t>(shots + 1)][ranks_(rest_there)]
                  : shoot_others(rest, aims_at(rest), rest_there, owed - 1, shots + 1, relabelling);
    }
    best = std::max(best, merit);
  });
  return best;
}

// ---- The other player moves: everything stays in the row, but for shots at the key.

void RowChecker::count_mills() {
  for (std::vector<Set>& mills : mills_) mills.resize(sets_.size());
  for (std::size_t column = 0; column < sets_.size(); ++column) {
    std::array<Set, 3> in{};
    for (const Set line : frame_.lines) {
      if ((line & ~sets_[column]) != 0) continue;
      in[2] |= in[1] & line;
      in[1] |= in[0] & line;
      in[0] |= line;
    }
    for (std::size_t i = 0; i < in.size(); ++i) mills_[i][column] = in[i];
  }
}

void RowChecker::move_others() {
  quiet_row_ = fetch(*targets_.quiet, quiet_merits_, row_, quiet_room_);
  count_mills();
  const int cows = size_of(sets_.front());
  for (int owed = 1; owed <= most_shots(game_.rules(), cows); ++owed) score_shots_at_key(owed);
  for (std::size_t column = 0; column < sets_.size(); ++column) move_others(column);
}

/// What the key may lose to so many shots: sets of cows, none for a turn that shoots nothing.
void RowChecker::collect_losses(Set removed, int owed, std::vector<Set>& losses) const {
  const Set left = frame_.key & ~removed;
  const bool over = size_of(left) < kLeastCows;
  const Set aims = owed == 0 || over ? 0 : deep::aims_at(game_.rules(), game_.board(), left);
  if ((aims == 0 || game_.rules().may_decline) &&
      std::ranges::find(losses, removed) == losses.end()) {
    losses.push_back(removed);
  }
  for_each_point(aims, [&](int aim) { collect_losses(removed | bit(aim), owed - 1, losses); });
}

void RowChecker::score_shots_at_key(int owed) {
  std::vector<Set> losses;
  collect_losses(0, owed, losses);
  std::vector<Merit>& scores = key_shots_[static_cast<std::size_t>(owed)];
  scores.assign(sets_.size(), kNothing);
  bool& quiet = may_stay_quiet_[static_cast<std::size_t>(owed)];
  quiet = false;
  const std::vector<Set>& mills = mills_[static_cast<std::size_t>(owed - 1)];
  for (const Set removed : losses) {
    quiet = quiet || removed == 0;
    if (removed == 0) continue;
    const Set left = frame_.key & ~removed;
    if (size_of(left) < kLeastCows) {
      std::ranges::fill(scores, win_in(1));
      return;
    }
    const auto shots = static_cast<std::size_t>(size_of(removed));
    const Values& values = *targets_.shot[shots];
    if (!values.geometry().key_is_mover) {
      // So much was shot that the other player is the key there. Few columns have so many mills.
      for (std::size_t column = 0; column < sets_.size(); ++column) {
        if (mills[column] == 0) continue;
        const Slot slot = values.geometry().slot(left, spread(sets_[column], frame_.free));
        scores[column] = std::max(scores[column], shot_merits_[shots][values.code(slot)]);
      }
      continue;
    }
    const Classes& classes = *values.geometry().classes;
    const Classes::Place place = classes.place(left);
    Relabelling relabelling;
    relabel(place.symmetry, classes.representative(place.row), relabelling);
    const auto row = fetch(values, shot_merits_[shots], place.row, shot_rooms_[shots]);
    for (std::size_t column = 0; column < sets_.size(); ++column) {
      if (mills[column] == 0) continue;
      scores[column] = std::max(scores[column], row[ranks_(relabelling(sets_[column]))]);
    }
  }
}

void RowChecker::move_others(std::size_t column) {
  const Set set = sets_[column];
  const Set all = bit(frame_.count) - 1;
  const bool flies = game_.flies(set);
  const bool bans = game_.rules().reform != Reform::none;
  bool banned_moves = false;
  const auto for_each_move = [&](auto&& visit) {
    for_each_point(set, [&](int from) {
      const Set rest = set & ~bit(from);
      const bool opens = bans && (mills_[0][column] & bit(from)) != 0;
      const Set to_points = (flies ? all : frame_.ways[static_cast<std::size_t>(from)]) & ~set;
      for_each_point(to_points, [&](int to) {
        const auto number = static_cast<std::size_t>(to);
        int mills = 0;
        for (int i = 0; i < frame_.mate_count[number]; ++i) {
          mills += (frame_.mates[number][static_cast<std::size_t>(i)] & ~rest) == 0 ? 1 : 0;
        }
        const std::uint32_t there = ranks_(rest | bit(to));
        if (mills == 0) return visit(from, to, quiet_row_[there], false);
        const auto owed = static_cast<std::size_t>(shots_for(mills));
        const Merit quiet = may_stay_quiet_[owed] ? quiet_row_[there] : kNothing;
        visit(from, to, std::max(quiet, key_shots_[owed][there]), opens);
      });
    });
  };
  Merit best = kNothing;
  for_each_move([&](int, int, Merit merit, bool leaves_ban) {
    banned_moves = banned_moves || leaves_ban;
    if (!leaves_ban) best = std::max(best, merit);
  });
  best_[column] = best;
  if (!banned_moves) return;
  for_each_move([&](int from, int to, Merit merit, bool leaves_ban) {
    if (!leaves_ban) return;
    take_banned(column, merit, frame_.points[static_cast<std::size_t>(from)],
                frame_.points[static_cast<std::size_t>(to)]);
  });
}

// ---- Either

void RowChecker::take_banned(std::size_t column, Merit without_ban, int from, int to) {
  // A ban takes turns from its player alone. Where having none is a loss, that does no good.
  if (game_.rules().blocked == Blocked::loses && without_ban <= best_[column]) return;
  const Set other = spread(sets_[column], frame_.free);
  const Position position = key_moves_ ? Position{frame_.key, other} : Position{other, frame_.key};
  raise(column, plain_->merit_of_move(position, from, to));
}

void RowChecker::be_blocked() {
  if (std::ranges::find(best_, kNothing) == best_.end()) return;
  const bool full = frame_.count == size_of(sets_.front());
  if (full) {
    std::ranges::fill(best_, game_.rules().full_board_draws ? kDrawn : loss_in(0));
    return;
  }
  std::span<const Merit> passed;
  Set key_reach = 0;
  if (game_.rules().blocked == Blocked::passes) {
    passed = fetch(*targets_.quiet, quiet_merits_, row_, quiet_room_);
    for_each_point(frame_.key, [&](int from) {
      key_reach |= compacted(game_.destinations(frame_.key, 0, from), frame_.free);
    });
  }
  for (std::size_t column = 0; column < sets_.size(); ++column) {
    if (best_[column] == kNothing) {
      best_[column] = merit_when_blocked(column, passed, key_reach);
    }
  }
}

Merit RowChecker::merit_when_blocked(std::size_t column, std::span<const Merit> passed,
                                     Set key_reach) const {
  switch (game_.rules().blocked) {
    case Blocked::loses:
      return loss_in(0);
    case Blocked::draws:
      return kDrawn;
    case Blocked::passes:
      break;
  }
  const Set set = sets_[column];
  Set reach = key_reach;
  if (key_moves_) {
    reach = game_.flies(set) ? bit(frame_.count) - 1 : 0;
    for_each_point(set, [&](int from) { reach |= frame_.ways[static_cast<std::size_t>(from)]; });
  }
  return (reach & ~set) == 0 ? kDrawn : passed[column];
}

}  // namespace mtb::deep
