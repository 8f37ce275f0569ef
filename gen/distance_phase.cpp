#include "gen/distance_phase.h"

#include <algorithm>
#include <atomic>
#include <limits>

namespace mtb {
namespace {

/// A successor is lost for its mover in target.distance: this state wins in target.win.
/// Returns whether that is better than what was known.
template <class Width, class Target>
inline bool follow_loss(Target& target, std::uint32_t column) {
  auto& state = target.states[column];
  const bool better = state > target.win;  // open states are above all distances
  if (better) state = target.win;
  return better;
}

/// The distance of a state that has lost its last open move to a win in target.distance: the
/// slowest of its moves and shots.
template <class Width, class Target>
inline void lose(Target& target, typename Width::State& state) {
  using State = typename Width::State;
  state = std::max(static_cast<State>(target.distance + 1), Width::slowest_loss(state));
  target.nearest = std::min(target.nearest, state);
}

/// A successor is won for its mover in target.distance: one move less is open, and with the
/// last one this state loses.
template <class Width, class Target>
inline void follow_win(Target& target, std::uint32_t column) {
  using State = typename Width::State;
  State& state = target.states[column];
  state = Width::moves_less(state, 1);
  if (Width::is_lost(state)) lose<Width>(target, state);
}

/// Losses have even distances, wins odd ones.
constexpr bool is_loss(std::uint32_t distance) { return distance % 2 == 0; }

/// Calls pull(follow) with what a predecessor of the target's news does.
template <class Width, class Target, class Pull>
inline void with_follow(Target& target, Pull&& pull) {
  if (is_loss(target.distance)) {
    bool any = false;  // told at the end: a branch in the loop would be predicted wrongly too often
    pull([&](std::uint32_t column) { any |= follow_loss<Width>(target, column); });
    if (any) target.nearest = std::min(target.nearest, target.win);
  } else {
    pull([&](std::uint32_t column) { follow_win<Width>(target, column); });
  }
}

/// Rows with fewer news are better followed move by move than by counting all flights.
constexpr std::size_t kFewFlyers = 6;

/// All steps are counted where at least one column in so many is news.
constexpr std::size_t kManySteps = 25;

}  // namespace

template <class Width>
DistancePhase<Width>::Scratch::Scratch(const SubsetTable& columns, int points,
                                       const PointColumns& with_point,
                                       const std::optional<StepTable>& step_table)
    : news(news_words(columns.count())),
      list(columns.count()),
      sets(columns.count() + std::size_t{1}),
      open{ColumnList(columns.count()), SetList(columns.count()), 0},
      flights(points) {
  if (step_table) steps.emplace(*step_table, columns, with_point, points);
}

template <class Width>
DistancePhase<Width>::DistancePhase(const PairTask& task, State* key_states, State* other_states)
    : task_(task),
      key_(key_states),
      other_(other_states),
      columns_(task.columns().count()),
      key_nearest_(task.classes.count()),
      other_nearest_(other_states == nullptr ? 0 : task.classes.count()),
      other_news_(task.classes.count() * news_words(columns_)),
      other_news_count_(task.classes.count()),
      with_point_(task.columns(), kPointCount - task.pair.key) {
  if (task_.pair.equal()) {
    index_.emplace(task_.pair.key_to_move(), KeySide::mover, task_.cache);
    exchange_.emplace(*index_, task_.columns());
    has_exchanged_.resize(task_.classes.count());
  } else if (!task_.other_flies()) {
    step_table_.emplace(task_.columns(), kPointCount - task_.pair.key);
  }
}

template <class Width>
std::uint64_t DistancePhase<Width>::bytes(Pair pair, std::uint64_t rows) {
  const std::uint64_t news = news_words(pair.columns()) * sizeof(std::uint64_t);
  const std::uint64_t other =
      pair.equal() ? rows * sizeof(std::uint8_t) + ColourExchange::bytes(rows)
                   : rows * sizeof(State) + StepTable::bytes(kPointCount - pair.key, pair.other);
  return rows * (sizeof(State) + sizeof(std::uint16_t) + news) + other;
}

template <class Width>
typename DistancePhase<Width>::End DistancePhase<Width>::run(const SolveObserver& observe) {
  const auto rows = static_cast<std::int64_t>(task_.classes.count());
  const bool equal = task_.pair.equal();
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < rows; ++i) {
    const auto row = static_cast<std::uint32_t>(i);
    const auto r = static_cast<std::size_t>(i);
    key_nearest_[r] = *std::min_element(key_row(row), key_row(row) + columns_);
    if (!equal) other_nearest_[r] = *std::min_element(other_row(row), other_row(row) + columns_);
  }
  SolveProgress progress{task_.metric, SolveProgress::Phase::distances, 0, 0,
                         (equal ? 1 : 2) * task_.slot_count()};
  for (;;) {
    const State distance = first_distance();
    if (distance >= Width::kOpen) return End::done;
    if (distance >= Width::kMaxDistance) return End::too_far;
    progress.distance = task_.metric == Metric::dtc ? distance / 2u : distance;
    std::uint64_t settled = 0;
#pragma omp parallel reduction(+ : settled)
    {
      Scratch scratch(task_.columns(), kPointCount - task_.pair.key, with_point_, step_table_);
      if (equal) {
#pragma omp for schedule(dynamic, 16)
        for (std::int64_t i = 0; i < rows; ++i) {
          mark_exchanged_news(static_cast<std::uint32_t>(i), distance, scratch);
        }
      }
#pragma omp for schedule(dynamic, 16)
      for (std::int64_t i = 0; i < rows; ++i) {
        const auto row = static_cast<std::uint32_t>(i);
        settled +=
            equal ? freeze_exchanged_news(row, scratch) : freeze_other_news(row, distance, scratch);
      }
#pragma omp for schedule(dynamic, 16)
      for (std::int64_t i = 0; i < rows; ++i) {
        settled += settle_row(static_cast<std::uint32_t>(i), distance, scratch);
      }
#pragma omp for schedule(static)
      for (std::int64_t i = 0; i < rows; ++i) forget_frozen_news(static_cast<std::uint32_t>(i));
    }
    progress.done_slots += settled;
    if (observe) observe(progress);
  }
}

template <class Width>
typename Width::State DistancePhase<Width>::first_distance() const {
  State first = std::numeric_limits<State>::max();
  for (State nearest : key_nearest_) first = std::min(first, nearest);
  for (State nearest : other_nearest_) first = std::min(first, nearest);
  return first;
}

/// Returns the number of news.
template <class Width>
std::uint64_t DistancePhase<Width>::freeze_other_news(std::uint32_t row, State distance,
                                                      Scratch& scratch) {
  if (other_nearest_[row] != distance) return 0;
  other_nearest_[row] = collect_news(other_row(row), columns_, distance, other_news(row));
  return frozen(row).freeze(task_.columns(), scratch.sets);
}

/// Marks a row's key news as the other player's, in the rows where they are with the colours
/// exchanged.
template <class Width>
void DistancePhase<Width>::mark_exchanged_news(std::uint32_t row, State distance,
                                               Scratch& scratch) {
  if (key_nearest_[row] != distance) return;
  key_nearest_[row] = collect_news(key_row(row), columns_, distance, scratch.news.data());
  scratch.exchanged.clear();
  exchange_->append_exchanged(row, list_news(scratch.news.data(), columns_, scratch.list),
                              scratch.exchanged);
  // The words lie anywhere: all are asked for before the first is needed.
  for (const Cell& cell : scratch.exchanged) {
    __builtin_prefetch(other_news(cell.row) + cell.column / 64, 1);
  }
  for (const Cell& cell : scratch.exchanged) {
    // Any thread may find news of any row; marks are only added, in whatever order.
    std::atomic_ref word(other_news(cell.row)[cell.column / 64]);
    word.fetch_or(std::uint64_t{1} << cell.column % 64, std::memory_order_relaxed);
    std::atomic_ref(has_exchanged_[cell.row]).store(1, std::memory_order_relaxed);
  }
}

/// Returns the number of news.
template <class Width>
std::uint64_t DistancePhase<Width>::freeze_exchanged_news(std::uint32_t row, Scratch& scratch) {
  return has_exchanged_[row] == 0 ? 0 : frozen(row).freeze(task_.columns(), scratch.sets);
}

template <class Width>
void DistancePhase<Width>::forget_frozen_news(std::uint32_t row) {
  if (other_news_count_[row] == 0) return;
  other_news_count_[row] = 0;
  if (!task_.pair.equal()) return;
  has_exchanged_[row] = 0;
  std::fill_n(other_news(row), news_words(columns_), 0);
}

/// Follows all news that concern a row: those of its own key positions to the other player's, which
/// lie in the same row, and those of the rows that its key moves lead to. Returns the number of its
/// own key news, as far as they were not counted when they were exchanged.
template <class Width>
std::uint64_t DistancePhase<Width>::settle_row(std::uint32_t row, State distance,
                                               Scratch& scratch) {
  std::span<const std::uint16_t> own_news;
  if (!task_.pair.equal() && key_nearest_[row] == distance) {
    key_nearest_[row] = collect_news(key_row(row), columns_, distance, scratch.news.data());
    own_news = list_news(scratch.news.data(), columns_, scratch.list);
    const RowFrame frame(task_.classes.representative(row), task_.board);
    pull_other_moves(frame, own_news, scratch,
                     target(other_row(row), other_nearest_[row], distance));
  }
  if (task_.rules.blocked == Blocked::pass) pull_passes(row, own_news, distance, scratch);
  const bool quiet_mills = task_.has_quiet_mills();
  const PointSet key_set = task_.classes.representative(row);
  const auto is_news = [&](const KeyMove& move) {
    return other_news_count_[move.target] != 0 &&
           (move.mills == 0 || (quiet_mills && !task_.leaves_slots(move, key_set)));
  };
  const auto moves = task_.key_moves.of(row);
  if (std::none_of(moves.begin(), moves.end(), is_news)) return own_news.size();
  const RowPoints points(key_set);
  const Target key = target(key_row(row), key_nearest_[row], distance);
  // Losses matter only to columns that are not yet won, or later. Where those are few it is quicker
  // to look whether they have a move to news than to follow all news back.
  std::size_t many_news = 0;
  if (is_loss(distance)) {
    for (const KeyMove& move : moves) {
      if (!is_news(move)) continue;
      const FrozenNews news = frozen(move.target);
      if (!news.is_list(columns_)) many_news += news.count();
    }
  }
  const bool open_listed = many_news > columns_;
  if (open_listed) list_open(key.states, key.win, scratch);
  for (const KeyMove& move : moves) {
    if (!is_news(move)) continue;
    const FrozenNews news = frozen(move.target);
    if (open_listed && move.mills == 0 && !news.is_list(columns_) &&
        scratch.open.count < news.count()) {
      look_ahead(points, move, news, scratch.open, scratch.relabel, key);
    } else {
      pull_key_move(points, move, news, scratch, key);
    }
  }
  return own_news.size();
}

template <class Width>
void DistancePhase<Width>::list_open(const State* states, State limit, Scratch& scratch) const {
  mark_above(states, columns_, limit, scratch.news.data());
  OpenColumns& open = scratch.open;
  open.count = list_news(scratch.news.data(), columns_, open.columns).size();
  for (std::size_t i = 0; i < open.count; ++i) {
    open.sets[i] = task_.columns().mask(open.columns[i]);
  }
}

/// Makes a key move from all open columns of a row, and takes those that come to a loss out of the
/// list. Gives the same states as pull_key_move().
template <class Width>
void DistancePhase<Width>::look_ahead(const RowPoints& points, const KeyMove& move, FrozenNews news,
                                      OpenColumns& open, Relabelling& relabel,
                                      Target target) const {
  const RowPoints source(task_.classes.representative(move.target));
  relabel.build(points.images_in(source, Symmetry(move.symmetry)), points.points());
  const std::uint32_t destination = points.bit_of(move.to);
  std::size_t left = 0;
  for (std::size_t i = 0; i < open.count; ++i) {
    const std::uint32_t set = open.sets[i];
    const std::uint16_t column = open.columns[i];
    // Where the destination is taken the move is not there, and what is looked up is of no use.
    const bool can_move = (set & destination) == 0;
    const std::uint32_t successor = can_move ? task_.columns().rank(relabel(set)) : 0;
    if (news.has(successor) && can_move) {
      follow_loss<Width>(target, column);
      target.nearest = std::min(target.nearest, target.win);
      continue;
    }
    open.sets[left] = set;
    open.columns[left] = column;
    ++left;
  }
  open.count = left;
}

/// From key positions of a row to the positions of the other player a quiet move before. The news
/// are those that scratch.news marks.
template <class Width>
void DistancePhase<Width>::pull_other_moves(const RowFrame& frame,
                                            std::span<const std::uint16_t> news, Scratch& scratch,
                                            Target target) const {
  // Where nothing may, or must, be shot, the move that closes a mill is a quiet one.
  const bool mills_are_quiet =
      task_.is_quiet_mill(frame.key().bits(), task_.board.in_mills(frame.key()).bits());
  // A cow that stands in a mill now would have closed it by arriving.
  const auto arrived = [&](std::uint32_t set) {
    return mills_are_quiet ? set : set & ~frame.in_mills(set);
  };
  const SubsetTable& columns = task_.columns();
  if (mills_are_quiet && task_.lower.staying != nullptr) {
    return pull_other_moves_within_slots(frame, news, target);
  }
  if (!task_.other_flies()) {
    if (scratch.steps && news.size() * kManySteps >= columns_) {
      follow_counts(scratch.steps->count(frame, scratch.news.data(), mills_are_quiet), target);
      return;
    }
    with_follow<Width>(target, [&](auto&& follow) {
      for (std::uint16_t column : news) {
        const std::uint32_t set = columns.mask(column);
        const std::uint32_t cows = arrived(set);
        std::uint64_t edges = frame.boundary(set);
        if (cows != set) edges &= frame.boundary(cows);
        for (; edges != 0; edges &= edges - 1) {
          follow(columns.rank(set ^ frame.ends(std::countr_zero(edges))));
        }
      }
    });
    return;
  }
  if (task_.pair.other == 3 && news.size() >= kFewFlyers) {
    for (std::uint16_t column : news) {
      const std::uint32_t set = columns.mask(column);
      // Three cows stand in a mill all together or not at all.
      if (arrived(set) != 0) scratch.flights.mark(column, set);
    }
    follow_counts(scratch.flights.count(), target);
    return;
  }
  with_follow<Width>(target, [&](auto&& follow) {
    for (std::uint16_t column : news) {
      const std::uint32_t set = columns.mask(column);
      const std::uint32_t empty = frame.all() & ~set;
      for (std::uint32_t cows = arrived(set); cows != 0; cows &= cows - 1) {
        const std::uint32_t without = set ^ (cows & (~cows + 1));
        for (std::uint32_t origins = empty; origins != 0; origins &= origins - 1) {
          follow(columns.rank(without | (origins & (~origins + 1))));
        }
      }
    }
  });
}

/// The same where all moves are quiet, but for those that break a mill and close another: they lead
/// to positions with bans.
template <class Width>
void DistancePhase<Width>::pull_other_moves_within_slots(const RowFrame& frame,
                                                         std::span<const std::uint16_t> news,
                                                         Target target) const {
  with_follow<Width>(target, [&](auto&& follow) {
    for (std::uint16_t column : news) {
      const std::uint32_t set = task_.columns().mask(column);
      const std::uint32_t empty = frame.all() & ~set;
      const std::uint32_t in_mills = frame.in_mills(set);
      for (std::uint32_t cows = set; cows != 0; cows &= cows - 1) {
        const std::uint32_t to = cows & (~cows + 1);
        std::uint32_t origins = empty;
        if (!task_.other_flies()) origins &= frame.neighbours(std::countr_zero(to));
        for (; origins != 0; origins &= origins - 1) {
          const std::uint32_t from = origins & (~origins + 1);
          const std::uint32_t before = set ^ to ^ from;
          const bool reforms = (in_mills & to) != 0 && frame.mills_at(from, before) > 0;
          if (!reforms) follow(task_.columns().rank(before));
        }
      }
    }
  });
}

/// Follows counts[c] moves from each column c to news.
template <class Width>
void DistancePhase<Width>::follow_counts(std::span<const std::uint8_t> counts,
                                         Target target) const {
  State* states = target.states;
  if (is_loss(target.distance)) {
    const State win = target.win;
    State any = 0;
    for (std::size_t c = 0; c < counts.size(); ++c) {
      const bool wins = counts[c] != 0 && states[c] > win;
      any = static_cast<State>(any | (wins ? 1 : 0));
      states[c] = wins ? win : states[c];
    }
    if (any != 0) target.nearest = std::min(target.nearest, win);
    return;
  }
  State any = 0;
  for (std::size_t c = 0; c < counts.size(); ++c) {
    states[c] = Width::moves_less(states[c], counts[c]);
    any = static_cast<State>(any | (Width::is_lost(states[c]) ? 1 : 0));
  }
  if (any == 0) return;
  for (std::size_t c = 0; c < counts.size(); ++c) {
    if (Width::is_lost(states[c])) lose<Width>(target, states[c]);
  }
}

/// From the other player's positions in the row that a key move leads to, to the key positions of
/// the row it starts from. The move is the target's own, made forward: so it is followed exactly
/// once for every column, whatever symmetries either key set has.
template <class Width>
void DistancePhase<Width>::pull_key_move(const RowPoints& points, const KeyMove& move,
                                         FrozenNews news, Scratch& scratch, Target target) const {
  const RowPoints source(task_.classes.representative(move.target));
  const Symmetry symmetry(move.symmetry);
  // Columns with a cow on the point that the key's cow came from are nobody's successors here.
  const std::uint32_t vacated = source.bit_of(symmetry(move.from));
  const std::uint64_t* with_vacated = with_point_.with(std::countr_zero(vacated));
  const auto sets = news.sets_without(vacated, with_vacated, task_.columns(), scratch.sets);
  if (sets.empty()) return;
  scratch.relabel.build(source.images_in(points, symmetry.inverse()), source.points());
  const SubsetTable& columns = task_.columns();
  if (move.mills == 0) {
    std::uint16_t* const list = scratch.list.data();
    for (std::size_t i = 0; i < sets.size(); ++i) {
      list[i] = static_cast<std::uint16_t>(columns.rank(scratch.relabel(sets[i])));
    }
    with_follow<Width>(target, [&](auto&& follow) {
      for (std::size_t i = 0; i < sets.size(); ++i) follow(list[i]);
    });
    return;
  }
  // A closed mill is quiet only where nothing may, or must, be shot.
  const RowFrame frame(source.key(), task_.board);
  with_follow<Width>(target, [&](auto&& follow) {
    for (std::uint32_t set : sets) {
      if (task_.is_quiet_mill(set, frame.in_mills(set))) follow(columns.rank(scratch.relabel(set)));
    }
  });
}

/// A blocked player who passes hands the same slot to the other.
template <class Width>
void DistancePhase<Width>::pull_passes(std::uint32_t row, std::span<const std::uint16_t> key_news,
                                       State distance, Scratch& scratch) {
  const FrozenNews other_news = frozen(row);
  if (other_news.empty() && key_news.empty()) return;
  const RowFrame frame(task_.classes.representative(row), task_.board);
  const SubsetTable& columns = task_.columns();
  if (!other_news.empty() && !task_.key_flies()) {
    Target key = target(key_row(row), key_nearest_[row], distance);
    const std::uint32_t reach = frame.compress(task_.board.reach(frame.key()));
    with_follow<Width>(key, [&](auto&& follow) {
      for (std::uint32_t set : other_news.sets_without(0, nullptr, columns, scratch.sets)) {
        const bool blocked = (reach & ~set) == 0;
        if (blocked) follow(columns.rank(set));
      }
    });
  }
  if (!key_news.empty() && !task_.other_flies()) {
    Target other = target(other_row(row), other_nearest_[row], distance);
    with_follow<Width>(other, [&](auto&& follow) {
      for (std::uint16_t column : key_news) {
        const bool blocked = frame.boundary(columns.mask(column)) == 0;
        if (blocked) follow(column);
      }
    });
  }
}

template class DistancePhase<NarrowWidth>;
template class DistancePhase<WideWidth>;

}  // namespace mtb
