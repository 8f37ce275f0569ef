// Solving a pair in which re-forming bans may stay (gen/README.md, "With re-forming bans").
#pragma once

#include <functional>
#include <memory>

#include "format/index.h"
#include "format/values.h"
#include "game/result.h"
#include "game/rule_set.h"
#include "gen/finished_sectors.h"
#include "gen/pair.h"
#include "gen/pair_solver.h"

namespace mtb {

/// One solution of a pair, see solve_pair(); nothing when the clock's bound is too small.
using SolveOnce = std::function<Result<std::unique_ptr<SolvedPair>>(const LowerSectors& lower)>;

/// Solves a pair with bans_stay() for `metric` until the values repeat: then they are exact.
/// `finished` holds all that games from the pair may come to; the pair's own sectors are added, in
/// memory. Errors: those of solve_once() and FinishedSectors::failure().
Result<std::unique_ptr<SolvedPair>> solve_with_staying_bans(const RuleSet& rules, Pair pair,
                                                            Metric metric, LowerSectors lower,
                                                            FinishedSectors& finished,
                                                            const ClassCache& cache,
                                                            const SolveOnce& solve_once);

}  // namespace mtb
