// Shots of the other player at the key's cows, for all columns of one row.
#pragma once

#include <vector>

#include "gen/pair_state.h"
#include "gen/row_frame.h"

namespace mtb {

/// Scores the mill-closing moves of the other player within a row. One object serves one thread.
template <class Width>
class OtherShots {
 public:
  using State = typename Width::State;

  explicit OtherShots(const PairTask& task)
      : task_(task),
        after_one_(task.lower.other_shoots_one),
        after_two_(task.lower.other_shoots_two) {}

  /// best[c] = score of the best shot of the other player, to move, in column c of the row, or
  /// kNoShot. `best` has one entry a column.
  void fold(const RowFrame& frame, std::vector<State>& best);

 private:
  /// A set of the other player just after a move that closed a mill, its shots still owed.
  struct Closed {
    std::uint32_t set;       ///< compact
    std::uint32_t in_mills;  ///< its members that stand in mills
    State one;               ///< best score with one shot
    State two;               ///< best score with two shots; kNoShot when never earned
  };

  void list_closed(const RowFrame& frame);
  void score_one(const RowFrame& frame, PointSet targets);
  void score_two(const RowFrame& frame, PointSet targets);
  using Lower = LowerRows<typename Width::LowerCode>;

  void score_two_by_shooter(const RowFrame& frame, Closed& closed);
  template <class Sets, class Visit>
  void score_after(const RowFrame& frame, PointSet left, Lower& lower,
                   const SubsetTable& lower_columns, Sets&& sets, Visit&& visit);
  State after(Lower& lower, const BanTable* bans, PointSet key, PointSet shooter, const Ban& ban);
  State two_shots(PointSet shooter, PointSet after_first, const Ban& ban);
  State banned_score(PointSet shooter, PointSet targets, PointSet key, const Ban& ban, bool two);

  const PairTask& task_;
  Lower after_one_;
  Lower after_two_;
  std::vector<Closed> closed_;
  std::vector<std::uint32_t> in_mills_;     ///< by column
  std::vector<std::uint32_t> left_by_two_;  ///< what two shots may leave of the row's key
  Relabelling relabel_;
};

extern template class OtherShots<NarrowWidth>;
extern template class OtherShots<WideWidth>;

}  // namespace mtb
