#include "gen/steps.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>

namespace mtb {
namespace {

constexpr std::uint32_t kLongest = 1u << (StepTable::kLengths - 1);

/// Number of pieces of 2^log_length columns that a run is cut into.
constexpr std::uint32_t pieces_of(std::uint32_t run, std::size_t log_length) {
  return log_length == StepTable::kLengths - 1 ? run / kLongest : run >> log_length & 1;
}

/// For each byte, its bits as bytes.
constexpr auto kBitBytes = [] {
  std::array<std::array<std::uint8_t, 8>, 256> table{};
  for (std::size_t byte = 0; byte < table.size(); ++byte) {
    for (std::size_t bit = 0; bit < 8; ++bit) {
      table[byte][bit] = static_cast<std::uint8_t>(byte >> bit & 1);
    }
  }
  return table;
}();

void expand_bits(std::uint64_t word, std::uint8_t* bytes) {
  for (std::size_t i = 0; i < 8; ++i) {
    std::memcpy(bytes + 8 * i, kBitBytes[word >> 8 * i & 0xff].data(), 8);
  }
}

}  // namespace

StepTable::StepTable(const SubsetTable& columns, int points) {
  bounds_.push_back(0);
  std::array<std::vector<Piece>, kLengths> by_length;
  const auto cut = [&](Piece run, std::uint32_t length) {
    for (std::size_t log = kLengths; log-- > 0;) {
      for (std::uint32_t n = pieces_of(length, log); n > 0; --n) {
        by_length[log].push_back(run);
        run.low = static_cast<std::uint16_t>(run.low + (1u << log));
        run.high = static_cast<std::uint16_t>(run.high + (1u << log));
      }
    }
  };
  for (int high = 1; high < points; ++high) {
    for (int low = 0; low < high; ++low) {
      const std::uint32_t from = 1u << low;
      const std::uint32_t to = 1u << high;
      Piece run{};
      std::uint32_t length = 0;
      for (std::uint32_t column = 0; column < columns.count(); ++column) {
        const std::uint32_t set = columns.mask(column);
        if ((set & (from | to)) != from) continue;
        const std::uint32_t partner = columns.rank(set ^ from ^ to);
        if (length == 0 || column != run.low + length || partner != run.high + length) {
          cut(run, length);
          run = {static_cast<std::uint16_t>(column), static_cast<std::uint16_t>(partner)};
          length = 0;
        }
        ++length;
      }
      cut(run, length);
      for (std::vector<Piece>& list : by_length) {
        pieces_.insert(pieces_.end(), list.begin(), list.end());
        bounds_.push_back(static_cast<std::uint32_t>(pieces_.size()));
        list.clear();
      }
    }
  }
  pieces_.shrink_to_fit();
}

std::uint64_t StepTable::bytes(int points, int size) {
  std::uint64_t pieces = 0;
  for (int low = 0; low < points - 1; ++low) {
    const auto highs = static_cast<std::uint64_t>(points - 1 - low);
    // `below` of the cows that stay are below `low`, and give the run; the others choose it.
    for (int below = 0; below <= std::min(low, size - 1); ++below) {
      const std::uint32_t run = static_cast<std::uint32_t>(binomial(low, below));
      std::uint64_t cuts = 0;
      for (std::size_t log = 0; log < kLengths; ++log) cuts += pieces_of(run, log);
      pieces += highs * binomial(points - 2 - low, size - 1 - below) * cuts;
    }
  }
  return pieces * sizeof(Piece);
}

StepCounts::StepCounts(const StepTable& steps, const SubsetTable& columns,
                       const PointColumns& with_point, int points)
    : steps_(steps),
      with_point_(with_point),
      points_(points),
      columns_(columns.count()),
      arrived_bits_(static_cast<std::size_t>(points) * with_point.words()),
      arrived_(64 * arrived_bits_.size()),
      counts_(64 * with_point.words()) {}

/// Adds what arrived at one end of an edge to the counts of the other end. Counts stay below 64, so
/// that nothing is carried from one byte of a word to the next.
template <class Word>
void StepCounts::add(std::span<const StepTable::Piece> pieces, const std::uint8_t* low_arrived,
                     const std::uint8_t* high_arrived) {
  const auto add_word = [](std::uint8_t* counts, const std::uint8_t* arrived) {
    Word sum;
    Word more;
    std::memcpy(&sum, counts, sizeof sum);
    std::memcpy(&more, arrived, sizeof more);
    sum = static_cast<Word>(sum + more);
    std::memcpy(counts, &sum, sizeof sum);
  };
  std::uint8_t* const counts = counts_.data();
  for (const StepTable::Piece piece : pieces) {
    add_word(counts + piece.low, high_arrived + piece.high);
    add_word(counts + piece.high, low_arrived + piece.low);
  }
}

/// A cow that stands in a mill now would have closed it by arriving.
void StepCounts::mark_arrivals(const RowFrame& frame, const std::uint64_t* news,
                               bool mills_are_quiet) {
  const std::size_t words = with_point_.words();
  const auto arrived_at = [&](int point) {
    return arrived_bits_.data() + static_cast<std::size_t>(point) * words;
  };
  for (int point = 0; point < points_; ++point) {
    std::transform(news, news + words, with_point_.with(point), arrived_at(point), std::bit_and());
  }
  if (!mills_are_quiet) {
    for (std::uint32_t line : frame.lines()) {
      std::array<int, 3> points{};
      for (int& point : points) {
        point = std::countr_zero(line);
        line &= line - 1;
      }
      const auto& [a, b, c] = points;
      for (std::size_t w = 0; w < words; ++w) {
        const std::uint64_t mill =
            with_point_.with(a)[w] & with_point_.with(b)[w] & with_point_.with(c)[w];
        for (int point : points) arrived_at(point)[w] &= ~mill;
      }
    }
  }
  for (std::size_t w = 0; w < arrived_bits_.size(); ++w) {
    expand_bits(arrived_bits_[w], arrived_.data() + 64 * w);
  }
}

std::span<const std::uint8_t> StepCounts::count(const RowFrame& frame, const std::uint64_t* news,
                                                bool mills_are_quiet) {
  mark_arrivals(frame, news, mills_are_quiet);
  std::ranges::fill(counts_, std::uint8_t{0});
  for (int edge = 0; edge < frame.edges(); ++edge) {
    const std::uint32_t ends = frame.ends(edge);
    const int low = std::countr_zero(ends);
    const int high = std::bit_width(ends) - 1;
    const auto arrived_at = [&](int point) {
      return arrived_.data() + static_cast<std::size_t>(point) * counts_.size();
    };
    add<std::uint8_t>(steps_.pieces(low, high, 0), arrived_at(low), arrived_at(high));
    add<std::uint16_t>(steps_.pieces(low, high, 1), arrived_at(low), arrived_at(high));
    add<std::uint32_t>(steps_.pieces(low, high, 2), arrived_at(low), arrived_at(high));
    add<std::uint64_t>(steps_.pieces(low, high, 3), arrived_at(low), arrived_at(high));
  }
  return {counts_.data(), columns_};
}

}  // namespace mtb
