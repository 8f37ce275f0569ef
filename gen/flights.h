// Moves between the sets of three cows that may fly, for all columns of a row at once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gen/subset_table.h"

namespace mtb {

/// Counts, for every set of three compact points, in how many of the marked sets it can become by
/// one flight. One object serves one thread.
///
/// A flight keeps two cows. If P(pq) is the number of marked sets with the points p and q, then
/// P(pq) + P(pr) + P(qr) counts each marked set that shares two points with {p, q, r} once, and
/// {p, q, r} itself, when marked, three times.
class FlightCounts {
 public:
  /// `points` compact points.
  explicit FlightCounts(int points);

  void mark(std::uint16_t column, std::uint32_t set);
  /// One count a column, less than 64 each; valid until the next call. Forgets all marks.
  std::span<const std::uint8_t> count();

 private:
  int points_;
  std::vector<std::uint8_t> marked_;  ///< by column
  std::vector<std::uint8_t> pairs_;   ///< by rank of the pair: number of marked sets with it
  std::vector<std::uint8_t> counts_;
};

}  // namespace mtb
