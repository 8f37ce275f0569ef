#include "grade/score.h"

#include <algorithm>
#include <cmath>

namespace mtb {

std::optional<double> rate_of(std::uint64_t part, std::uint64_t all) {
  if (all == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(all);
}

std::pair<double, double> interval_of_rate(std::uint64_t hits, std::uint64_t trials) {
  if (trials == 0) return {0, 1};
  // E. B. Wilson, 1927: the rates that a two-sided test at 5 % does not reject.
  constexpr double z = 1.959963984540054;  // 97.5 % of a normal distribution lie below
  const auto n = static_cast<double>(trials);
  const double rate = static_cast<double>(hits) / n;
  const double middle = (rate + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(rate * (1 - rate) / n + z * z / (4 * n * n));
  // At the ends the bounds are exact; rounding may not carry them past the rate.
  return {hits == 0 ? 0.0 : std::max(0.0, middle - half),
          hits == trials ? 1.0 : std::min(1.0, middle + half)};
}

void Score::add(const TurnGrade& grade) {
  ++graded;
  if (grade.is_decision()) {
    ++decisions;
    kept += grade.keeps_outcome() ? 1 : 0;
  }
  ++outcomes[static_cast<std::size_t>(grade.best.outcome)]
            [static_cast<std::size_t>(grade.played.outcome)];
  if (grade.plies_lost) {
    ++measured;
    plies_lost += *grade.plies_lost;
  }
}

void Score::add(const Score& other) {
  graded += other.graded;
  ungraded += other.ungraded;
  decisions += other.decisions;
  kept += other.kept;
  for (std::size_t i = 0; i < kOutcomeCount; ++i) {
    for (std::size_t j = 0; j < kOutcomeCount; ++j) outcomes[i][j] += other.outcomes[i][j];
  }
  measured += other.measured;
  plies_lost += other.plies_lost;
}

}  // namespace mtb
