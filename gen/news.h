// Which slots of a row have just been settled: one bit a column.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

namespace mtb {

constexpr std::size_t news_words(std::size_t columns) { return (columns + 63) / 64; }

namespace detail {

/// Gathers 64 bytes that are 0 or 1 into 64 bits.
inline std::uint64_t gather_flags(const std::uint8_t* flags) {
  std::uint64_t word = 0;
  if constexpr (std::endian::native == std::endian::little) {
    // The multiplier moves byte i's low bit to bit 56 + i; no two terms of the product meet.
    for (unsigned i = 0; i < 8; ++i) {
      std::uint64_t eight;
      std::memcpy(&eight, flags + 8 * i, sizeof eight);
      word |= (eight * 0x0102040810204080u >> 56) << (8 * i);
    }
  } else {
    for (unsigned i = 0; i < 64; ++i) word |= std::uint64_t{flags[i]} << i;
  }
  return word;
}

}  // namespace detail

/// Marks the columns of a row whose state is exactly `distance`, and returns the smallest state
/// above it, or the largest State when there is none. `news` has news_words(columns) words.
template <class State>
State collect_news(const State* states, std::size_t columns, State distance, std::uint64_t* news) {
  // States up to `distance` wrap round to the top.
  const auto base = static_cast<State>(distance + 1);
  State nearest = std::numeric_limits<State>::max();
  std::uint8_t flags[64];
  for (std::size_t first = 0; first < columns; first += 64) {
    const std::size_t n = std::min<std::size_t>(64, columns - first);
    const State* s = states + first;
    if (n == 64) {
      for (std::size_t i = 0; i < 64; ++i) flags[i] = s[i] == distance ? 1 : 0;
      for (std::size_t i = 0; i < 64; ++i) {
        nearest = std::min(nearest, static_cast<State>(s[i] - base));
      }
    } else {
      std::memset(flags, 0, sizeof flags);
      for (std::size_t i = 0; i < n; ++i) {
        flags[i] = s[i] == distance ? 1 : 0;
        nearest = std::min(nearest, static_cast<State>(s[i] - base));
      }
    }
    news[first / 64] = detail::gather_flags(flags);
  }
  const auto above = static_cast<State>(nearest + base);
  return above > distance ? above : std::numeric_limits<State>::max();
}

/// Marks the columns of a row whose state is above `limit`.
template <class State>
void mark_above(const State* states, std::size_t columns, State limit, std::uint64_t* news) {
  std::uint8_t flags[64];
  for (std::size_t first = 0; first < columns; first += 64) {
    const std::size_t n = std::min<std::size_t>(64, columns - first);
    const State* s = states + first;
    if (n == 64) {
      for (std::size_t i = 0; i < 64; ++i) flags[i] = s[i] > limit ? 1 : 0;
    } else {
      std::memset(flags, 0, sizeof flags);
      for (std::size_t i = 0; i < n; ++i) flags[i] = s[i] > limit ? 1 : 0;
    }
    news[first / 64] = detail::gather_flags(flags);
  }
}

inline std::uint64_t count_news(const std::uint64_t* news, std::size_t columns) {
  std::uint64_t count = 0;
  for (std::size_t w = 0; w < news_words(columns); ++w) {
    count += static_cast<std::uint64_t>(std::popcount(news[w]));
  }
  return count;
}

/// Columns of a row in ascending order; they have at most 16 bits.
using ColumnList = std::vector<std::uint16_t>;

/// Writes the marked columns to `list`, which has room for all columns; returns those written.
inline std::span<const std::uint16_t> list_news(const std::uint64_t* news, std::size_t columns,
                                                ColumnList& list) {
  std::uint16_t* out = list.data();
  for (std::size_t w = 0; w < news_words(columns); ++w) {
    for (std::uint64_t word = news[w]; word != 0; word &= word - 1) {
      *out++ =
          static_cast<std::uint16_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(word)));
    }
  }
  return {list.data(), out};
}

}  // namespace mtb
