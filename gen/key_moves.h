// The moves of the key's cows: properties of a row, the same for all its columns.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "format/index.h"
#include "game/rule_set.h"

namespace mtb {

/// A move of a cow of a row's canonical key set. It carries the whole row to `target`.
struct KeyMove {
  std::uint32_t target;   ///< row of the key set after the move
  std::uint8_t symmetry;  ///< number of the symmetry that maps that set onto its representative
  Point from;
  Point to;
  std::uint8_t mills;  ///< mills that the move closes, 0..2
};

/// The key moves of all rows of a class space. Immutable.
class KeyMoves {
 public:
  /// Built by the current number of OpenMP threads.
  KeyMoves(const KeyClasses& classes, const RuleSet& rules);

  /// All moves of a row's cows to points free of the key: those that close no mill first.
  std::span<const KeyMove> of(std::uint32_t row) const {
    return std::span(moves_).subspan(first_[row], first_[row + 1] - first_[row]);
  }

  std::uint64_t bytes() const {
    return moves_.size() * sizeof(KeyMove) + first_.size() * sizeof(std::uint64_t);
  }

 private:
  std::vector<KeyMove> moves_;
  std::vector<std::uint64_t> first_;
};

/// Number of key moves of all rows together; a bound within a few percent, for planning memory.
std::uint64_t estimated_key_moves(int cows, std::uint64_t rows, const RuleSet& rules);

}  // namespace mtb
