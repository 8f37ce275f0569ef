// What the grades of many turns come to.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "game/outcome.h"
#include "grade/turn_grade.h"

namespace mtb {

/// `part` for each of `all`; nothing when there are none.
std::optional<double> rate_of(std::uint64_t part, std::uint64_t all);

/// The interval that holds a rate with 95 % confidence, when `hits` of `trials` independent trials
/// hit (Wilson's score interval); 0 to 1 without trials.
std::pair<double, double> interval_of_rate(std::uint64_t hits, std::uint64_t trials);

/// Sums over turns.
struct Score {
  std::uint64_t graded = 0;
  std::uint64_t ungraded = 0;   ///< outside the tables
  std::uint64_t decisions = 0;  ///< of those graded: where turns differ in outcome
  std::uint64_t kept = 0;       ///< of the decisions: with the outcome kept
  /// Of those graded: [outcome of the best turn][outcome of the turn played].
  std::array<std::array<std::uint64_t, kOutcomeCount>, kOutcomeCount> outcomes{};
  std::uint64_t measured = 0;    ///< of those graded: with plies_lost
  std::uint64_t plies_lost = 0;  ///< sum over those measured

  void add(const TurnGrade& grade);
  void add(const Score& other);

  /// Part of the decisions in which the outcome was kept; nothing without decisions.
  std::optional<double> accuracy() const { return rate_of(kept, decisions); }
  /// Mean of the plies lost; nothing where none were measured.
  std::optional<double> mean_plies_lost() const { return rate_of(plies_lost, measured); }
};

}  // namespace mtb
