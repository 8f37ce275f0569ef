// The perfect hash in both directions.
#include <benchmark/benchmark.h>

#include "bench/samples.h"
#include "format/index.h"

namespace mtb {
namespace {

constexpr std::size_t kSamples = 4096;
constexpr Sector kSixFive{6, 5, 0, 0};

void slot_of_position(benchmark::State& state, GatherMethod method) {
  const ClassCache cache(method);
  const SectorIndex index(kSixFive, KeySide::mover, cache);
  const auto placements = random_placements(kSixFive, kSamples);
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(index.slot(placements[i++ % kSamples]));
}
BENCHMARK_CAPTURE(slot_of_position, portable, GatherMethod::portable);
BENCHMARK_CAPTURE(slot_of_position, preferred, preferred_gather());

/// What no probe can do without: the slot, and one access to an array as large as all outcomes of
/// the sector, of which five fit in a byte.
void slot_and_one_access(benchmark::State& state) {
  const ClassCache cache;
  const SectorIndex index(kSixFive, KeySide::mover, cache);
  const auto placements = random_placements(kSixFive, 1 << 16);
  const std::vector<std::uint8_t> outcomes(static_cast<std::size_t>(index.slots() / 5 + 1), 1);
  std::size_t i = 0;
  for (auto _ : state) {
    const Slot slot = index.slot(placements[i++ % placements.size()]);
    benchmark::DoNotOptimize(outcomes[static_cast<std::size_t>(slot / 5)]);
  }
}
BENCHMARK(slot_and_one_access);

void position_of_slot(benchmark::State& state) {
  const ClassCache cache;
  const SectorIndex index(kSixFive, KeySide::mover, cache);
  std::mt19937_64 random(2);
  std::vector<Slot> slots(kSamples);
  for (Slot& slot : slots) slot = random() % index.slots();
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(index.placement(slots[i++ % kSamples]));
}
BENCHMARK(position_of_slot);

void symmetry_class(benchmark::State& state) {
  const KeyClasses classes(static_cast<int>(state.range(0)));
  std::mt19937_64 random(3);
  std::vector<PointSet> sets(kSamples);
  for (PointSet& set : sets) set = random_set(random, classes.cows());
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(classes.classify(sets[i++ % kSamples]));
}
BENCHMARK(symmetry_class)->Arg(6)->Arg(12);

void make_symmetry_classes(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(KeyClasses(static_cast<int>(state.range(0))));
}
BENCHMARK(make_symmetry_classes)->Arg(6)->Arg(12)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace mtb
