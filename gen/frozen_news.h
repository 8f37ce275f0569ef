// News of a row in the form in which many rows read them.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "gen/news.h"
#include "gen/subset_table.h"

namespace mtb {

/// Sets of compact points, one for each of some columns.
using SetList = std::vector<std::uint32_t>;

/// News of one row. Few ones are kept as a list of sets, which is quicker to go through, many as
/// one bit a column; either form takes news_words(columns) words. A view of memory held elsewhere.
class FrozenNews {
 public:
  FrozenNews(std::uint64_t* words, std::uint16_t& count) : words_(words), count_(count) {}

  bool empty() const { return count_ == 0; }
  std::size_t count() const { return count_; }
  bool is_list(std::size_t columns) const {
    return count_ <= news_words(columns) * (sizeof(std::uint64_t) / sizeof(std::uint32_t));
  }
  /// Whether a column is among the news; only where they are no list.
  bool has(std::uint32_t column) const { return (words_[column / 64] >> column % 64 & 1) != 0; }

  /// Counts the bits that are set in the words, and settles the form. `sets` is for use meanwhile.
  std::uint64_t freeze(const SubsetTable& columns, SetList& sets) {
    count_ = static_cast<std::uint16_t>(count_news(words_, columns.count()));
    if (is_list(columns.count())) {
      const auto news = sets_of_bits(0, nullptr, columns, sets);
      std::memcpy(words_, news.data(), news.size_bytes());
    }
    return count_;
  }

  /// The sets of all news that have no cow on `excluded`, a compact point, or 0 for all news.
  /// `with_excluded` marks the columns that do. They are written to `sets`, which has room for one
  /// more than there are columns.
  std::span<const std::uint32_t> sets_without(std::uint32_t excluded,
                                              const std::uint64_t* with_excluded,
                                              const SubsetTable& columns, SetList& sets) const {
    if (!is_list(columns.count())) return sets_of_bits(excluded, with_excluded, columns, sets);
    const auto* list = reinterpret_cast<const unsigned char*>(words_);
    std::uint32_t* out = sets.data();
    for (std::size_t i = 0; i < count_; ++i) {
      std::uint32_t set;
      std::memcpy(&set, list + i * sizeof set, sizeof set);
      // Written always, kept or not: a branch would be predicted wrongly too often.
      *out = set;
      out += (set & excluded) == 0 ? 1 : 0;
    }
    return {sets.data(), out};
  }

 private:
  std::span<const std::uint32_t> sets_of_bits(std::uint32_t excluded,
                                              const std::uint64_t* with_excluded,
                                              const SubsetTable& columns, SetList& sets) const {
    std::uint32_t* out = sets.data();
    for (std::size_t w = 0; w < news_words(columns.count()); ++w) {
      std::uint64_t word = excluded == 0 ? words_[w] : words_[w] & ~with_excluded[w];
      for (; word != 0; word &= word - 1) {
        const std::size_t column = w * 64 + static_cast<std::size_t>(std::countr_zero(word));
        *out++ = columns.mask(static_cast<std::uint32_t>(column));
      }
    }
    return {sets.data(), out};
  }

  std::uint64_t* words_;
  std::uint16_t& count_;
};

}  // namespace mtb
