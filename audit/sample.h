// Positions to ask players about, drawn from tables.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "game/outcome.h"
#include "game/position.h"
#include "game/result.h"
#include "game/sector.h"
#include "probe/tablebase.h"

namespace mtb {

/// How hard it is to keep the outcome: by the number of turns that do.
enum class Difficulty : std::uint8_t { only_turn, few, many };
inline constexpr std::size_t kDifficulties = 3;
/// One turn; two or three; more.
constexpr Difficulty difficulty_of(std::uint32_t keeping) {
  return keeping == 1 ? Difficulty::only_turn : keeping <= 3 ? Difficulty::few : Difficulty::many;
}
/// `only turn`, `few turns`, `many turns`.
std::string_view to_string(Difficulty difficulty);

/// A decision: a position whose turns differ in outcome.
struct Sampled {
  Position position;
  Outcome outcome = Outcome::draw;  ///< of best play, for its player
  std::uint32_t turns = 0;          ///< legal ones, as positions they lead to
  std::uint32_t keeping = 0;        ///< those that keep the outcome
  std::optional<std::uint32_t> dtw;
};

/// What is to be drawn.
struct SampleSpec {
  std::size_t positions = 100;
  std::uint64_t seed = 1;
  std::vector<Sector> sectors;  ///< empty: all that have tables, and so have those below them
  std::optional<Outcome> outcome;
  std::optional<Difficulty> difficulty;
};

/// Draws decisions evenly over sectors, outcomes and difficulties, as far as there are any: in turn
/// for each combination, a placement of the sector at random with White to move. The same for the
/// same spec and tables of the same values. No position comes twice. Fewer than wanted when many
/// draws have found no more. Errors: not_found when there is no sector to draw from; those of the
/// tables.
Result<std::vector<Sampled>> sample_decisions(const Tablebase& base, const SampleSpec& spec);

}  // namespace mtb
