// How fast this machine is.
#pragma once

#include <span>

#include "game/result.h"
#include "gen/cost.h"
#include "gen/generate.h"
#include "gen/plan.h"

namespace mtb {

/// This machine against the one that the model of cost.h was fitted on.
struct Speed {
  double solving = 1;   ///< CPU-seconds here for one there
  double files = 1;     ///< likewise
  double parallel = 1;  ///< CPU-seconds in a second, when nothing else runs

  double cpu_seconds(const Cost& cost) const { return solving * cost.solving + files * cost.files; }
  double wall_seconds(const Cost& cost) const { return cpu_seconds(cost) / parallel; }
};

/// Solves and writes kMeasuredPairs with the compression of these options, in a temporary folder;
/// by one thread, since several wait busily for each other where other programs run. Takes a second
/// or two for a short plan and up to about ten for a long one: a processor that others use as well
/// is some moments a third slower than others. The gain by all threads of these options is a rule
/// of thumb. Errors: system, when there is no room for some megabytes; those of generate().
Result<Speed> measure_speed(const GenerateOptions& options, std::span<const PlanStep> plan);

}  // namespace mtb
