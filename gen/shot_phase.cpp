#include "gen/shot_phase.h"

#include <algorithm>
#include <vector>

#include "gen/quiet_moves.h"
#include "gen/row_frame.h"

namespace mtb {
namespace {

/// Whether some cow of `cows` stands in at least `mills` mills.
bool stands_in_mills(const Board& board, PointSet cows, int mills) {
  for (Point p : cows) {
    if (board.mills_at(p, cows) >= mills) return true;
  }
  return false;
}

/// Sum of the weights of a compact set's members, as one table for each half.
class WeightTable {
 public:
  WeightTable(const std::array<std::uint8_t, kPointCount>& weights, int points)
      : split_((points + 1) / 2),
        low_(fill(weights, 0, split_)),
        high_(fill(weights, split_, points)) {}

  std::uint32_t operator()(std::uint32_t set) const {
    return std::uint32_t{low_[set & ((1u << split_) - 1)]} + high_[set >> split_];
  }

 private:
  static std::vector<std::uint8_t> fill(const std::array<std::uint8_t, kPointCount>& weights,
                                        int begin, int end) {
    std::vector<std::uint8_t> sums = {0};
    for (int i = begin; i < end; ++i) {
      const std::size_t half = sums.size();
      for (std::size_t j = 0; j < half; ++j) {
        sums.push_back(static_cast<std::uint8_t>(sums[j] + weights[static_cast<std::size_t>(i)]));
      }
    }
    return sums;
  }

  int split_;
  std::vector<std::uint8_t> low_;
  std::vector<std::uint8_t> high_;
};

}  // namespace

template <class Width>
typename Width::State ShotPhase<Width>::checked(State score) {
  const bool fits = score == Width::kNoShot || score == Width::kDrawScore ||
                    (Width::wins(score) ? Width::win_plies(score) : Width::loss_plies(score)) <=
                        Width::kMaxDistance;
  if (!fits) overflow_.store(true, std::memory_order_relaxed);
  return score;
}

template <class Width>
typename Width::State ShotPhase<Width>::initial(State score, std::uint32_t quiet_moves) const {
  if (Width::wins(score)) return static_cast<State>(Width::win_plies(score));
  if (score == Width::kDrawScore) return Width::open(quiet_moves + 1, 0);
  const std::uint32_t slowest = score == Width::kNoShot ? 0 : Width::loss_plies(score);
  if (quiet_moves > 0) return Width::open(quiet_moves, slowest);
  if (score != Width::kNoShot) return static_cast<State>(slowest);
  // Blocked. A pass is one quiet move; a draw is held by a move that is never settled.
  return task_.rules.blocked == Blocked::loss ? State{0} : Width::open(1, 0);
}

template <class Width>
bool ShotPhase<Width>::run(const std::function<void(std::uint32_t)>& on_rows) {
  const auto rows = static_cast<std::int64_t>(task_.classes.count());
  if (task_.pair.total() == kPointCount) {
    fill_full_board();
    return true;
  }
  fold_key_shots(1, on_rows);
  // Two lines through one point take five cows, and no move closes a third.
  if (task_.shots_for(2) > 1 && task_.pair.key >= 5) fold_key_shots(2, {});
#pragma omp parallel
  {
    OtherShots<Width> shots(task_);
#pragma omp for schedule(dynamic, 16)
    for (std::int64_t row = 0; row < rows; ++row) settle_key_row(static_cast<std::uint32_t>(row));
#pragma omp for schedule(dynamic, 16)
    for (std::int64_t row = 0; row < rows; ++row) {
      if (!task_.pair.equal()) settle_other_row(static_cast<std::uint32_t>(row), shots);
      on_rows(1);
    }
  }
  return !overflow_.load();
}

/// With all points taken nobody can move; the rules say what that is.
template <class Width>
void ShotPhase<Width>::fill_full_board() {
  const State state = task_.rules.full_board == FullBoard::loss ? State{0} : Width::open(1, 0);
  std::fill_n(key_, task_.slot_count(), state);
  if (!task_.pair.equal()) std::fill_n(other_, task_.slot_count(), state);
}

/// Raises the scores in key_ by moves that earn `shots` shots. What a shot is worth depends only on
/// the row in which the mill stands, so it is worked out once for that row, in the memory of the
/// other array, and then pulled by all rows with a move into it.
template <class Width>
void ShotPhase<Width>::fold_key_shots(int shots,
                                      const std::function<void(std::uint32_t)>& on_rows) {
  const auto rows = static_cast<std::int64_t>(task_.classes.count());
#pragma omp parallel
  {
    KeyLower lower{LowerRows<typename Width::LowerCode>(task_.lower.key_shoots_one),
                   LowerRows<typename Width::LowerCode>(task_.lower.key_shoots_two)};
#pragma omp for schedule(dynamic, 16)
    for (std::int64_t i = 0; i < rows; ++i) {
      const auto row = static_cast<std::uint32_t>(i);
      if (stands_in_mills(task_.board, task_.classes.representative(row), shots)) {
        score_key_shots(row, shots, std::nullopt, lower, other_row(row));
      }
      if (on_rows) on_rows(1);
    }
#pragma omp for schedule(dynamic, 16)
    for (std::int64_t row = 0; row < rows; ++row) {
      pull_key_shots(static_cast<std::uint32_t>(row), shots, lower);
    }
  }
}

/// The codes of a row under a ban, in `room`.
template <class Cell>
const Cell* banned_row(const Cell* codes, std::size_t columns, const BanTable* bans,
                       std::uint32_t row, const Ban& ban, std::vector<Cell>& room) {
  room.assign(codes, codes + columns);
  bans->apply(row, ban, std::span(room));
  return room.data();
}

/// scores[c] = best the key's player gets from `shots` shots at the set of column c. The ban, if
/// the move that closed the mill leaves one behind, is that of the row's representative.
template <class Width>
void ShotPhase<Width>::score_key_shots(std::uint32_t row, int shots, const std::optional<Ban>& ban,
                                       KeyLower& lower, State* scores) {
  const RowFrame frame(task_.classes.representative(row), task_.board);
  const auto targets = [&](std::uint32_t set) {
    return task_.targets(set, task_.rules.targets == Targets::any ? 0 : frame.in_mills(set));
  };
  const auto best_shot = [&](std::uint32_t set, auto&& score_of) {
    State best = Width::kNoShot;
    for (std::uint32_t left = targets(set); left != 0; left &= left - 1) {
      best = std::max(best, score_of(set ^ (left & (~left + 1))));
    }
    return best;
  };
  const auto* one = lower.one ? lower.one.row(row) : nullptr;
  const SubsetTable& one_columns = task_.all_columns.after_one;
  if (ban && one != nullptr) {
    one = banned_row(one, one_columns.count(), task_.lower.bans[0], row, *ban, lower.banned_one);
  }
  const auto after_one = [&](std::uint32_t set) {
    if (one == nullptr) return Width::win_score(task_.win_step());
    return Width::score_after(one[one_columns.rank(set)]);
  };
  if (shots == 1) {
    for (std::size_t c = 0; c < columns(); ++c) {
      scores[c] = best_shot(task_.columns().masks()[c], after_one);
    }
    return;
  }
  // Two shots: first the best second shot for every set that the first may leave.
  const auto* two = lower.two ? lower.two.row(row) : nullptr;
  const SubsetTable& two_columns = task_.all_columns.after_two;
  if (ban && two != nullptr) {
    two = banned_row(two, two_columns.count(), task_.lower.bans[1], row, *ban, lower.banned_two);
  }
  const auto after_two = [&](std::uint32_t set) {
    if (two == nullptr) return Width::win_score(task_.win_step());
    return Width::score_after(two[two_columns.rank(set)]);
  };
  const bool optional = task_.rules.shot == Shooting::optional;
  std::vector<State> second(one_columns.count());
  for (std::size_t c = 0; c < second.size(); ++c) {
    const std::uint32_t set = one_columns.masks()[c];
    // The game ends with the first shot, or the second lapses for want of a target.
    const bool no_second = one == nullptr || targets(set) == 0;
    second[c] = no_second ? after_one(set) : best_shot(set, after_two);
    if (optional) second[c] = std::max(second[c], after_one(set));
  }
  for (std::size_t c = 0; c < columns(); ++c) {
    scores[c] = best_shot(task_.columns().masks()[c],
                          [&](std::uint32_t set) { return second[one_columns.rank(set)]; });
  }
}

template <class Width>
void ShotPhase<Width>::pull_key_shots(std::uint32_t row, int shots, KeyLower& lower) {
  State* scores = key_row(row);
  if (shots == 1) std::fill_n(scores, columns(), Width::kNoShot);  // nobody has been here before
  const PointSet key = task_.classes.representative(row);
  const RowPoints points(key);
  Relabelling relabel;
  for (const KeyMove& move : task_.key_moves.of(row)) {
    if (task_.shots_for(move.mills) != shots) continue;
    const RowPoints target(task_.classes.representative(move.target));
    relabel.build(points.images_in(target, Symmetry(move.symmetry)), points.points());
    const State* source = other_row(move.target);
    if (const std::optional<Ban> ban = task_.ban_after(move.from, move.to, key)) {
      const Symmetry symmetry(move.symmetry);
      lower.banned_scores.resize(columns());
      score_key_shots(move.target, shots, Ban{symmetry(ban->from), symmetry(ban->to)}, lower,
                      lower.banned_scores.data());
      source = lower.banned_scores.data();
    }
    const std::uint32_t taken = points.bit_of(move.to);
    const std::uint32_t* masks = task_.columns().masks().data();
    for (std::size_t c = 0; c < columns(); ++c) {
      // Where the destination is taken there is no move; a branch would be predicted wrongly.
      const bool can_move = (masks[c] & taken) == 0;
      const std::uint32_t column = can_move ? task_.columns().rank(relabel(masks[c])) : 0;
      const State score = can_move ? source[column] : Width::kNoShot;
      scores[c] = std::max(scores[c], score);
    }
  }
}

/// What a move is worth that earns no shot and leaves a ban behind.
template <class Width>
typename Width::State ShotPhase<Width>::staying_score(PointSet mover, PointSet opponent,
                                                      const Ban& ban) {
  const Code code = task_.lower.staying->value_after_move(mover, opponent, ban);
  const auto score = Width::score_after_move(code, task_.win_step());
  if (!score) overflow_.store(true, std::memory_order_relaxed);
  return score.value_or(Width::kDrawScore);
}

/// Raises the scores of a key row by the moves that lead to positions with bans.
template <class Width>
void ShotPhase<Width>::fold_staying_key_moves(const RowFrame& frame, std::span<const KeyMove> moves,
                                              State* scores) {
  for (const KeyMove& move : moves) {
    if (!task_.leaves_slots(move, frame.key())) continue;
    const Ban ban = *task_.ban_after(move.from, move.to, frame.key());
    for (std::size_t c = 0; c < columns(); ++c) {
      const std::uint32_t set = task_.columns().masks()[c];
      const bool can_move = (set & frame.bit_of(move.to)) == 0;
      if (!can_move || !task_.is_quiet_mill(set, frame.in_mills(set))) continue;
      scores[c] = std::max(scores[c], staying_score(frame.key(), frame.board_set(set), ban));
    }
  }
}

/// The same for one set of the other player, where closed mills may be quiet; returns the number of
/// such moves.
template <class Width>
std::uint8_t ShotPhase<Width>::fold_staying_other_moves(PointSet key, PointSet other,
                                                        State& score) {
  std::uint8_t count = 0;
  const PointSet free = ~(key | other);
  for (Point from : task_.board.in_mills(other)) {
    const auto steps = task_.board.neighbours[static_cast<std::size_t>(index(from))];
    for (Point to : task_.other_flies() ? free : free& steps) {
      const PointSet moved = other.without(from).with(to);
      if (task_.board.mills_at(to, moved) == 0) continue;
      score = std::max(score, staying_score(other, key, *task_.ban_after(from, to, other)));
      ++count;
    }
  }
  return count;
}

/// Turns the scores of a key row into states.
template <class Width>
void ShotPhase<Width>::settle_key_row(std::uint32_t row) {
  State* states = key_row(row);
  const RowFrame frame(task_.classes.representative(row), task_.board);
  if (task_.lower.staying != nullptr) {
    fold_staying_key_moves(frame, task_.key_moves.of(row), states);
  }
  std::array<std::uint8_t, kPointCount> quiet{};
  std::array<std::uint8_t, kPointCount> closing{};
  std::uint32_t all_quiet = 0;
  std::uint32_t all_closing = 0;
  for (const KeyMove& move : task_.key_moves.of(row)) {
    if (task_.leaves_slots(move, frame.key())) continue;
    const auto to = static_cast<std::size_t>(std::countr_zero(frame.bit_of(move.to)));
    ++(move.mills == 0 ? quiet : closing)[to];
    ++(move.mills == 0 ? all_quiet : all_closing);
  }
  // A move is there when the other player is not on its destination.
  const WeightTable quiet_taken(quiet, frame.points());
  const WeightTable closing_taken(closing, frame.points());
  const bool quiet_mills = task_.has_quiet_mills();
  for (std::size_t c = 0; c < columns(); ++c) {
    const std::uint32_t set = task_.columns().masks()[c];
    std::uint32_t moves = all_quiet - quiet_taken(set);
    if (quiet_mills && task_.is_quiet_mill(set, frame.in_mills(set)))
      moves += all_closing - closing_taken(set);
    states[c] = initial(checked(states[c]), moves);
  }
}

template <class Width>
void ShotPhase<Width>::settle_other_row(std::uint32_t row, OtherShots<Width>& shots) {
  State* states = other_row(row);
  const PointSet key = task_.classes.representative(row);
  const RowFrame frame(key, task_.board);
  std::vector<State> best(columns());
  shots.fold(frame, best);

  const std::vector<std::uint32_t> sets = board_sets(frame);
  std::vector<std::uint8_t> moves(columns());
  if (task_.is_quiet_mill(key.bits(), task_.board.in_mills(key).bits())) {
    count_moves(sets, key, task_.rules, moves);
    for (std::size_t c = 0; task_.lower.staying != nullptr && c < columns(); ++c) {
      const PointSet other(sets[c]);
      moves[c] =
          static_cast<std::uint8_t>(moves[c] - fold_staying_other_moves(key, other, best[c]));
    }
  } else {
    count_quiet_moves(sets, key, task_.rules, moves);
  }
  for (std::size_t c = 0; c < columns(); ++c) states[c] = initial(checked(best[c]), moves[c]);
}

/// The other player's sets of all columns of a row, on the board.
template <class Width>
std::vector<std::uint32_t> ShotPhase<Width>::board_sets(const RowFrame& frame) const {
  Relabelling to_board;
  to_board.build(frame.board_bits(), frame.points());
  std::vector<std::uint32_t> sets(columns());
  for (std::size_t c = 0; c < columns(); ++c)
    sets[c] = to_board(task_.columns().mask(static_cast<std::uint32_t>(c)));
  return sets;
}

template class ShotPhase<NarrowWidth>;
template class ShotPhase<WideWidth>;

}  // namespace mtb
