// Running a plan: solving pair after pair into a folder of tables.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "format/table_writer.h"
#include "game/result.h"
#include "gen/pair_solver.h"
#include "gen/plan.h"

namespace mtb {

struct GenerateOptions {
  RuleSet rules;
  std::vector<Pair> pairs;                    ///< in an order that plan.h makes
  std::filesystem::path folder;               ///< made when it is not there
  std::optional<Metrics> metrics;             ///< with their needs; else default_metrics()
  int threads = 0;                            ///< 0: as many as OpenMP likes
  std::optional<std::uint64_t> memory_limit;  ///< bytes
  Compression compression = Compression::fast;
  std::string generator;  ///< name and version for the headers
  /// How bits are gathered; the tables do not depend on it.
  GatherMethod gather = preferred_gather();
};

/// The metrics that are made with these options.
Metrics metrics_of(const GenerateOptions& options);

/// What is in the folder of one sector.
struct SectorReport {
  /// By metric, those that are wanted.
  std::array<std::optional<TableHeader>, kMetrics> tables;

  const std::optional<TableHeader>& table(Metric metric) const {
    return tables[static_cast<std::size_t>(metric)];
  }
  std::optional<TableHeader>& table(Metric metric) {
    return tables[static_cast<std::size_t>(metric)];
  }
};

/// What was done for one pair.
struct PairReport {
  PlanStep step;
  double wall_seconds = 0;
  double solve_cpu_seconds = 0;  ///< of all threads: solving alone
  double cpu_seconds = 0;        ///< of all threads: everything, reading and writing included
  std::uint64_t bytes_written = 0;
  std::uint64_t peak_memory = 0;      ///< of the process while it was at work on this pair
  std::vector<SectorReport> sectors;  ///< with the key's player to move; the other, if not the same
};

/// Is told what generate() does. Calls come one at a time.
class GenerateObserver {
 public:
  virtual ~GenerateObserver() = default;
  /// The whole plan, before any work.
  virtual void planned(const std::vector<PlanStep>&) {}
  /// All tables that are not there yet are estimated to need more bytes than are free on the disk.
  virtual void short_of_space(std::uint64_t /*needed*/, std::uint64_t /*available*/) {}
  /// A pair whose tables are there and sound; nothing was spent on it.
  virtual void kept(const PairReport&) {}
  /// A table that is there and not sound; its pair will be solved again.
  virtual void damaged(const Error&) {}
  virtual void started(const PlanStep&) {}
  virtual void progressed(const PlanStep&, const SolveProgress&) {}
  virtual void writing(const PlanStep&, Metric) {}
  virtual void finished(const PairReport&) {}
};

/// Threads that work with these options.
int threads_of(const GenerateOptions& options);

/// The steps for options.pairs. Errors: system when one needs more than options.memory_limit in
/// every mode, with the figure that is needed for all of them, and when the folder cannot be read;
/// foreign when it has a table of other rules or of another format version.
Result<std::vector<PlanStep>> make_plan(const GenerateOptions& options, const ClassCache& cache);

/// Makes all tables of the plan that are not there yet. A pair whose tables are there and have the
/// right header and checksums in every byte is kept; a missing or damaged `wdl` table is made from
/// a sound one of distances: `dtc` with a clock, `dtw` without. Errors: as make_plan(); system
/// (disk, memory, another process at work in the folder). What is finished stays.
Result<void> generate(const GenerateOptions& options, GenerateObserver& observer);

}  // namespace mtb
