// Steps of the other player's cows between the columns of a row, for all columns at once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gen/row_frame.h"
#include "gen/subset_table.h"

namespace mtb {

/// For every two compact points, the pairs of columns that a step between them connects: the same
/// sets but for one cow, that stands on the one point or on the other. Immutable.
class StepTable {
 public:
  struct Ends {
    std::uint16_t low;   ///< column in which the cow stands on the lower point
    std::uint16_t high;  ///< column in which it stands on the higher one
  };

  /// The columns are sets among `points` compact points.
  StepTable(const SubsetTable& columns, int points);

  /// low < high.
  std::span<const Ends> between(int low, int high) const {
    const auto pair = static_cast<std::size_t>(high * (high - 1) / 2 + low);
    return {ends_.data() + pair * pairs_of_columns_, pairs_of_columns_};
  }

  /// Bytes of the table of `size` cows among `points` points.
  static std::uint64_t bytes(int points, int size);

 private:
  std::size_t pairs_of_columns_;  ///< by pair of points; the same for all
  std::vector<Ends> ends_;
};

/// Counts, for every column, from how many of its steps the marked columns come. One object serves
/// one thread.
class StepCounts {
 public:
  explicit StepCounts(const StepTable& steps, const SubsetTable& columns)
      : steps_(steps), arrived_(columns.count()), counts_(columns.count()) {}

  /// Marks a column; `arrived` are those of its cows that may have come by the last step.
  void mark(std::uint16_t column, std::uint32_t arrived) { arrived_[column] = arrived; }
  /// One count a column, less than 64 each; valid until the next call. Forgets all marks.
  std::span<const std::uint8_t> count(const RowFrame& frame);

 private:
  const StepTable& steps_;
  std::vector<std::uint32_t> arrived_;  ///< by column; 0 where it is not marked
  std::vector<std::uint8_t> counts_;
};

}  // namespace mtb
