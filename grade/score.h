// What the grades of many turns come to.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "game/outcome.h"
#include "grade/turn_grade.h"

namespace mtb {

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

  /// Part of the decisions in which the outcome was kept; 1 without decisions.
  double accuracy() const;
  /// Mean of the plies lost; 0 without.
  double mean_plies_lost() const;
};

}  // namespace mtb
