#include "gen/generate.h"

#include <omp.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <limits>
#include <new>
#include <optional>
#include <system_error>

#include "format/table.h"
#include "game/first_error.h"
#include "gen/folder_lock.h"
#include "gen/lower_sector.h"
#include "gen/system_memory.h"

namespace mtb {
namespace {

namespace fs = std::filesystem;

double cpu_seconds() {
  timespec time{};
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double wall_seconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

std::string mebibytes(std::uint64_t bytes) {
  return std::to_string((bytes + (1u << 20) - 1) >> 20) + " MiB";
}

Error out_of_memory(const PlanStep& step) {
  return {Fault::system, "pair " + to_string(step.pair) +
                             ": the system gave no more memory; about " +
                             mebibytes(step.memory_bytes) + " are needed: close other programs"};
}

/// Bytes that are free on the disk of a folder, nothing where the system does not say.
std::optional<std::uint64_t> free_space(const fs::path& folder) {
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  if (error) return std::nullopt;
  return space.available;
}

/// The part of the estimate of a pair's tables that they need at any rate.
constexpr double kLeastTablePart = 0.25;

/// A source of wdl codes from one of dtw codes.
CodeSource outcomes_of(CodeSource distances) {
  return [distances = std::move(distances)](Slot first, std::span<Code> codes) {
    distances(first, codes);
    for (Code& code : codes) code = wdl_code::of(dtw_code::outcome(code));
  };
}

/// Generates into one folder under one rule set.
class Generator {
 public:
  Generator(const GenerateOptions& options, GenerateObserver& observer)
      : options_(options),
        observer_(observer),
        fingerprint_(fingerprint(options.rules)),
        cache_(options.gather) {}

  Result<void> run() {
    Result<std::vector<PlanStep>> plan = make_plan(options_, cache_);
    if (!plan) return tl::unexpected(plan.error());
    observer_.planned(*plan);
    if (Result<void> made = make_folder(options_.folder); !made) return made;
    if (Result<void> one = check_folder(); !one) return one;
    announce_space(*plan);
    for (const PlanStep& step : *plan) {
      try {
        if (Result<void> done = make_pair(step); !done) return done;
      } catch (const std::bad_alloc&) {
        return tl::unexpected(out_of_memory(step));
      }
    }
    return {};
  }

 private:
  /// A folder holds tables of one rule set.
  Result<void> check_folder() const {
    std::error_code error;
    for (fs::directory_iterator entry(options_.folder, error), end; !error && entry != end;
         entry.increment(error)) {
      const fs::path& path = entry->path();
      if (path.extension() != ".dtw" && path.extension() != ".wdl") continue;
      const Result<TableFile> table = TableFile::open(path, cache_);
      if (!table && table.error().fault == Fault::foreign) return tl::unexpected(table.error());
      if (table && table->header().fingerprint != fingerprint_) {
        return fail(Fault::foreign, path.string() +
                                        ": is a table of other rules, and a folder holds those of "
                                        "one rule set; choose another folder");
      }
    }
    if (error) {
      return fail(Fault::system, options_.folder.string() + ": cannot be read (" + error.message() +
                                     "); check its permissions");
    }
    return {};
  }

  void announce_space(const std::vector<PlanStep>& plan) {
    std::uint64_t needed = 0;
    for (const PlanStep& step : plan) {
      std::error_code ignored;  // what cannot be seen is taken for missing
      const auto is_there = [&](Sector sector) {
        return fs::exists(path_of(sector, Metric::dtw), ignored);
      };
      if (!std::ranges::all_of(sectors_of(step.pair), is_there)) needed += step.table_bytes;
    }
    const auto available = free_space(options_.folder);
    if (available && needed > *available) observer_.short_of_space(needed, *available);
  }

  /// Refuses at once what the disk has no room for, rather than after minutes of work.
  Result<void> check_space(const PlanStep& step) const {
    const auto available = free_space(options_.folder);
    const std::uint64_t needed = step.temporary_bytes + least_table_bytes(step);
    if (!available || needed <= *available) return {};
    return fail(Fault::system, options_.folder.string() + ": pair " + to_string(step.pair) +
                                   " needs " + std::to_string(needed) + " bytes on the disk and " +
                                   std::to_string(*available) +
                                   " are free; free some space and run the same again, what is "
                                   "finished is kept");
  }

  static std::uint64_t least_table_bytes(const PlanStep& step) {
    return static_cast<std::uint64_t>(static_cast<double>(step.table_bytes) * kLeastTablePart);
  }

  fs::path path_of(Sector sector, Metric metric) const {
    return options_.folder / table_file_name(sector, metric);
  }

  /// Takes the folder for this process.
  Result<void> take_folder() {
    Result<FolderLock> lock = FolderLock::take(options_.folder);
    if (!lock) return tl::unexpected(lock.error());
    lock_.emplace(std::move(*lock));
    return {};
  }

  /// What is there of a pair.
  struct Found {
    bool distances_sound = true;
    bool outcomes_sound = true;         ///< also when they are not wanted
    std::vector<SectorReport> sectors;  ///< whole when all_sound()
    std::vector<Error> damages;

    bool all_sound() const { return distances_sound && outcomes_sound; }
  };

  Result<Found> examine(const PlanStep& step) const {
    Found found;
    for (Sector sector : sectors_of(step.pair)) {
      SectorReport& report = found.sectors.emplace_back();
      const auto dtw = sound_table(sector, Metric::dtw, found.damages);
      if (!dtw) return tl::unexpected(dtw.error());
      found.distances_sound = found.distances_sound && *dtw;
      if (*dtw) {
        report.table = **dtw;
        report.dtw_bytes = (*dtw)->file_bytes;
      }
      if (!options_.wdl) continue;
      const auto wdl = sound_table(sector, Metric::wdl, found.damages);
      if (!wdl) return tl::unexpected(wdl.error());
      found.outcomes_sound = found.outcomes_sound && *wdl;
      if (*wdl) report.wdl_bytes = (*wdl)->file_bytes;
    }
    return found;
  }

  /// The header of a table that is there and sound. Damage is added to the list; other errors are
  /// the caller's.
  Result<std::optional<TableHeader>> sound_table(Sector sector, Metric metric,
                                                 std::vector<Error>& damages) const {
    const Result<TableFile> table = TableFile::open(path_of(sector, metric), cache_);
    Result<void> sound;
    if (!table) {
      if (table.error().fault == Fault::not_found) return std::nullopt;
      sound = tl::unexpected(table.error());
    } else if (table->header().sector != sector || table->header().metric != metric) {
      sound = fail(Fault::damaged, table->path().string() +
                                       ": holds another sector than its name "
                                       "says; it will be made again");
    } else {
      sound = check_blocks(*table);
    }
    if (sound) return table->header();
    if (sound.error().fault != Fault::damaged) return tl::unexpected(sound.error());
    damages.push_back(sound.error());
    return std::nullopt;
  }

  /// Every byte against its checksum. This is all that a disk can spoil, and quick: what the bytes
  /// stand for was counted when they were written, and is checked by TableFile::verify() at
  /// leisure.
  static Result<void> check_blocks(const TableFile& table) {
    const auto blocks = static_cast<std::int64_t>(table.header().blocks);
    FirstError error;
#pragma omp parallel for schedule(dynamic, 8)
    for (std::int64_t block = 0; block < blocks; ++block) {
      if (error.any()) continue;
      const Result<void> sound = table.check_block(static_cast<std::uint64_t>(block));
      if (!sound) error.tell(sound.error());
    }
    if (error.any()) return tl::unexpected(*error.get());
    return {};
  }

  static std::vector<Sector> sectors_of(Pair pair) {
    if (pair.equal()) return {pair.key_to_move()};
    return {pair.key_to_move(), pair.other_to_move()};
  }

  Result<void> make_pair(const PlanStep& step) {
    Result<Found> found = examine(step);
    if (found && !found->all_sound() && !lock_) {
      if (Result<void> taken = take_folder(); !taken) return taken;
      // Another process may have been at work until now.
      found = examine(step);
    }
    if (!found) return tl::unexpected(found.error());
    for (const Error& damage : found->damages) observer_.damaged(damage);
    if (found->all_sound()) {
      PairReport report;
      report.step = step;
      report.sectors = std::move(found->sectors);
      observer_.kept(report);
      return {};
    }
    if (Result<void> room = check_space(step); !room) return room;
    observer_.started(step);
    return found->distances_sound ? derive_outcomes(step, std::move(found->sectors)) : solve(step);
  }

  Result<TableHeader> write(const PlanStep& step, Sector sector, Metric metric, Code largest,
                            const CodeSource& source) {
    TableSpec spec;
    spec.rules = options_.rules;
    spec.sector = sector;
    spec.metric = metric;
    spec.key = default_key(sector);
    spec.clock = options_.rules.clock.plies == 0 ? ClockUse::none : ClockUse::ignored;
    spec.largest_code = largest;
    spec.compression = options_.compression;
    spec.generator = options_.generator;
    Result<TableHeader> written = write_table(spec, source, path_of(sector, metric), cache_);
    const auto available = free_space(options_.folder);
    if (written || written.error().fault != Fault::system || !available ||
        *available >= step.table_bytes) {
      return written;
    }
    return fail(Fault::system, written.error().message + " (the tables of pair " +
                                   to_string(step.pair) + " take about " +
                                   std::to_string(step.table_bytes) + " bytes, and " +
                                   std::to_string(*available) +
                                   " are free; run the same again when there is room)");
  }

  static constexpr Code kLargestPlainOutcome = wdl_code::of(Outcome::loss);

  /// Both sectors' outcomes from their sound distances.
  Result<void> derive_outcomes(const PlanStep& step, std::vector<SectorReport> sectors) {
    PairReport report = new_report(step);
    report.sectors = std::move(sectors);
    const std::vector<Sector> names = sectors_of(step.pair);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const Result<TableFile> table = TableFile::open(path_of(names[i], Metric::dtw), cache_);
      if (!table) return tl::unexpected(table.error());
      FirstError error;
      const auto outcomes = outcomes_of([&](Slot first, std::span<Code> codes) {
        const Result<void> read = table->read_slots(first, codes);
        if (!read) error.tell(read.error());
      });
      const auto source = [&](Slot first, std::span<Code> codes) {
        outcomes(first, codes);
        // No outcome has this code: the table is not written.
        if (error.any()) std::ranges::fill(codes, std::numeric_limits<Code>::max());
      };
      const Result<TableHeader> written =
          write(step, names[i], Metric::wdl, kLargestPlainOutcome, source);
      if (error.any()) return tl::unexpected(*error.get());
      if (!written) return tl::unexpected(written.error());
      report.bytes_written += written->file_bytes;
      report.sectors[i].wdl_bytes = written->file_bytes;
    }
    finish(report);
    return {};
  }

  Result<void> solve(const PlanStep& step) {
    PairReport report = new_report(step);
    Result<std::unique_ptr<SolvedPair>> solved = solve_states(report);
    if (!solved) return tl::unexpected(solved.error());
    observer_.writing(step);
    for (Sector sector : sectors_of(step.pair)) {
      const bool key_to_move = sector == step.pair.key_to_move();
      const CodeSource source = [&](Slot first, std::span<Code> codes) {
        (*solved)->fill_codes(key_to_move, first, codes);
      };
      SectorReport& done = report.sectors.emplace_back();
      const Result<TableHeader> distances =
          write(step, sector, Metric::dtw, (*solved)->largest_code(key_to_move), source);
      if (!distances) return tl::unexpected(distances.error());
      done.table = *distances;
      done.dtw_bytes = distances->file_bytes;
      report.bytes_written += done.dtw_bytes;
      if (!options_.wdl) continue;
      const Result<TableHeader> outcomes =
          write(step, sector, Metric::wdl, kLargestPlainOutcome, outcomes_of(source));
      if (!outcomes) return tl::unexpected(outcomes.error());
      done.wdl_bytes = outcomes->file_bytes;
      report.bytes_written += done.wdl_bytes;
    }
    finish(report);
    return {};
  }

  /// The lower sectors are held only as long as the solving takes.
  Result<std::unique_ptr<SolvedPair>> solve_states(PairReport& report) {
    const PlanStep& step = report.step;
    std::array<std::optional<LowerSector>, 4> lower;
    const std::array<Sector, 4> needed = lower_sectors(step.pair, options_.rules);
    for (std::size_t i = 0; i < needed.size(); ++i) {
      if (needed[i] == Sector{}) continue;
      Result<TableFile> table = TableFile::open(path_of(needed[i], Metric::dtw), cache_);
      if (!table) return tl::unexpected(table.error());
      if (step.mode != MemoryMode::memory) {
        lower[i].emplace(LowerSector::in_file(std::move(*table), step.cache_bytes[i]));
        continue;
      }
      Result<LowerSector> sector = LowerSector::load(*table);
      if (!sector) return tl::unexpected(sector.error());
      lower[i].emplace(std::move(*sector));
    }
    const auto pointer = [&](std::size_t i) { return lower[i] ? &*lower[i] : nullptr; };
    const double start = cpu_seconds();
    auto solved = solve_pair(
        options_.rules, step.pair, {pointer(0), pointer(1), pointer(2), pointer(3)}, cache_,
        [&](const SolveProgress& progress) { observer_.progressed(step, progress); },
        step.mode == MemoryMode::disk ? options_.folder : fs::path());
    report.solve_cpu_seconds = cpu_seconds() - start;
    return solved;
  }

  /// Starts the clocks of a pair; finish() turns them into seconds spent.
  static PairReport new_report(const PlanStep& step) {
    PairReport report;
    report.step = step;
    report.cpu_seconds = -cpu_seconds();
    report.wall_seconds = -wall_seconds();
    reset_peak_memory();
    return report;
  }

  void finish(PairReport& report) {
    report.cpu_seconds += cpu_seconds();
    report.wall_seconds += wall_seconds();
    report.peak_memory = peak_memory();
    observer_.finished(report);
  }

  const GenerateOptions& options_;
  GenerateObserver& observer_;
  std::uint64_t fingerprint_;
  ClassCache cache_;
  std::optional<FolderLock> lock_;  ///< taken with the first pair that has to be made
};

}  // namespace

int threads_of(const GenerateOptions& options) {
  return options.threads > 0 ? options.threads : omp_get_max_threads();
}

Result<std::vector<PlanStep>> make_plan(const GenerateOptions& options, const ClassCache& cache) {
  if (Result<void> solvable = check_solvable(options.rules); !solvable) {
    return tl::unexpected(solvable.error());
  }
  const PlanLimits limits{options.memory_limit, threads_of(options), options.wdl};
  std::vector<PlanStep> plan;
  for (Pair pair : options.pairs) plan.push_back(plan_step(pair, options.rules, cache, limits));
  // The figure is that of the whole plan: who allows it is not refused a second time.
  const auto largest = std::max_element(
      plan.begin(), plan.end(),
      [](const PlanStep& a, const PlanStep& b) { return a.memory_bytes < b.memory_bytes; });
  if (options.memory_limit && largest != plan.end() &&
      largest->memory_bytes > *options.memory_limit) {
    return fail(Fault::system, "pair " + to_string(largest->pair) + " needs " +
                                   mebibytes(largest->memory_bytes) +
                                   " of memory with all on the disk that can be there, more than "
                                   "the " +
                                   mebibytes(*options.memory_limit) +
                                   " allowed; allow more or ask for smaller pairs");
  }
  return plan;
}

Result<void> generate(const GenerateOptions& options, GenerateObserver& observer) {
  if (options.threads > 0) omp_set_num_threads(options.threads);
  return Generator(options, observer).run();
}

}  // namespace mtb
