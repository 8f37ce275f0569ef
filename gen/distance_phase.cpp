#include "gen/distance_phase.h"

#include <algorithm>
#include <limits>

namespace mtb {
namespace {

/// A successor is lost for its mover in `distance` plies: this state wins in one more.
template <class Width, class Target>
inline void follow_loss(Target& target, std::uint32_t column) {
  using State = typename Width::State;
  State& state = target.states[column];
  const auto win = static_cast<State>(target.distance + 1);
  if (state > win) {  // open states are above all distances
    state = win;
    target.nearest = std::min(target.nearest, win);
  }
}

/// A successor is won for its mover in `distance` plies: one move less is open, and with the last
/// one this state loses, to the slowest of its moves and shots.
template <class Width, class Target>
inline void follow_win(Target& target, std::uint32_t column) {
  using State = typename Width::State;
  State state = target.states[column];
  if (!Width::is_open(state)) return;
  state = static_cast<State>(state - Width::kOneMove);
  if (!Width::has_moves(state)) {
    state = std::max(static_cast<State>(target.distance + 1), Width::slowest_loss(state));
    target.nearest = std::min(target.nearest, state);
  }
  target.states[column] = state;
}

/// Losses have even distances, wins odd ones.
constexpr bool is_loss(std::uint32_t distance) { return distance % 2 == 0; }

}  // namespace

template <class Width>
DistancePhase<Width>::DistancePhase(const PairTask& task, State* key_states, State* other_states)
    : task_(task),
      key_(key_states),
      other_(other_states),
      columns_(task.columns().count()),
      key_nearest_(task.classes.count()),
      other_nearest_(task.classes.count()),
      other_news_(task.classes.count() * news_words(columns_)),
      has_news_(task.classes.count()) {}

template <class Width>
std::uint64_t DistancePhase<Width>::bytes(std::uint64_t rows, std::uint64_t columns) {
  return rows *
         (2 * sizeof(State) + sizeof(std::uint8_t) + news_words(columns) * sizeof(std::uint64_t));
}

template <class Width>
typename DistancePhase<Width>::End DistancePhase<Width>::run(const SolveObserver& observe) {
  const auto rows = static_cast<std::int64_t>(task_.classes.count());
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < rows; ++i) {
    const auto row = static_cast<std::uint32_t>(i);
    const auto r = static_cast<std::size_t>(i);
    key_nearest_[r] = *std::min_element(key_row(row), key_row(row) + columns_);
    other_nearest_[r] = *std::min_element(other_row(row), other_row(row) + columns_);
  }
  SolveProgress progress{SolveProgress::Phase::distances, 0, 0, 2 * task_.slot_count()};
  for (;;) {
    const State distance = first_distance();
    if (distance >= Width::kOpen) return End::done;
    if (distance >= Width::kMaxDistance) return End::too_far;
    progress.distance = distance;
    std::uint64_t settled = 0;
#pragma omp parallel reduction(+ : settled)
    {
      Scratch scratch;
      scratch.news.resize(news_words(columns_));
#pragma omp for schedule(dynamic, 16)
      for (std::int64_t i = 0; i < rows; ++i) {
        const auto row = static_cast<std::uint32_t>(i);
        freeze_other_news(row, distance);
        if (has_news_[row] != 0) settled += count_news(frozen(row), columns_);
      }
#pragma omp for schedule(dynamic, 16)
      for (std::int64_t i = 0; i < rows; ++i) {
        const auto row = static_cast<std::uint32_t>(i);
        const bool own_news = key_nearest_[row] == distance;
        settle_row(row, distance, scratch);
        if (own_news) settled += count_news(scratch.news.data(), columns_);
      }
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

template <class Width>
void DistancePhase<Width>::freeze_other_news(std::uint32_t row, State distance) {
  has_news_[row] = other_nearest_[row] == distance ? 1 : 0;
  if (has_news_[row] == 0) return;
  other_nearest_[row] = collect_news(other_row(row), columns_, distance, frozen(row));
}

/// Follows all news that concern a row: those of its own key positions to the other player's, which
/// lie in the same row, and those of the rows that its key moves lead to.
template <class Width>
void DistancePhase<Width>::settle_row(std::uint32_t row, State distance, Scratch& scratch) {
  const bool own_news = key_nearest_[row] == distance;
  const auto moves = task_.key_moves.of(row);
  const bool passes = task_.rules.blocked == Blocked::pass;
  const bool strict = task_.rules.targets == Targets::strict;
  const auto is_news = [&](const KeyMove& move) {
    return has_news_[move.target] != 0 && (move.mills == 0 || strict);
  };
  if (!own_news && !(passes && has_news_[row] != 0) &&
      std::none_of(moves.begin(), moves.end(), is_news)) {
    return;
  }
  const RowFrame frame(task_.classes.representative(row), task_.board);
  if (own_news) {
    key_nearest_[row] = collect_news(key_row(row), columns_, distance, scratch.news.data());
    pull_other_moves(frame, scratch.news.data(), {other_row(row), other_nearest_[row], distance});
  }
  if (passes) pull_passes(row, frame, own_news ? scratch.news.data() : nullptr, distance);
  for (const KeyMove& move : moves) {
    if (is_news(move)) {
      pull_key_move(frame, move, frozen(move.target), scratch.relabel,
                    {key_row(row), key_nearest_[row], distance});
    }
  }
}

/// From key positions of a row to the positions of the other player a quiet move before.
template <class Width>
void DistancePhase<Width>::pull_other_moves(const RowFrame& frame, const std::uint64_t* news,
                                            Target target) const {
  // Without a target a mill earns nothing, and the move that closes it is a quiet one.
  const bool mills_are_quiet = task_.targets(frame.key()).empty();
  const bool flies = task_.other_flies();
  const auto pull = [&](auto&& follow) {
    for_each_news(news, columns_, [&](std::uint32_t column) {
      const std::uint32_t set = task_.columns().mask(column);
      const std::uint32_t empty = frame.all() & ~set;
      // A cow that stands in a mill now would have closed it by arriving.
      std::uint32_t arrived = mills_are_quiet ? set : set & ~frame.in_mills(set);
      for (; arrived != 0; arrived &= arrived - 1) {
        const int to = std::countr_zero(arrived);
        const std::uint32_t without = set ^ (1u << to);
        std::uint32_t origins = flies ? empty : frame.neighbours(to) & empty;
        for (; origins != 0; origins &= origins - 1) {
          follow(task_.columns().rank(without | (origins & (~origins + 1))));
        }
      }
    });
  };
  if (is_loss(target.distance)) {
    pull([&](std::uint32_t column) { follow_loss<Width>(target, column); });
  } else {
    pull([&](std::uint32_t column) { follow_win<Width>(target, column); });
  }
}

/// From the other player's positions in the row that a key move leads to, to the key positions of
/// the row it starts from. The move is the target's own, made forward: so it is followed exactly
/// once for every column, whatever symmetries either key set has.
template <class Width>
void DistancePhase<Width>::pull_key_move(const RowFrame& frame, const KeyMove& move,
                                         const std::uint64_t* news, Relabelling& relabel,
                                         Target target) const {
  const RowFrame source(task_.classes.representative(move.target), task_.board);
  const Symmetry symmetry(move.symmetry);
  relabel.build(source.images_in(frame, symmetry.inverse()), source.points());
  // Columns with a cow on the point that the key's cow came from are nobody's successors here.
  const std::uint32_t vacated = source.bit_of(symmetry(move.from));
  const bool closing = move.mills != 0;
  const auto pull = [&](auto&& follow) {
    for_each_news(news, columns_, [&](std::uint32_t column) {
      const std::uint32_t set = task_.columns().mask(column);
      if ((set & vacated) != 0) return;
      // A closed mill is quiet only where the other player has no cow that may be shot.
      if (closing && source.in_mills(set) != set) return;
      follow(task_.columns().rank(relabel(set)));
    });
  };
  if (is_loss(target.distance)) {
    pull([&](std::uint32_t column) { follow_loss<Width>(target, column); });
  } else {
    pull([&](std::uint32_t column) { follow_win<Width>(target, column); });
  }
}

/// A blocked player who passes hands the same slot to the other.
template <class Width>
void DistancePhase<Width>::pull_passes(std::uint32_t row, const RowFrame& frame,
                                       const std::uint64_t* key_news, State distance) {
  const auto follow = [&](Target target, std::uint32_t column) {
    if (is_loss(distance)) {
      follow_loss<Width>(target, column);
    } else {
      follow_win<Width>(target, column);
    }
  };
  if (has_news_[row] != 0 && !task_.key_flies()) {
    const std::uint32_t reach = frame.compress(task_.board.reach(frame.key()));
    for_each_news(frozen(row), columns_, [&](std::uint32_t column) {
      const bool blocked = (reach & ~task_.columns().mask(column)) == 0;
      if (blocked) follow({key_row(row), key_nearest_[row], distance}, column);
    });
  }
  if (key_news != nullptr && !task_.other_flies()) {
    for_each_news(key_news, columns_, [&](std::uint32_t column) {
      const std::uint32_t set = task_.columns().mask(column);
      std::uint32_t reach = 0;
      for (std::uint32_t cows = set; cows != 0; cows &= cows - 1) {
        reach |= frame.neighbours(std::countr_zero(cows));
      }
      const bool blocked = (reach & ~set) == 0;
      if (blocked) follow({other_row(row), other_nearest_[row], distance}, column);
    });
  }
}

template class DistancePhase<NarrowWidth>;
template class DistancePhase<WideWidth>;

}  // namespace mtb
