// What an engine pays for a probe. The tables are those of MTB_BENCH_TABLES, a folder with 6v5 in
// it; without it these are skipped.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/samples.h"
#include "probe/c_convert.h"
#include "probe/mtb.h"
#include "probe/tablebase.h"

namespace mtb {
namespace {

constexpr Sector kSixFive{6, 5, 0, 0};

std::optional<std::filesystem::path> folder() {
  const char* const name = std::getenv("MTB_BENCH_TABLES");
  return name == nullptr ? std::nullopt : std::optional<std::filesystem::path>(name);
}

std::unique_ptr<Tablebase> open_tables(benchmark::State& state, std::size_t cache_bytes) {
  const auto where = folder();
  if (!where) {
    state.SkipWithError("MTB_BENCH_TABLES names no folder");
    return nullptr;
  }
  auto tables = Tablebase::open({&*where, 1}, {.cache_bytes = cache_bytes});
  if (!tables) {
    state.SkipWithError(tables.error().message.c_str());
    return nullptr;
  }
  return std::make_unique<Tablebase>(std::move(*tables));
}

Result<void> ask(const Tablebase& tables, const Position& position, bool outcome_only) {
  if (outcome_only) return tables.probe_outcome(position).map([](Outcome) {});
  return tables.probe(position).map([](const Evaluation&) {});
}

/// Probes of random positions whose blocks are all in the cache, by any number of threads.
void probe_six_five_cached(benchmark::State& state, bool outcome_only) {
  static std::unique_ptr<Tablebase> tables;
  static std::vector<Position> positions;
  if (state.thread_index() == 0) {
    tables =
        open_tables(state, outcome_only ? TablebaseOptions().cache_bytes : std::size_t{1} << 30);
    positions = random_positions(kSixFive, 1 << 16);
    // All blocks, so that no probe has to read one.
    for (const Position& position : positions) {
      if (tables && !ask(*tables, position, outcome_only)) state.SkipWithError("no 6v5 there");
    }
  }
  std::size_t i = static_cast<std::size_t>(state.thread_index()) * 7919;
  for (auto _ : state) {
    benchmark::DoNotOptimize(ask(*tables, positions[i++ % positions.size()], outcome_only));
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK_CAPTURE(probe_six_five_cached, outcome, true)->ThreadRange(1, 2)->UseRealTime();
BENCHMARK_CAPTURE(probe_six_five_cached, all, false)->ThreadRange(1, 2)->UseRealTime();

/// The same outcomes through the C interface.
void c_probe_six_five_cached(benchmark::State& state) {
  const auto where = folder();
  mtb_tablebase* tables = nullptr;
  const std::string path = where ? where->string() : "";
  const char* const folders = path.c_str();
  mtb_message message;
  if (mtb_open_folders(&folders, where ? 1 : 0, nullptr, &tables, &message) != MTB_OK) {
    state.SkipWithError(message.text);
    return;
  }
  std::vector<mtb_position> positions;
  for (const Position& position : random_positions(kSixFive, 1 << 16)) {
    positions.push_back(c::to_c(position));
  }
  mtb_value value;
  for (const mtb_position& position : positions) {
    if (mtb_probe_wdl(tables, &position, &value, nullptr) != MTB_OK) {
      state.SkipWithError("no 6v5 there");
    }
  }
  std::size_t i = 0;
  for (auto _ : state) {
    mtb_probe_wdl(tables, &positions[i++ % positions.size()], &value, nullptr);
    benchmark::DoNotOptimize(value);
  }
  mtb_close(tables);
}
BENCHMARK(c_probe_six_five_cached);

/// Without a cache: each probe reads its block, from the system's cache of files, and decodes it.
void probe_six_five_cold(benchmark::State& state, bool outcome_only) {
  const auto tables = open_tables(state, 0);
  if (!tables) return;
  const auto positions = random_positions(kSixFive, 4096);
  for (const Position& position : positions)
    benchmark::DoNotOptimize(ask(*tables, position, outcome_only));
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(ask(*tables, positions[i++ % positions.size()], outcome_only));
  }
}
BENCHMARK_CAPTURE(probe_six_five_cold, outcome, true)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(probe_six_five_cold, all, false)->Unit(benchmark::kMicrosecond);

/// Many probes at once, sorted by block inside; the time is that of one.
void probe_six_five_batch(benchmark::State& state) {
  const auto tables = open_tables(state, 0);
  if (!tables) return;
  const auto positions = random_positions(kSixFive, 1 << 16);
  for (auto _ : state) benchmark::DoNotOptimize(tables->probe_all(positions));
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * positions.size()));
}
BENCHMARK(probe_six_five_batch)->Unit(benchmark::kMillisecond);

std::uint64_t resident_bytes() {
  std::uint64_t pages = 0;
  std::uint64_t resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

/// Opening the folder. `fixed_bytes`: what has been taken when each table has been asked once,
/// without a cache.
void open_and_ask_all(benchmark::State& state) {
  const std::uint64_t before = resident_bytes();
  const auto tables = open_tables(state, 0);
  if (!tables) return;
  std::size_t count = 0;
  for (const Metric metric : kAllMetrics) {
    for (const Sector sector : tables->sectors(metric)) {
      ++count;
      benchmark::DoNotOptimize(
          ask(*tables, random_positions(sector, 1).front(), metric == Metric::wdl));
    }
  }
  state.counters["tables"] = static_cast<double>(count);
  state.counters["fixed_bytes"] = static_cast<double>(resident_bytes() - before);
  for (auto _ : state) benchmark::DoNotOptimize(open_tables(state, 0));
}
BENCHMARK(open_and_ask_all)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace mtb
