#include "gen/generate.h"

#include <omp.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <new>
#include <optional>
#include <system_error>

#include "format/table.h"
#include "gen/folder_lock.h"
#include "gen/lower_sector.h"

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

std::uint64_t peak_memory() {
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;  // Linux counts in KiB
}

std::string mebibytes(std::uint64_t bytes) {
  return std::to_string((bytes + (1u << 20) - 1) >> 20) + " MiB";
}

Error out_of_memory(const PlanStep& step) {
  return {Fault::system, "pair " + to_string(step.pair) +
                             ": the system gave no more memory; about " +
                             mebibytes(step.memory_bytes) + " are needed: close other programs"};
}

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
    if (Result<void> made = make_folder(); !made) return made;
    if (Result<void> one = check_folder(); !one) return one;
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
  Result<void> make_folder() const {
    std::error_code error;
    fs::create_directories(options_.folder, error);
    if (error) {
      return fail(Fault::system, options_.folder.string() + ": cannot be made (" + error.message() +
                                     "); choose a folder that can be written");
    }
    return {};
  }

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

  fs::path path_of(Sector sector, Metric metric) const {
    return options_.folder / table_file_name(sector, metric);
  }

  /// Takes the folder for this process, and removes what a dead one left unfinished.
  Result<void> take_folder() {
    Result<FolderLock> lock = FolderLock::take(options_.folder);
    if (!lock) return tl::unexpected(lock.error());
    lock_.emplace(std::move(*lock));
    std::error_code error;
    for (fs::directory_iterator entry(options_.folder, error), end; !error && entry != end;
         entry.increment(error)) {
      const std::string name = entry->path().filename().string();
      if (!name.starts_with('.') || entry->path().extension() != ".tmp") continue;
      std::error_code ignored;  // a left-over that cannot be removed harms nobody
      fs::remove(entry->path(), ignored);
    }
    return {};
  }

  /// What is there of a pair.
  struct Found {
    bool distances_sound = true;
    bool outcomes_sound = true;  ///< also when they are not wanted
    std::vector<Error> damages;

    bool all_sound() const { return distances_sound && outcomes_sound; }
  };

  Result<Found> examine(const PlanStep& step) const {
    Found found;
    for (Sector sector : sectors_of(step.pair)) {
      const Result<bool> dtw = is_sound(sector, Metric::dtw, found.damages);
      if (!dtw) return tl::unexpected(dtw.error());
      found.distances_sound = found.distances_sound && *dtw;
      if (!options_.wdl) continue;
      const Result<bool> wdl = is_sound(sector, Metric::wdl, found.damages);
      if (!wdl) return tl::unexpected(wdl.error());
      found.outcomes_sound = found.outcomes_sound && *wdl;
    }
    return found;
  }

  /// Whether a table is there and sound. Damage is added to the list; other errors are the
  /// caller's.
  Result<bool> is_sound(Sector sector, Metric metric, std::vector<Error>& damages) const {
    const Result<TableFile> table = TableFile::open(path_of(sector, metric), cache_);
    Result<void> sound;
    if (!table) {
      if (table.error().fault == Fault::not_found) return false;
      sound = tl::unexpected(table.error());
    } else if (table->header().sector != sector || table->header().metric != metric) {
      sound = fail(Fault::damaged, table->path().string() +
                                       ": holds another sector than its name "
                                       "says; it will be made again");
    } else {
      sound = table->verify();
    }
    if (sound) return true;
    if (sound.error().fault != Fault::damaged) return tl::unexpected(sound.error());
    damages.push_back(sound.error());
    return false;
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
      observer_.kept(step);
      return {};
    }
    observer_.started(step);
    return found->distances_sound ? derive_outcomes(step) : solve(step);
  }

  Result<TableHeader> write(Sector sector, Metric metric, Code largest, const CodeSource& source) {
    TableSpec spec;
    spec.rules = options_.rules;
    spec.sector = sector;
    spec.metric = metric;
    spec.key = default_key(sector);
    spec.clock = options_.rules.clock.plies == 0 ? ClockUse::none : ClockUse::ignored;
    spec.largest_code = largest;
    spec.compression = options_.compression;
    spec.generator = options_.generator;
    return write_table(spec, source, path_of(sector, metric), cache_);
  }

  static constexpr Code kLargestPlainOutcome = wdl_code::of(Outcome::loss);

  /// Both sectors' outcomes from their sound distances.
  Result<void> derive_outcomes(const PlanStep& step) {
    PairReport report = new_report(step);
    for (Sector sector : sectors_of(step.pair)) {
      const Result<TableFile> table = TableFile::open(path_of(sector, Metric::dtw), cache_);
      if (!table) return tl::unexpected(table.error());
      const Result<LowerSector> distances = LowerSector::load(*table);
      if (!distances) return tl::unexpected(distances.error());
      const auto source = [&](Slot first, std::span<Code> codes) {
        for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = distances->code(first + i);
      };
      const Result<TableHeader> written =
          write(sector, Metric::wdl, kLargestPlainOutcome, outcomes_of(source));
      if (!written) return tl::unexpected(written.error());
      report.bytes_written += written->file_bytes;
      header_in(report, sector) = table->header();
    }
    finish(report);
    return {};
  }

  Result<void> solve(const PlanStep& step) {
    PairReport report = new_report(step);
    Result<std::unique_ptr<SolvedPair>> solved = solve_in_memory(step, report);
    if (!solved) return tl::unexpected(solved.error());
    observer_.writing(step);
    for (Sector sector : sectors_of(step.pair)) {
      const bool key_to_move = sector == step.pair.key_to_move();
      const CodeSource source = [&](Slot first, std::span<Code> codes) {
        (*solved)->fill_codes(key_to_move, first, codes);
      };
      const Result<TableHeader> distances =
          write(sector, Metric::dtw, (*solved)->largest_code(key_to_move), source);
      if (!distances) return tl::unexpected(distances.error());
      report.bytes_written += distances->file_bytes;
      header_in(report, sector) = *distances;
      if (!options_.wdl) continue;
      const Result<TableHeader> outcomes =
          write(sector, Metric::wdl, kLargestPlainOutcome, outcomes_of(source));
      if (!outcomes) return tl::unexpected(outcomes.error());
      report.bytes_written += outcomes->file_bytes;
    }
    finish(report);
    return {};
  }

  /// The lower sectors live only as long as the solving.
  Result<std::unique_ptr<SolvedPair>> solve_in_memory(const PlanStep& step, PairReport& report) {
    std::array<std::optional<LowerSector>, 4> loaded;
    const std::array<Sector, 4> needed = lower_sectors(step.pair, options_.rules);
    for (std::size_t i = 0; i < needed.size(); ++i) {
      if (needed[i] == Sector{}) continue;
      const Result<TableFile> table = TableFile::open(path_of(needed[i], Metric::dtw), cache_);
      if (!table) return tl::unexpected(table.error());
      Result<LowerSector> sector = LowerSector::load(*table);
      if (!sector) return tl::unexpected(sector.error());
      loaded[i].emplace(std::move(*sector));
    }
    const auto pointer = [&](std::size_t i) { return loaded[i] ? &*loaded[i] : nullptr; };
    const double start = cpu_seconds();
    auto solved = solve_pair(
        options_.rules, step.pair, {pointer(0), pointer(1), pointer(2), pointer(3)}, cache_,
        [&](const SolveProgress& progress) { observer_.progressed(step, progress); });
    report.solve_cpu_seconds = cpu_seconds() - start;
    return solved;
  }

  static TableHeader& header_in(PairReport& report, Sector sector) {
    const bool key_to_move = sector == report.pair.key_to_move();
    return key_to_move ? report.key_to_move : report.other_to_move;
  }

  /// Starts the clocks of a pair; finish() turns them into seconds spent.
  static PairReport new_report(const PlanStep& step) {
    PairReport report;
    report.pair = step.pair;
    report.slots = step.slots;
    report.planned_memory = step.memory_bytes;
    report.cpu_seconds = -cpu_seconds();
    report.wall_seconds = -wall_seconds();
    return report;
  }

  void finish(PairReport& report) {
    if (report.pair.equal()) report.other_to_move = report.key_to_move;
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

Result<std::vector<PlanStep>> make_plan(const GenerateOptions& options, const ClassCache& cache) {
  if (Result<void> solvable = check_solvable(options.rules); !solvable) {
    return tl::unexpected(solvable.error());
  }
  std::vector<PlanStep> plan;
  for (Pair pair : options.pairs) plan.push_back(plan_step(pair, options.rules, cache));
  // The figure is that of the whole plan: who allows it is not refused a second time.
  const auto largest = std::max_element(
      plan.begin(), plan.end(),
      [](const PlanStep& a, const PlanStep& b) { return a.memory_bytes < b.memory_bytes; });
  if (options.memory_limit && largest != plan.end() &&
      largest->memory_bytes > *options.memory_limit) {
    return fail(Fault::system, "pair " + to_string(largest->pair) + " needs " +
                                   mebibytes(largest->memory_bytes) + " of memory, more than the " +
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
