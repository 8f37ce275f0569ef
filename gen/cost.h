// What work on a pair costs: a model that dry runs and the time left are worked out from.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "format/index.h"
#include "game/rule_set.h"
#include "gen/pair.h"

namespace mtb {

/// Kinds of work, each in a unit of its own that can be counted without doing it.
enum class WorkKind : std::uint8_t {
  states,        ///< slots of which states are made
  key_moves,     ///< quiet moves of the key's cows, of all slots
  steps,         ///< quiet moves of the other player's cows, of all slots, where they step
  flights,       ///< the same, where they fly
  key_shots,     ///< cows that the key's player may shoot, of all slots
  other_shots,   ///< cows that the other player may shoot, of all slots; none for an equal pair
  row_moves,     ///< quiet moves of the key's cows, of all rows
  mirrored,      ///< slots of an equal pair, whose two sides are one
  lower_slots,   ///< slots of lower sectors that are read
  written_slots  ///< slots that are written, once for each metric
};
inline constexpr std::size_t kWorkKinds = 10;

/// The kinds that Cost::files counts; the others are solving.
constexpr bool is_of_files(WorkKind kind) { return kind >= WorkKind::lower_slots; }

using Work = std::array<double, kWorkKinds>;

/// What a solution for dtc takes of one for dtw: it has fewer distances. Of a typical pair; the
/// less the numbers of cows differ, the more.
inline constexpr double kDtcPart = 0.6;

/// How often a pair is solved, in solutions for dtw, and how many tables of each of its sectors are
/// written.
struct Rounds {
  double solves = 1;
  int tables = 2;
};

/// The amounts of work on a pair, a few percent off: averages over all placements.
Work amounts_of_work(Pair pair, const RuleSet& rules, const ClassCache& cache, Rounds rounds);

/// CPU-seconds on the machine that the model was fitted on; speed.h tells how others differ.
struct Cost {
  double solving = 0;
  double files = 0;  ///< reading lower sectors and writing tables, compressed fast

  double total() const { return solving + files; }
  Cost& operator+=(const Cost& more) {
    solving += more.solving;
    files += more.files;
    return *this;
  }
};
Cost cost_of(Pair pair, const RuleSet& rules, const ClassCache& cache, Rounds rounds);

/// Pairs of `traditional` without its clock that measure the speed of a machine, in the order in
/// which they have to be solved, with what they took in the runs that the model was fitted on, the
/// last two in those of data/reference/moving_phase.csv; tables of wdl and dtw.
struct MeasuredPair {
  Pair pair;
  Cost cost;
};
inline constexpr std::array<MeasuredPair, 8> kMeasuredPairs = {{
    {{3, 3}, {0.12, 0.01}},
    {{4, 3}, {0.06, 0.03}},
    {{4, 4}, {0.10, 0.04}},
    {{5, 3}, {0.16, 0.06}},
    {{5, 4}, {0.58, 0.23}},
    {{6, 3}, {0.78, 0.21}},
    {{5, 5}, {1.41, 0.36}},
    {{6, 4}, {4.78, 1.02}},
}};

/// Bytes of the tables of a pair with so many slots, compressed fast; often half as many, or twice.
std::uint64_t estimated_table_bytes(Pair pair, std::uint64_t slots, int tables);

}  // namespace mtb
