// Asking a player about many positions, and what that comes to.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "audit/engine_client.h"
#include "audit/sample.h"
#include "grade/score.h"

namespace mtb {

/// What became of one position.
struct Audited {
  Sampled asked;
  std::optional<Turn> turn;
  std::optional<TurnGrade> grade;  ///< of the turn
  std::optional<Failure> failure;  ///< where there is no turn
  std::string said;                ///< where it was illegal

  bool kept() const { return grade && grade->keeps_outcome(); }
};

/// Sums over positions; an answer that failed has not kept the outcome.
struct AuditScore {
  std::uint64_t positions = 0;
  std::uint64_t kept = 0;
  std::array<std::uint64_t, kFailures> failures{};
  Score score;  ///< of the turns

  void add(const Audited& audited);
};

struct AuditSums {
  AuditScore all;
  std::map<Sector, AuditScore> by_sector;
  std::map<Difficulty, AuditScore> by_difficulty;
  std::map<Outcome, AuditScore> by_outcome;
};

/// What was answered, one for each position; of the first ones alone when the engine did not come
/// up again.
template <class Answer>
struct Answers {
  std::vector<Answer> answers;
  std::optional<Error> given_up;  ///< why there are no more
};

/// Asks about every position. `told` is called after each. An engine that does not come up again
/// has failed in the position for which it was to, by the failure `ended`, and is asked no more.
/// Errors: those of EngineClient::ask() when nothing was answered, and of the tables.
Result<Answers<Audited>> audit_engine(const Tablebase& base, const EngineCommand& engine,
                                      const std::vector<Sampled>& positions,
                                      const std::function<void(std::size_t)>& told = {});

AuditSums sums_of(const std::vector<Audited>& audited);

/// How one playing-out ended, from the engine's view.
struct PlayedOut {
  Sampled start;
  Outcome result = Outcome::draw;  ///< win, draw or loss
  std::uint32_t plies = 0;
  std::optional<Failure> failure;  ///< it counts as a loss
  /// Whether the engine got what the position was worth: a draw, where the clock ends a game that
  /// would be won without it.
  bool kept() const {
    const bool decided = start.outcome == Outcome::win || start.outcome == Outcome::loss;
    return !failure && result == (decided ? start.outcome : Outcome::draw);
  }
};

/// Lets the engine play from every position against best play: whether it wins what is won, and
/// holds what is drawn. A game of `most_plies`, one in which a position comes the third time, and
/// one whose clock runs out are draws. Errors as audit_engine().
Result<Answers<PlayedOut>> play_out(const Tablebase& base, const EngineCommand& engine,
                                    const std::vector<Sampled>& positions, std::uint32_t most_plies,
                                    const std::function<void(std::size_t)>& told = {});

/// Two audits of the same positions: how often each alone kept the outcome, and how likely so great
/// a difference would be were both as strong (McNemar's exact test, two-sided).
struct Comparison {
  std::uint64_t positions = 0;
  std::uint64_t both = 0;
  std::uint64_t only_first = 0;
  std::uint64_t only_second = 0;
  double probability = 1;
};
Comparison compare(const std::vector<bool>& first, const std::vector<bool>& second);

}  // namespace mtb
