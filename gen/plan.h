// Which pairs to solve, in which order, and what that takes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "format/index.h"
#include "format/values.h"
#include "game/result.h"
#include "game/rule_set.h"
#include "gen/cost.h"
#include "gen/pair.h"

namespace mtb {

/// What of the work on a pair is in memory. The tables do not depend on it.
enum class MemoryMode : std::uint8_t {
  memory,  ///< everything
  blocks,  ///< the states; of the lower sectors, blocks that are decoded from their files as needed
  disk,    ///< as blocks, and the states lie in unnamed files, mapped to memory
};

/// `memory`, `blocks`, `disk`.
std::string_view to_string(MemoryMode mode);

/// Which tables are made.
struct Metrics {
  bool wdl = true;
  bool dtw = true;
  bool dtc = false;

  bool has(Metric metric) const {
    return metric == Metric::wdl ? wdl : metric == Metric::dtw ? dtw : dtc;
  }
  int count() const { return int{wdl} + int{dtw} + int{dtc}; }
  /// Whether outcomes are found by solving for dtc, as they are with a clock, or when nothing else
  /// is wanted; dtw tables give only those without a clock.
  bool solves_dtc(const RuleSet& rules) const {
    return dtc || (wdl && (rules.clock.plies != 0 || !dtw));
  }
  int solves(const RuleSet& rules) const { return int{dtw} + int{solves_dtc(rules)}; }
  Rounds rounds(const RuleSet& rules) const {
    return {(dtw ? 1 : 0) + (solves_dtc(rules) ? kDtcPart : 0), count()};
  }
  bool operator==(const Metrics&) const = default;
};

/// All that says something under these rules: outcomes and distances to win, and with a clock those
/// to the next shot.
Metrics default_metrics(const RuleSet& rules);

/// The same with what it needs: outcomes of smaller pairs are what dtc is solved from.
Metrics with_needs(Metrics metrics, const RuleSet& rules);

/// What a plan has to keep to.
struct PlanLimits {
  std::optional<std::uint64_t> memory_bytes;  ///< none: whatever is needed
  int threads = 1;
  Metrics metrics = {};
};

/// One pair of a plan.
struct PlanStep {
  Pair pair;
  std::uint64_t slots = 0;  ///< of both sectors; of the one sector of an equal pair
  MemoryMode mode = MemoryMode::memory;
  /// Largest amount that the process needs for this pair. In mode `disk` the states are not
  /// counted: the system keeps of them in memory what it has room for.
  std::uint64_t memory_bytes = 0;
  /// Bytes for decoded blocks of each lower sector, as in lower_sectors(); not in mode `memory`.
  std::array<std::uint64_t, 4> cache_bytes{};
  std::uint64_t state_bytes = 0;      ///< of memory_bytes, or in files in mode `disk`: the states
  std::uint64_t temporary_bytes = 0;  ///< on the disk, while the pair is being solved
  std::uint64_t table_bytes = 0;      ///< on the disk, of its tables; an estimate, fast compression
  int solves = 1;                     ///< how often the pair is solved: for dtw, for dtc
  bool has_files = false;             ///< all its tables have a file, sound or not: make_plan()
  Cost cost;                          ///< on the machine of cost.h
};

/// All pairs without cows in hand with at most `total` cows on the board, and at most rules.cows on
/// each side; in an order in which every pair follows those that its shots lead to.
std::vector<Pair> pairs_up_to_total(int total, const RuleSet& rules);

/// The pair of a sector and all pairs that its shots lead to, in such an order.
/// Errors: bad_input when the sector has fewer than 3 or more than rules.cows cows on a side;
/// not_supported when it has cows in hand.
Result<std::vector<Pair>> pairs_needed_by(Sector sector, const RuleSet& rules);

/// The sectors of all pairs that a pair needs, itself not among them, in such an order.
std::vector<Sector> sectors_below(Pair pair, const RuleSet& rules);

/// What the work on a pair takes, in the first mode that keeps to the limits; in the last one, and
/// with what that needs, when none does.
PlanStep plan_step(Pair pair, const RuleSet& rules, const ClassCache& cache,
                   const PlanLimits& limits = {});

/// Of the pairs that have yet to be made.
Cost cost_left(std::span<const PlanStep> plan);

}  // namespace mtb
