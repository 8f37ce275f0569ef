// Solving one pair, its lower sectors in memory; slots of both sectors per CPU-second.
#include <benchmark/benchmark.h>
#include <omp.h>

#include <map>
#include <memory>

#include "bench/samples.h"
#include "gen/pair_solver.h"
#include "gen/plan.h"

namespace mtb {
namespace {

/// Everything below a pair, solved.
class Below {
 public:
  explicit Below(Pair pair) : rules_(*rule_set_named("traditional")) {
    const auto pairs = pairs_needed_by(pair.key_to_move(), rules_);
    for (Pair lower : *pairs) {
      if (lower != pair) keep(lower, *solve(lower));
    }
  }

  std::unique_ptr<SolvedPair> solve(Pair pair) const {
    const auto needed = lower_sectors(pair, rules_);
    const auto pointer = [&](Sector sector) {
      return sector == Sector{} ? nullptr : &sectors_.at(sector);
    };
    return *solve_pair(
        rules_, pair, {Metric::dtw},
        {pointer(needed[0]), pointer(needed[1]), pointer(needed[2]), pointer(needed[3])}, cache_);
  }

  std::uint64_t slots(Pair pair) const { return plan_step(pair, rules_, cache_).slots; }

 private:
  void keep(Pair pair, const SolvedPair& solved) {
    for (const bool key_to_move : {true, false}) {
      const Sector sector = key_to_move ? pair.key_to_move() : pair.other_to_move();
      const KeySide key = key_to_move ? KeySide::mover : KeySide::opponent;
      sectors_.try_emplace(sector, LowerSector::from_codes(SectorIndex(sector, key, cache_),
                                                           solved.largest_code(key_to_move),
                                                           [&](Slot first, std::span<Code> codes) {
                                                             solved.fill_codes(key_to_move, first,
                                                                               codes);
                                                           }));
    }
  }

  RuleSet rules_;
  ClassCache cache_;
  std::map<Sector, LowerSector> sectors_;
};

void solve_one_pair(benchmark::State& state) {
  omp_set_num_threads(1);
  const Pair pair = Pair::of(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  const Below below(pair);
  std::uint64_t slots = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(below.solve(pair));
    slots += below.slots(pair);
  }
  state.counters["slots"] =
      benchmark::Counter(static_cast<double>(slots), benchmark::Counter::kIsRate);
}
BENCHMARK(solve_one_pair)
    ->ArgNames({"key", "other"})
    ->Args({4, 4})
    ->Args({5, 4})
    ->Args({7, 3})
    ->Args({5, 5})
    ->Args({6, 5})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace mtb
