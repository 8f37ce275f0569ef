#include "gen/plan.h"

#include <algorithm>
#include <set>
#include <string>

#include "format/table.h"
#include "gen/pair_solver.h"

namespace mtb {
namespace {

/// Program, libraries, symmetry classes, and what reading and writing tables takes.
constexpr std::uint64_t kBaseBytes = 40u << 20;

/// Where lower sectors stay in their files: for each thread, the blocks that it holds and those
/// that it is decoding.
constexpr std::uint64_t kThreadBytes = 1u << 20;

/// Least cache of a lower sector, for each thread: neighbouring rows of a pair lead to neighbouring
/// ones there, so that with eight blocks hardly more than three are decoded for a row.
constexpr std::uint64_t kLeastCacheBytes = 8 * std::uint64_t{kBlockSlots};

/// Bytes of a BanTable for each slot of its sector: an estimate, for four values changed in ten.
constexpr double kBanBytes = 4;

/// What each thread works with while a pair is being solved, besides its columns.
constexpr std::uint64_t kSolvingThreadBytes = 256u << 10;
/// And for each column: news, lists and sets of columns (DistancePhase), scores (ShotPhase), and
/// for each of up to 21 free points where cows arrived, as a bit and as a byte (StepCounts).
constexpr std::uint64_t kSolvingColumnBytes = 29 + 24;

/// Where bans stay, pairs are solved a few times, and searching takes longer than solving; this is
/// a rough figure, from `iggamecenter` up to ten cows.
constexpr int kStayingRounds = 4;

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

Metrics default_metrics(const RuleSet& rules) { return {true, true, rules.clock.plies != 0}; }

Metrics with_needs(Metrics metrics, const RuleSet& rules) {
  metrics.wdl = metrics.wdl || metrics.solves_dtc(rules);
  // Positions with bans are searched by distances.
  metrics.dtc = metrics.dtc || (metrics.solves_dtc(rules) && rules.reform != Reform::none);
  return metrics;
}

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

std::vector<Sector> sectors_below(Pair pair, const RuleSet& rules) {
  std::set<Pair> pairs;
  add_with_needs(pair, rules, pairs);
  pairs.erase(pair);
  std::vector<Sector> sectors;
  for (const Pair below : in_order(pairs)) {
    for (const Sector sector : below.sectors()) sectors.push_back(sector);
  }
  return sectors;
}

std::string_view to_string(MemoryMode mode) {
  switch (mode) {
    case MemoryMode::memory:
      return "memory";
    case MemoryMode::blocks:
      return "blocks";
    case MemoryMode::disk:
      return "disk";
  }
  return "";
}

PlanStep plan_step(Pair pair, const RuleSet& rules, const ClassCache& cache,
                   const PlanLimits& limits) {
  PlanStep step;
  step.pair = pair;
  const std::uint64_t sector_slots = std::uint64_t{cache.get(pair.key)->count()} * pair.columns();
  step.slots = pair.equal() ? sector_slots : 2 * sector_slots;
  const Metrics metrics = with_needs(limits.metrics, rules);
  step.solves = metrics.solves(rules);
  step.table_bytes = estimated_table_bytes(pair, step.slots, metrics.count());
  const bool stay = bans_stay(pair, rules);
  Rounds rounds = metrics.rounds(rules);
  if (stay) rounds.solves *= kStayingRounds;
  step.cost = cost_of(pair, rules, cache, rounds);

  // A byte a slot; distances beyond 254 plies, which would take two, are not foreseen here.
  std::array<std::uint64_t, 4> whole{};
  std::uint64_t all_whole = 0;
  const auto threads = static_cast<std::uint64_t>(limits.threads);
  std::uint64_t all_least = threads * kThreadBytes;
  const std::array<Sector, 4> lower = lower_sectors(pair, rules);
  for (std::size_t i = 0; i < lower.size(); ++i) {
    if (lower[i] == Sector{}) continue;
    whole[i] = SectorIndex(lower[i], default_key(lower[i]), cache).slots();
    step.cache_bytes[i] = std::min(whole[i], threads * kLeastCacheBytes);
    all_whole += whole[i];
    all_least += step.cache_bytes[i];
  }
  if (rules.reform != Reform::none) {
    // The search for bans looks positions up in all sectors below, and keeps what it finds.
    for (const Sector sector : sectors_below(pair, rules)) {
      const std::uint64_t slots = SectorIndex(sector, default_key(sector), cache).slots();
      all_whole += slots;
      all_least += std::min(slots, threads * kLeastCacheBytes);
    }
    for (const std::uint64_t slots : whole) {
      const auto found = static_cast<std::uint64_t>(static_cast<double>(slots) * kBanBytes);
      all_whole += found;
      all_least += found;
    }
  }
  if (stay) {
    // The values before, while they are worked out again.
    all_whole += step.slots;
    all_least += step.slots;
  }
  const SolverBytes solver = solver_bytes(pair, rules, cache);
  step.state_bytes = solver.states;
  const std::uint64_t limit = limits.memory_bytes.value_or(UINT64_MAX);

  const std::uint64_t base =
      kBaseBytes + threads * (kSolvingThreadBytes + kSolvingColumnBytes * pair.columns());
  step.memory_bytes = base + solver.all + all_whole;
  if (step.memory_bytes <= limit) {
    step.cache_bytes = {};
    return step;
  }
  step.mode = MemoryMode::blocks;
  step.memory_bytes = base + solver.all + all_least;
  if (step.memory_bytes > limit) {
    step.mode = MemoryMode::disk;
    step.memory_bytes = base + solver.rest + all_least;
    step.temporary_bytes = solver.states;
    return step;
  }
  // The key's shots lead to the row of the same number: there, more blocks would not help.
  for (const std::size_t i : {std::size_t{2}, std::size_t{3}}) {
    const std::uint64_t more = std::min(limit - step.memory_bytes, whole[i] - step.cache_bytes[i]);
    step.cache_bytes[i] += more;
    step.memory_bytes += more;
  }
  return step;
}

Cost cost_left(std::span<const PlanStep> plan) {
  Cost left;
  for (const PlanStep& step : plan) {
    if (!step.has_files) left += step.cost;
  }
  return left;
}

}  // namespace mtb
