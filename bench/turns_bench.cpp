// Generating complete turns.
#include <benchmark/benchmark.h>

#include "bench/samples.h"
#include "game/turns.h"

namespace mtb {
namespace {

void legal_turns_of_position(benchmark::State& state) {
  const RuleSet rules = *rule_set_named("traditional");
  const auto positions = random_positions({6, 5, 0, 0}, 1024);
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(legal_turns(rules, positions[i++ % positions.size()]));
  }
}
BENCHMARK(legal_turns_of_position);

void perft_of_start(benchmark::State& state) {
  const RuleSet rules = *rule_set_named("malom");
  std::uint64_t turns = 0;
  for (auto _ : state) turns += perft(rules, start_position(rules), 4);
  state.counters["turns"] =
      benchmark::Counter(static_cast<double>(turns), benchmark::Counter::kIsRate);
}
BENCHMARK(perft_of_start)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace mtb
