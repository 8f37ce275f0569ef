// Decoding blocks and probing, with the shipped tables.
#include <benchmark/benchmark.h>

#include <filesystem>

#include "bench/samples.h"
#include "format/table.h"
#include "probe/tablebase.h"

namespace mtb {
namespace {

const std::filesystem::path kTables = std::filesystem::path(MTB_DATA_DIR) / "tables/traditional";
constexpr Sector kFourFour{4, 4, 0, 0};

void decode_blocks(benchmark::State& state, Metric metric) {
  const ClassCache cache;
  const auto table = TableFile::open(kTables / table_file_name(kFourFour, metric), cache);
  if (!table) return state.SkipWithError(table.error().message.c_str());
  std::vector<Code> codes(kBlockSlots);
  std::uint64_t slots = 0;
  std::uint64_t block = 0;
  for (auto _ : state) {
    const std::size_t count = table->block_slots(block);
    const auto read = table->read_codes(block, std::span(codes).first(count));
    if (!read) return state.SkipWithError(read.error().message.c_str());
    slots += count;
    block = (block + 1) % table->header().blocks;
  }
  state.counters["slots"] =
      benchmark::Counter(static_cast<double>(slots), benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(decode_blocks, dtw, Metric::dtw);
BENCHMARK_CAPTURE(decode_blocks, wdl, Metric::wdl);

enum class Question { outcome, distance, ranking };

/// All blocks fit the cache and have been read once.
void probe_cached(benchmark::State& state, Question question) {
  const std::filesystem::path folder = kTables;
  const auto tables = Tablebase::open(std::span(&folder, 1));
  if (!tables) return state.SkipWithError(tables.error().message.c_str());
  const auto positions = random_positions(kFourFour, 4096);
  const auto ask = [&](const Position& position) {
    switch (question) {
      case Question::outcome:
        benchmark::DoNotOptimize(tables->probe_outcome(position));
        break;
      case Question::distance:
        benchmark::DoNotOptimize(tables->probe(position));
        break;
      case Question::ranking:
        benchmark::DoNotOptimize(tables->rank(position));
        break;
    }
  };
  for (const Position& position : positions) ask(position);
  std::size_t i = 0;
  for (auto _ : state) ask(positions[i++ % positions.size()]);
}
BENCHMARK_CAPTURE(probe_cached, outcome, Question::outcome);
BENCHMARK_CAPTURE(probe_cached, distance, Question::distance);
BENCHMARK_CAPTURE(probe_cached, ranking, Question::ranking);

void open_folder(benchmark::State& state) {
  const std::filesystem::path folder = kTables;
  for (auto _ : state) benchmark::DoNotOptimize(Tablebase::open(std::span(&folder, 1)));
}
BENCHMARK(open_folder)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace mtb
