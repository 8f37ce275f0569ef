// What positions of a finished sector are worth just after a shot that left a re-forming ban
// behind.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "format/index.h"
#include "format/values.h"
#include "game/position.h"
#include "gen/ban_search.h"

namespace mtb {

/// Of all positions of one sector in which the opponent of the player to move may carry a ban,
/// those that the ban gives another value. Immutable; as the sector itself, it is what a pair above
/// needs.
class BanTable {
 public:
  /// Works out all values, by the current number of OpenMP threads. `code` turns what
  /// BanSearch::value() says into what the pair above reads of the sector (LowerSectors).
  BanTable(const SectorIndex& index, const BanSearch& search,
           const std::function<Code(Code)>& code);

  /// Puts the values that a ban makes into the codes of a row. The ban is that of the row's
  /// positions as they stand in the sector, SectorIndex::placement().
  template <class Cell>
  void apply(std::uint32_t row, const Ban& ban, std::span<Cell> codes) const {
    const std::uint64_t first = key(row, ban, 0);
    for (std::size_t i = lower_bound(first); i < keys_.size() && keys_[i] < first + kColumns; ++i) {
      codes[keys_[i] - first] = static_cast<Cell>(codes_[i]);
    }
  }

  /// The value of one position, `plain` when the ban does not change it.
  Code find(std::uint32_t row, const Ban& ban, std::uint32_t column, Code plain) const {
    const std::uint64_t wanted = key(row, ban, column);
    const std::size_t i = lower_bound(wanted);
    return i < keys_.size() && keys_[i] == wanted ? codes_[i] : plain;
  }

  Code largest_code() const {
    return codes_.empty() ? Code{0} : *std::max_element(codes_.begin(), codes_.end());
  }
  std::uint64_t bytes() const {
    return keys_.size() * sizeof(std::uint64_t) + codes_.size() * sizeof(Code);
  }

 private:
  /// Room for the columns of a row.
  static constexpr std::uint64_t kColumns = std::uint64_t{1} << 24;

  static std::uint64_t key(std::uint32_t row, const Ban& ban, std::uint32_t column) {
    const auto from = static_cast<std::uint64_t>(index(ban.from));
    const auto to = static_cast<std::uint64_t>(index(ban.to));
    return ((row * std::uint64_t{kPointCount} + from) * kPointCount + to) * kColumns + column;
  }
  std::size_t lower_bound(std::uint64_t wanted) const {
    return static_cast<std::size_t>(std::lower_bound(keys_.begin(), keys_.end(), wanted) -
                                    keys_.begin());
  }

  std::vector<std::uint64_t> keys_;  ///< ascending
  std::vector<Code> codes_;
};

}  // namespace mtb
