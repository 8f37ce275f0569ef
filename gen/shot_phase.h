// First step of solving a pair: everything that leaves it, and the number of moves that stay.
#pragma once

#include <atomic>
#include <functional>
#include <span>
#include <vector>

#include "gen/other_shots.h"
#include "gen/pair_state.h"
#include "gen/row_frame.h"

namespace mtb {

/// Fills both state arrays of a pair from its shots, its quiet moves and the rules for blocked
/// players. Rows are independent of each other; each thread owns the row it writes.
template <class Width>
class ShotPhase {
 public:
  using State = typename Width::State;

  /// `key_states` and `other_states`: task.slot_count() words each, rows of the pair one after the
  /// other, for the key's player to move and for the other.
  ShotPhase(const PairTask& task, State* key_states, State* other_states)
      : task_(task), key_(key_states), other_(other_states) {}

  /// `on_rows(n)` is told of finished rows, from any thread. False when a distance is too large for
  /// the width.
  bool run(const std::function<void(std::uint32_t)>& on_rows);

 private:
  State* key_row(std::uint32_t row) const { return key_ + std::size_t{row} * columns(); }
  State* other_row(std::uint32_t row) const { return other_ + std::size_t{row} * columns(); }
  std::size_t columns() const { return task_.columns().count(); }
  State checked(State score);

  /// What the key's shots lead to, for one thread.
  struct KeyLower {
    LowerRows<typename Width::LowerCode> one;
    LowerRows<typename Width::LowerCode> two;
    // What becomes of the rows, and of the scores, under a ban.
    std::vector<typename Width::LowerCode> banned_one{};
    std::vector<typename Width::LowerCode> banned_two{};
    std::vector<State> banned_scores{};
  };

  void fold_key_shots(int shots, const std::function<void(std::uint32_t)>& on_rows);
  void score_key_shots(std::uint32_t row, int shots, const std::optional<Ban>& ban, KeyLower& lower,
                       State* scores);
  void pull_key_shots(std::uint32_t row, int shots, KeyLower& lower);
  void settle_key_row(std::uint32_t row);
  void fold_staying_key_moves(const RowFrame& frame, std::span<const KeyMove> moves, State* scores);
  std::uint8_t fold_staying_other_moves(PointSet key, PointSet other, State& score);
  State staying_score(PointSet mover, PointSet opponent, const Ban& ban);
  void settle_other_row(std::uint32_t row, OtherShots<Width>& shots);
  std::vector<std::uint32_t> board_sets(const RowFrame& frame) const;
  void fill_full_board();
  State initial(State score, std::uint32_t quiet_moves) const;

  const PairTask& task_;
  State* key_;
  State* other_;
  std::atomic<bool> overflow_{false};
};

extern template class ShotPhase<NarrowWidth>;
extern template class ShotPhase<WideWidth>;

}  // namespace mtb
