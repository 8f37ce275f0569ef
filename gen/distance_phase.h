// Second step of solving a pair: distances in ascending order, each settling the slots before it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gen/big_array.h"
#include "gen/colour_exchange.h"
#include "gen/flights.h"
#include "gen/frozen_news.h"
#include "gen/news.h"
#include "gen/pair_state.h"
#include "gen/point_columns.h"
#include "gen/row_frame.h"
#include "gen/steps.h"

namespace mtb {

/// Sweeps over the states that ShotPhase has filled until nothing more can be settled; what is then
/// open is a draw. In each round the thread that owns a row alone writes its states and reads, of
/// other rows, only the news that were frozen before: the result is the same for any number of
/// threads.
///
/// Equal pairs have one sector, that of the key's player to move: what the other player has to move
/// is the same with the colours exchanged, and only its news are ever written down.
template <class Width>
class DistancePhase {
 public:
  using State = typename Width::State;

  /// `other_states`: nullptr for an equal pair.
  DistancePhase(const PairTask& task, State* key_states, State* other_states);

  enum class End : std::uint8_t { done, too_far };
  /// `too_far`: a distance passed what the width can hold.
  End run(const SolveObserver& observe);

  /// Bytes of the arrays that this phase adds.
  static std::uint64_t bytes(Pair pair, std::uint64_t rows);

 private:
  /// A row that is being given values, and what all its updates share.
  struct Target {
    State* states;
    State& nearest;  ///< smallest pending distance of the row
    State distance;  ///< of the news that are being followed
    State win;       ///< distance of a win by a move to such a loss
  };
  /// Columns of a row, with their sets, that a loss in work may still turn into wins.
  struct OpenColumns {
    ColumnList columns;
    SetList sets;
    std::size_t count = 0;
  };
  /// What one thread works with.
  struct Scratch {
    Scratch(const SubsetTable& columns, int points, const PointColumns& with_point,
            const std::optional<StepTable>& step_table);

    std::vector<std::uint64_t> news;
    ColumnList list;
    SetList sets;
    OpenColumns open;
    Relabelling relabel;
    FlightCounts flights;
    std::optional<StepCounts> steps;  ///< where there is a StepTable
    std::vector<Cell> exchanged;
  };

  State* key_row(std::uint32_t row) const { return key_ + std::size_t{row} * columns_; }
  State* other_row(std::uint32_t row) const { return other_ + std::size_t{row} * columns_; }
  std::uint64_t* other_news(std::uint32_t row) {
    return other_news_.data() + std::size_t{row} * news_words(columns_);
  }
  /// What moves to a loss in `distance` win in.
  State win_after(State distance) const { return static_cast<State>(distance + task_.win_step()); }
  Target target(State* states, State& nearest, State distance) const {
    return {states, nearest, distance, win_after(distance)};
  }
  FrozenNews frozen(std::uint32_t row) { return {other_news(row), other_news_count_[row]}; }

  State first_distance() const;
  std::uint64_t freeze_other_news(std::uint32_t row, State distance, Scratch& scratch);
  void mark_exchanged_news(std::uint32_t row, State distance, Scratch& scratch);
  std::uint64_t freeze_exchanged_news(std::uint32_t row, Scratch& scratch);
  void forget_frozen_news(std::uint32_t row);
  std::uint64_t settle_row(std::uint32_t row, State distance, Scratch& scratch);
  void pull_other_moves(const RowFrame& frame, std::span<const std::uint16_t> news,
                        Scratch& scratch, Target target) const;
  void pull_other_moves_within_slots(const RowFrame& frame, std::span<const std::uint16_t> news,
                                     Target target) const;
  void follow_counts(std::span<const std::uint8_t> counts, Target target) const;
  void pull_key_move(const RowPoints& points, const KeyMove& move, FrozenNews news,
                     Scratch& scratch, Target target) const;
  void list_open(const State* states, State limit, Scratch& scratch) const;
  void look_ahead(const RowPoints& points, const KeyMove& move, FrozenNews news, OpenColumns& open,
                  Relabelling& relabel, Target target) const;
  void pull_passes(std::uint32_t row, std::span<const std::uint16_t> key_news, State distance,
                   Scratch& scratch);

  const PairTask& task_;
  State* key_;
  State* other_;
  std::size_t columns_;
  std::vector<State> key_nearest_;  ///< by row: smallest distance not yet followed, or >= kOpen
  std::vector<State> other_nearest_;
  BigArray<std::uint64_t> other_news_;  ///< slots of the other player at the present distance
  std::vector<std::uint16_t> other_news_count_;  ///< by row: how many other_news_ holds
  PointColumns with_point_;
  std::optional<StepTable> step_table_;      ///< where the other player steps; not for equal pairs
  std::optional<SectorIndex> index_;         ///< for equal pairs
  std::optional<ColourExchange> exchange_;   ///< for equal pairs
  std::vector<std::uint8_t> has_exchanged_;  ///< for equal pairs, by row: whether marks were set
};

extern template class DistancePhase<NarrowWidth>;
extern template class DistancePhase<WideWidth>;

}  // namespace mtb
