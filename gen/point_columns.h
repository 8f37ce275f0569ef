// Which columns of a row have a cow on a point.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gen/news.h"
#include "gen/subset_table.h"

namespace mtb {

/// For each compact point, the columns in which the other player has a cow there, as news (news.h).
/// Immutable.
class PointColumns {
 public:
  /// The columns are sets among `points` compact points.
  PointColumns(const SubsetTable& columns, int points)
      : words_(news_words(columns.count())), marks_(static_cast<std::size_t>(points) * words_) {
    for (std::uint32_t column = 0; column < columns.count(); ++column) {
      for (std::uint32_t set = columns.mask(column); set != 0; set &= set - 1) {
        const auto point = static_cast<std::size_t>(std::countr_zero(set));
        marks_[point * words_ + column / 64] |= std::uint64_t{1} << column % 64;
      }
    }
  }

  /// Words for each point.
  std::size_t words() const { return words_; }
  const std::uint64_t* with(int point) const {
    return marks_.data() + static_cast<std::size_t>(point) * words_;
  }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> marks_;
};

}  // namespace mtb
