#include "gen/other_shots.h"

#include <algorithm>
#include <span>

namespace mtb {

template <class Width>
void OtherShots<Width>::fold(const RowFrame& frame, std::vector<State>& best) {
  std::fill(best.begin(), best.end(), Width::kNoShot);
  const PointSet targets = task_.targets(frame.key());
  if (targets.empty()) return;
  const bool bans = task_.rules.reform != Reform::none;
  list_closed(frame);
  score_one(frame, targets);
  score_two(frame, targets);
  // A closed set came from each set with one of its mill cows a move back.
  for (const Closed& closed : closed_) {
    const std::uint32_t empty = frame.all() & ~closed.set;
    const PointSet shooter = bans ? frame.board_set(closed.set) : PointSet();
    for (std::uint32_t arrived = closed.in_mills; arrived != 0; arrived &= arrived - 1) {
      const int to = std::countr_zero(arrived);
      const std::uint32_t to_bit = 1u << to;
      const bool two = closed.two != Width::kNoShot && frame.mills_at(to_bit, closed.set) > 1;
      const State score = two ? closed.two : closed.one;
      std::uint32_t origins = task_.other_flies() ? empty : frame.neighbours(to) & empty;
      for (; origins != 0; origins &= origins - 1) {
        const std::uint32_t from_bit = origins & (~origins + 1);
        State& entry = best[task_.columns().rank(closed.set ^ to_bit ^ from_bit)];
        if (!bans) {
          entry = std::max(entry, score);
          continue;
        }
        const Point arrival = frame.point_of(to);
        const Point origin = frame.point_of(std::countr_zero(from_bit));
        const auto ban = task_.ban_after(origin, arrival, shooter.without(arrival).with(origin));
        entry =
            std::max(entry, ban ? banned_score(shooter, targets, frame.key(), *ban, two) : score);
      }
    }
  }
}

template <class Width>
void OtherShots<Width>::list_closed(const RowFrame& frame) {
  const std::vector<std::uint32_t>& sets = task_.columns().masks();
  in_mills_.assign(sets.size(), 0);
  frame.add_mills(sets, in_mills_);
  closed_.clear();
  for (std::size_t c = 0; c < sets.size(); ++c) {
    if (in_mills_[c] != 0)
      closed_.push_back({sets[c], in_mills_[c], Width::kNoShot, Width::kNoShot});
  }
}

/// Calls visit(closed, score) for all of `sets`, with the score of having shot the key of the row
/// down to `left`.
template <class Width>
template <class Sets, class Visit>
void OtherShots<Width>::score_after(const RowFrame& frame, PointSet left, Lower& lower,
                                    const SubsetTable& lower_columns, Sets&& sets, Visit&& visit) {
  if (!lower) {
    for (Closed& closed : sets) visit(closed, Width::win_score(task_.win_step()));
    return;
  }
  const KeyClasses& classes = lower.index().classes();
  const auto canonical = classes.classify(left);
  const RowPoints lower_frame(classes.representative(canonical.row));
  relabel_.build(frame.images_in(lower_frame, canonical.symmetry), frame.points());
  const auto* codes = lower.row(canonical.row);
  for (Closed& closed : sets) {
    visit(closed, Width::score_after(codes[lower_columns.rank(relabel_(closed.set))]));
  }
}

template <class Width>
void OtherShots<Width>::score_one(const RowFrame& frame, PointSet targets) {
  for (Point target : targets) {
    score_after(frame, frame.key().without(target), after_one_, task_.all_columns.key_less, closed_,
                [](Closed& closed, State score) { closed.one = std::max(closed.one, score); });
  }
}

/// The best that two shots come to, for all sets at once: what is left of the key matters, not the
/// order in which it was shot.
template <class Width>
void OtherShots<Width>::score_two(const RowFrame& frame, PointSet targets) {
  // Two lines through one point take five cows.
  if (task_.shots_for(2) < 2 || task_.pair.other < 5) return;
  const auto earned = [&](const Closed& closed) {
    for (std::uint32_t cows = closed.in_mills; cows != 0; cows &= cows - 1) {
      if (frame.mills_at(cows & (~cows + 1), closed.set) > 1) return true;
    }
    return false;
  };
  // Those with two mills come first.
  const auto rest = std::partition(closed_.begin(), closed_.end(), earned);
  const std::span<Closed> sets(closed_.begin(), rest);
  if (sets.empty()) return;
  const auto enter = [](Closed& closed, State score) { closed.two = std::max(closed.two, score); };
  const bool optional = task_.rules.shot == Shooting::optional;
  left_by_two_.clear();
  for (Point first : targets) {
    const PointSet after_first = frame.key().without(first);
    const PointSet second_targets = task_.targets(after_first);
    // The second shot lapses for want of a target, or may be declined.
    if (second_targets.empty() || optional) {
      score_after(frame, after_first, after_one_, task_.all_columns.key_less, sets, enter);
    }
    for (Point second : second_targets) left_by_two_.push_back(after_first.without(second).bits());
  }
  std::ranges::sort(left_by_two_);
  left_by_two_.erase(std::unique(left_by_two_.begin(), left_by_two_.end()), left_by_two_.end());
  // Two cows less may make the shooter the one with more, whose sets the rows below are of.
  if (after_two_ && after_two_.index().key() == KeySide::opponent) {
    for (Closed& closed : sets) score_two_by_shooter(frame, closed);
    return;
  }
  for (const std::uint32_t left : left_by_two_) {
    score_after(frame, PointSet(left), after_two_, task_.all_columns.key_two_less, sets, enter);
  }
}

template <class Width>
void OtherShots<Width>::score_two_by_shooter(const RowFrame& frame, Closed& closed) {
  const SectorIndex& index = after_two_.index();
  const auto canonical = index.classes().classify(frame.board_set(closed.set));
  const auto* codes = after_two_.row(canonical.row);
  for (const std::uint32_t left : left_by_two_) {
    const std::uint32_t column = index.column(canonical.row, canonical.symmetry(PointSet(left)));
    closed.two = std::max(closed.two, Width::score_after(codes[column]));
  }
}

/// The score of having shot the key down to a set with a ban.
template <class Width>
typename Width::State OtherShots<Width>::after(Lower& lower, const BanTable* bans, PointSet key,
                                               PointSet shooter, const Ban& ban) {
  if (!lower) return Width::win_score(task_.win_step());
  const Slot slot = lower.index().slot({key, shooter});
  const std::uint32_t columns = lower.index().columns();
  const Symmetry symmetry = lower.index().classes().classify(key).symmetry;
  return Width::score_after(
      bans->find(static_cast<std::uint32_t>(slot / columns), {symmetry(ban.from), symmetry(ban.to)},
                 static_cast<std::uint32_t>(slot % columns), lower.code(slot)));
}

template <class Width>
typename Width::State OtherShots<Width>::two_shots(PointSet shooter, PointSet after_first,
                                                   const Ban& ban) {
  const PointSet targets = task_.targets(after_first);
  const auto after_one = [&] {
    return after(after_one_, task_.lower.bans[2], after_first, shooter, ban);
  };
  if (targets.empty()) return after_one();
  State best = task_.rules.shot == Shooting::optional ? after_one() : Width::kNoShot;
  for (Point second : targets) {
    best = std::max(
        best, after(after_two_, task_.lower.bans[3], after_first.without(second), shooter, ban));
  }
  return best;
}

/// The best score after a move that leaves a ban behind.
template <class Width>
typename Width::State OtherShots<Width>::banned_score(PointSet shooter, PointSet targets,
                                                      PointSet key, const Ban& ban, bool two) {
  State best = Width::kNoShot;
  for (Point target : targets) {
    const PointSet left = key.without(target);
    best = std::max(best, two ? two_shots(shooter, left, ban)
                              : after(after_one_, task_.lower.bans[2], left, shooter, ban));
  }
  return best;
}

template class OtherShots<NarrowWidth>;
template class OtherShots<WideWidth>;

}  // namespace mtb
