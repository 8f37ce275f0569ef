#include "gen/plan.h"

#include <algorithm>
#include <set>
#include <string>

#include "gen/pair_solver.h"

namespace mtb {
namespace {

/// Program, libraries, symmetry classes, and what reading and writing tables takes.
constexpr std::uint64_t kBaseBytes = 9u << 20;

/// Shots only take cows away: ascending totals are a valid order.
std::vector<Pair> in_order(const std::set<Pair>& pairs) {
  std::vector<Pair> order(pairs.begin(), pairs.end());
  std::stable_sort(order.begin(), order.end(),
                   [](Pair a, Pair b) { return a.total() < b.total(); });
  return order;
}

void add_with_needs(Pair pair, const RuleSet& rules, std::set<Pair>& pairs) {
  if (!pairs.insert(pair).second) return;
  for (Sector lower : lower_sectors(pair, rules)) {
    if (lower != Sector{}) add_with_needs(Pair::of(lower.mover, lower.opponent), rules, pairs);
  }
}

}  // namespace

std::vector<Pair> pairs_up_to_total(int total, const RuleSet& rules) {
  std::set<Pair> pairs;
  for (int key = kMinCows; key <= rules.cows; ++key) {
    for (int other = kMinCows; other <= key && key + other <= total; ++other) {
      pairs.insert(Pair::of(key, other));
    }
  }
  return in_order(pairs);
}

Result<std::vector<Pair>> pairs_needed_by(Sector sector, const RuleSet& rules) {
  const std::string name = to_string(sector);
  if (sector.has_hands()) {
    return fail(Fault::not_supported, "sector " + name +
                                          " has cows in hand, which this version does not solve; "
                                          "name a sector like 5v4");
  }
  const auto [few, many] = std::minmax(sector.mover, sector.opponent);
  if (few < kMinCows || many > rules.cows) {
    return fail(Fault::bad_input, "sector " + name + " is outside what can be solved: from " +
                                      std::to_string(kMinCows) + " to " +
                                      std::to_string(rules.cows) + " cows on each side");
  }
  std::set<Pair> pairs;
  add_with_needs(Pair::of(many, few), rules, pairs);
  return in_order(pairs);
}

PlanStep plan_step(Pair pair, const RuleSet& rules, const ClassCache& cache) {
  PlanStep step;
  step.pair = pair;
  const std::uint64_t sector_slots = std::uint64_t{cache.get(pair.key)->count()} * pair.columns();
  step.slots = pair.equal() ? sector_slots : 2 * sector_slots;
  step.memory_bytes = kBaseBytes + solver_bytes(pair, rules, cache);
  for (Sector lower : lower_sectors(pair, rules)) {
    if (lower == Sector{}) continue;
    // A byte a slot; distances beyond 254 plies, which would take two, are not foreseen here.
    step.memory_bytes += SectorIndex(lower, default_key(lower), cache).slots();
  }
  return step;
}

}  // namespace mtb
