// Second step of solving a pair: distances in ascending order, each settling the slots before it.
#pragma once

#include <cstdint>
#include <vector>

#include "gen/big_array.h"
#include "gen/news.h"
#include "gen/pair_state.h"
#include "gen/row_frame.h"

namespace mtb {

/// Sweeps over the states that ShotPhase has filled until nothing more can be settled; what is then
/// open is a draw. In each round the thread that owns a row alone writes its states and reads, of
/// other rows, only the news that were frozen before: the result is the same for any number of
/// threads.
template <class Width>
class DistancePhase {
 public:
  using State = typename Width::State;

  DistancePhase(const PairTask& task, State* key_states, State* other_states);

  enum class End : std::uint8_t { done, too_far };
  /// `too_far`: a distance passed what the width can hold.
  End run(const SolveObserver& observe);

  /// Bytes of the arrays that this phase adds.
  static std::uint64_t bytes(std::uint64_t rows, std::uint64_t columns);

 private:
  /// A row that is being given values, and what all its updates share.
  struct Target {
    State* states;
    State& nearest;  ///< smallest pending distance of the row
    State distance;  ///< of the news that are being followed
  };
  struct Scratch {
    std::vector<std::uint64_t> news;
    Relabelling relabel;
  };

  State* key_row(std::uint32_t row) const { return key_ + std::size_t{row} * columns_; }
  State* other_row(std::uint32_t row) const { return other_ + std::size_t{row} * columns_; }
  std::uint64_t* frozen(std::uint32_t row) {
    return other_news_.data() + std::size_t{row} * news_words(columns_);
  }

  State first_distance() const;
  void freeze_other_news(std::uint32_t row, State distance);
  void settle_row(std::uint32_t row, State distance, Scratch& scratch);
  void pull_other_moves(const RowFrame& frame, const std::uint64_t* news, Target target) const;
  void pull_key_move(const RowFrame& frame, const KeyMove& move, const std::uint64_t* news,
                     Relabelling& relabel, Target target) const;
  void pull_passes(std::uint32_t row, const RowFrame& frame, const std::uint64_t* key_news,
                   State distance);

  const PairTask& task_;
  State* key_;
  State* other_;
  std::size_t columns_;
  std::vector<State> key_nearest_;  ///< by row: smallest distance not yet followed, or >= kOpen
  std::vector<State> other_nearest_;
  BigArray<std::uint64_t> other_news_;  ///< slots of the other player at the present distance
  std::vector<std::uint8_t> has_news_;  ///< by row: whether other_news_ holds any
};

extern template class DistancePhase<NarrowWidth>;
extern template class DistancePhase<WideWidth>;

}  // namespace mtb
