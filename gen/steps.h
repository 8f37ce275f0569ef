// Steps of the other player's cows between the columns of a row, for all columns at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gen/point_columns.h"
#include "gen/row_frame.h"
#include "gen/subset_table.h"

namespace mtb {

/// For every two compact points, the columns that a step between them connects in pairs: the same
/// sets but for one cow, that stands on the one point or on the other. Immutable.
///
/// In colex order the rank of S + {low} and that of S + {high}, where S goes through the sets that
/// differ only below `low`, grow alike with the rank of what S has there: pairs come in runs, in
/// which both columns ascend by one. Runs are cut into pieces whose lengths are powers of two, so
/// that a piece of columns with a byte each is one word.
class StepTable {
 public:
  /// Columns `low`, `low` + 1, ... have a cow on the lower point where `high`, `high` + 1, ... have
  /// it on the higher one.
  struct Piece {
    std::uint16_t low;
    std::uint16_t high;
  };
  /// Pieces have 2^0 to 2^3 columns.
  static constexpr std::size_t kLengths = 4;

  /// The columns are sets among `points` compact points.
  StepTable(const SubsetTable& columns, int points);

  /// low < high; the pieces of 2^log_length columns.
  std::span<const Piece> pieces(int low, int high, std::size_t log_length) const {
    const auto pair = static_cast<std::size_t>(high * (high - 1) / 2 + low);
    const std::uint32_t* bounds = &bounds_[pair * kLengths + log_length];
    return {pieces_.data() + bounds[0], pieces_.data() + bounds[1]};
  }
  std::uint64_t bytes() const { return pieces_.size() * sizeof(Piece); }

  /// At most the bytes of the table of `size` cows among `points` points.
  static std::uint64_t bytes(int points, int size);

 private:
  std::vector<Piece> pieces_;
  /// By pair of points and length: where its pieces begin, which is where those before end.
  std::vector<std::uint32_t> bounds_;
};

/// Counts, for every column, from how many of its steps come columns that are news. One object
/// serves one thread.
class StepCounts {
 public:
  StepCounts(const StepTable& steps, const SubsetTable& columns, const PointColumns& with_point,
             int points);

  /// One count a column, less than 64 each; valid until the next call. A step
  /// that closes a mill counts only if `mills_are_quiet`. `news`: with_point.words() words.
  std::span<const std::uint8_t> count(const RowFrame& frame, const std::uint64_t* news,
                                      bool mills_are_quiet);

 private:
  void mark_arrivals(const RowFrame& frame, const std::uint64_t* news, bool mills_are_quiet);
  template <class Word>
  void add(std::span<const StepTable::Piece> pieces, const std::uint8_t* low_arrived,
           const std::uint8_t* high_arrived);

  const StepTable& steps_;
  const PointColumns& with_point_;
  int points_;
  std::size_t columns_;
  /// By compact point: the news in which the last step may have led to it.
  std::vector<std::uint64_t> arrived_bits_;
  std::vector<std::uint8_t> arrived_;  ///< the same, each bit as a byte
  std::vector<std::uint8_t> counts_;
};

}  // namespace mtb
