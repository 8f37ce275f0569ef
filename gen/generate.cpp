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
#include "gen/ban_search.h"
#include "gen/ban_table.h"
#include "gen/finished_sectors.h"
#include "gen/folder_lock.h"
#include "gen/lower_sector.h"
#include "gen/staying_bans.h"
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

/// Decoded blocks of each sector that is searched for positions with bans.
constexpr std::uint64_t kFinishedCacheBytes = 8 * std::uint64_t{kBlockSlots};

/// The part of the estimate of a pair's tables that they need at any rate.
constexpr double kLeastTablePart = 0.1;

/// A source of wdl codes from one of distances, of which `largest` is the largest code.
CodeSource outcomes_of(CodeMeaning meaning, Code largest, CodeSource distances) {
  std::vector<Code> outcomes(largest + std::size_t{1});
  for (std::uint32_t code = 0; code <= largest; ++code) {
    outcomes[code] = wdl_code::of(*meaning.outcome(static_cast<Code>(code)));
  }
  return [largest, outcomes = std::move(outcomes), distances = std::move(distances)](
             Slot first, std::span<Code> codes) {
    distances(first, codes);
    // What a source gives that failed may be anything; whoever made the source knows.
    for (Code& code : codes) code = outcomes[std::min(code, largest)];
  };
}

/// The largest code of outcomes, given the largest of the distances that they are made from.
Code largest_outcome(CodeMeaning meaning, Code largest_distance) {
  return wdl_code::of(meaning.is_late(largest_distance) ? Outcome::clock_loss : Outcome::loss);
}

/// Whether all tables of a pair have a file; what cannot be seen is taken for missing.
bool has_files(const fs::path& folder, Pair pair, const Metrics& metrics) {
  return std::ranges::all_of(pair.sectors(), [&](Sector sector) {
    return std::ranges::all_of(kAllMetrics, [&](Metric metric) {
      std::error_code ignored;
      return !metrics.has(metric) || fs::exists(folder / table_file_name(sector, metric), ignored);
    });
  });
}

/// Generates into one folder under one rule set.
class Generator {
 public:
  Generator(const GenerateOptions& options, GenerateObserver& observer)
      : options_(options),
        observer_(observer),
        metrics_(metrics_of(options)),
        cache_(options.gather) {}

  Result<void> run() {
    Result<std::vector<PlanStep>> plan = make_plan(options_, cache_);
    if (!plan) return tl::unexpected(plan.error());
    observer_.planned(*plan);
    if (Result<void> made = make_folder(options_.folder); !made) return made;
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
  /// What is there of a pair.
  struct Found {
    std::vector<SectorReport> sectors;
    std::vector<Error> damages;

    /// Whether both sectors have a table.
    bool has(Metric metric) const {
      return std::ranges::all_of(
          sectors, [&](const SectorReport& sector) { return sector.table(metric).has_value(); });
    }
    /// What its tables take on the disk.
    std::uint64_t bytes() const {
      std::uint64_t sum = 0;
      for (const SectorReport& sector : sectors) {
        for (const auto& table : sector.tables) sum += table ? table->file_bytes : 0;
      }
      return sum;
    }
  };

  void announce_space(const std::vector<PlanStep>& plan) {
    std::uint64_t needed = 0;
    for (const PlanStep& step : plan) needed += step.has_files ? 0 : step.table_bytes;
    const auto available = free_space(options_.folder);
    if (available && needed > *available) observer_.short_of_space(needed, *available);
  }

  /// Refuses at once what the disk has no room for, rather than after minutes of work.
  Result<void> check_space(const PlanStep& step, const Found& found) const {
    const auto available = free_space(options_.folder);
    const std::uint64_t tables = least_table_bytes(step);
    const std::uint64_t needed = step.temporary_bytes + tables - std::min(tables, found.bytes());
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

  bool all_there(const Found& found) const {
    return std::ranges::all_of(
        kAllMetrics, [&](Metric metric) { return !metrics_.has(metric) || found.has(metric); });
  }

  Result<Found> examine(const PlanStep& step) const {
    Found found;
    for (Sector sector : step.pair.sectors()) {
      SectorReport& report = found.sectors.emplace_back();
      for (const Metric metric : kAllMetrics) {
        if (!metrics_.has(metric)) continue;
        auto table = sound_table(sector, metric, found.damages);
        if (!table) return tl::unexpected(table.error());
        report.table(metric) = std::move(*table);
      }
    }
    return found;
  }

  /// Outcomes and dtc look at the clock of the rules, if they have one, dtw does not.
  ClockUse clock_use(Metric metric) const {
    if (options_.rules.clock.plies == 0) return ClockUse::none;
    return metric == Metric::dtw ? ClockUse::ignored : ClockUse::applied;
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
    } else if (table->header().clock != clock_use(metric)) {
      sound = fail(Fault::damaged,
                   table->path().string() + ": leaves the draw clock out; it will be made again");
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

  Result<void> make_pair(const PlanStep& step) {
    Result<Found> found = examine(step);
    if (found && !all_there(*found) && !lock_) {
      if (Result<void> taken = take_folder(); !taken) return taken;
      // Another process may have been at work until now.
      found = examine(step);
    }
    if (!found) return tl::unexpected(found.error());
    for (const Error& damage : found->damages) observer_.damaged(damage);
    // While the lower sectors are read, no more is held than the states will take.
    pages_.shrink(step.mode == MemoryMode::disk ? 0 : step.state_bytes);
    PairReport report = new_report(step);
    report.sectors = found->sectors;
    if (all_there(*found)) {
      observer_.kept(report);
      return {};
    }
    if (Result<void> room = check_space(step, *found); !room) return room;
    observer_.started(step);
    const bool outcomes_from_dtc = metrics_.solves_dtc(options_.rules);
    if (metrics_.dtw) {
      Result<void> made =
          make_tables(report, *found, Metric::dtw, metrics_.wdl && !outcomes_from_dtc);
      if (!made) return made;
    }
    if (outcomes_from_dtc) {
      if (Result<void> made = make_tables(report, *found, Metric::dtc, metrics_.wdl); !made) {
        return made;
      }
    }
    finish(report);
    return {};
  }

  /// Makes of a pair's tables of distances, and of outcomes if they are to be made from these, what
  /// was not found.
  Result<void> make_tables(PairReport& report, const Found& found, Metric metric, bool outcomes) {
    const bool has_distances = !metrics_.has(metric) || found.has(metric);
    const bool has_outcomes = !outcomes || found.has(Metric::wdl);
    if (has_distances && has_outcomes) return {};
    if (found.has(metric)) return derive_outcomes(report, metric);
    return solve(report, metric, outcomes);
  }

  /// Writes one table and enters it into the report.
  Result<void> write(PairReport& report, std::size_t sector, CodeMeaning meaning, Code largest,
                     const CodeSource& source) {
    const PlanStep& step = report.step;
    TableSpec spec;
    spec.rules = options_.rules;
    spec.sector = step.pair.sectors()[sector];
    spec.metric = meaning.metric;
    spec.key = default_key(spec.sector);
    spec.clock = clock_use(spec.metric);
    spec.clock_bound = meaning.clock_bound;
    spec.largest_code = largest;
    spec.compression = options_.compression;
    spec.generator = options_.generator;
    const Result<TableHeader> written =
        write_table(spec, source, path_of(spec.sector, spec.metric), cache_);
    if (written) {
      report.bytes_written += written->file_bytes;
      report.sectors[sector].table(spec.metric) = *written;
      return {};
    }
    const auto available = free_space(options_.folder);
    if (written.error().fault != Fault::system || !available || *available >= step.table_bytes) {
      return tl::unexpected(written.error());
    }
    return fail(Fault::system, written.error().message + " (the tables of pair " +
                                   to_string(step.pair) + " take about " +
                                   std::to_string(step.table_bytes) + " bytes, and " +
                                   std::to_string(*available) +
                                   " are free; run the same again when there is room)");
  }

  /// Both sectors' outcomes from their sound distances.
  Result<void> derive_outcomes(PairReport& report, Metric metric) {
    const std::vector<Sector> names = report.step.pair.sectors();
    for (std::size_t i = 0; i < names.size(); ++i) {
      const Result<TableFile> table = TableFile::open(path_of(names[i], metric), cache_);
      if (!table) return tl::unexpected(table.error());
      const CodeMeaning meaning = table->header().meaning();
      FirstError error;
      const Code largest = table->header().largest_code();
      const auto outcomes = outcomes_of(meaning, largest, [&](Slot first, std::span<Code> codes) {
        const Result<void> read = table->read_slots(first, codes);
        if (!read) error.tell(read.error());
      });
      const auto source = [&](Slot first, std::span<Code> codes) {
        outcomes(first, codes);
        // No outcome has this code: the table is not written.
        if (error.any()) std::ranges::fill(codes, std::numeric_limits<Code>::max());
      };
      const Result<void> written =
          write(report, i, {Metric::wdl, 0}, largest_outcome(meaning, largest), source);
      if (error.any()) return tl::unexpected(*error.get());
      if (!written) return written;
    }
    return {};
  }

  Result<void> solve(PairReport& report, Metric metric, bool outcomes) {
    const PlanStep& step = report.step;
    Result<std::unique_ptr<SolvedPair>> solved;
    if (metric == Metric::dtw) {
      solved = solve_states(report, {Metric::dtw, 0});
    } else {
      for (const std::uint32_t bound : clock_bounds(options_.rules, step.pair)) {
        solved = solve_states(report, {Metric::dtc, bound});
        if (!solved || *solved != nullptr) break;
      }
    }
    if (!solved) return tl::unexpected(solved.error());
    if (*solved == nullptr) {
      return fail(Fault::not_supported, "pair " + to_string(step.pair) +
                                            " has longer distances without the clock than the "
                                            "table format can part from those with it");
    }
    observer_.writing(step, metric);
    const CodeMeaning meaning = (*solved)->meaning();
    for (std::size_t i = 0; i < report.sectors.size(); ++i) {
      const bool key_to_move = i == 0;
      const CodeSource source = [&](Slot first, std::span<Code> codes) {
        (*solved)->fill_codes(key_to_move, first, codes);
      };
      const Code largest = (*solved)->largest_code(key_to_move);
      if (metrics_.has(metric)) {
        if (Result<void> done = write(report, i, meaning, largest, source); !done) return done;
      }
      if (!outcomes) continue;
      Result<void> done = write(report, i, {Metric::wdl, 0}, largest_outcome(meaning, largest),
                                outcomes_of(meaning, largest, source));
      if (!done) return done;
    }
    return {};
  }

  /// All that games from a pair may come to.
  Result<FinishedSectors> finished_sectors(const PlanStep& step, Metric metric) const {
    FinishedSectors finished;
    for (const Sector sector : sectors_below(step.pair, options_.rules)) {
      Result<TableFile> table = TableFile::open(path_of(sector, metric), cache_);
      if (!table) return tl::unexpected(table.error());
      const CodeMeaning meaning = table->header().meaning();
      if (step.mode != MemoryMode::memory) {
        finished.add(sector, LowerSector::in_file(std::move(*table), {}, kFinishedCacheBytes),
                     meaning);
        continue;
      }
      Result<LowerSector> values = LowerSector::load(*table);
      if (!values) return tl::unexpected(values.error());
      finished.add(sector, std::move(*values), meaning);
    }
    return finished;
  }

  /// The lower sectors are held only as long as the solving takes.
  Result<std::unique_ptr<SolvedPair>> solve_states(PairReport& report, CodeMeaning wanted) {
    const PlanStep& step = report.step;
    const bool distances = wanted.metric == Metric::dtw;
    const auto outcomes = outcome_map(wanted.clock_bound);
    const CodeMap map = distances ? CodeMap() : CodeMap(outcomes);
    std::optional<FinishedSectors> finished;
    if (options_.rules.reform != Reform::none) {
      auto opened = finished_sectors(step, wanted.metric);
      if (!opened) return tl::unexpected(opened.error());
      finished.emplace(std::move(*opened));
    }
    std::array<std::optional<LowerSector>, 4> lower;
    std::array<std::optional<BanTable>, 4> bans;
    const std::array<Sector, 4> needed = lower_sectors(step.pair, options_.rules);
    for (std::size_t i = 0; i < needed.size(); ++i) {
      if (needed[i] == Sector{}) continue;
      if (finished) {
        const double start = cpu_seconds();
        const BanSearch search(options_.rules, wanted.metric, *finished);
        const CodeMeaning meaning = finished->meaning(needed[i].mover, needed[i].opponent);
        bans[i].emplace(finished->values(needed[i]).index(), search, [&](Code code) {
          return distances ? code : outcomes[wdl_code::of(*meaning.outcome(code))];
        });
        report.solve_cpu_seconds += cpu_seconds() - start;
        if (auto error = finished->failure()) return tl::unexpected(std::move(*error));
      }
      Result<TableFile> table =
          TableFile::open(path_of(needed[i], distances ? Metric::dtw : Metric::wdl), cache_);
      if (!table) return tl::unexpected(table.error());
      if (step.mode != MemoryMode::memory) {
        lower[i].emplace(LowerSector::in_file(std::move(*table), map, step.cache_bytes[i]));
        continue;
      }
      Result<LowerSector> sector = LowerSector::load(*table, map);
      if (!sector) return tl::unexpected(sector.error());
      lower[i].emplace(std::move(*sector));
    }
    const auto pointer = [&](std::size_t i) { return lower[i] ? &*lower[i] : nullptr; };
    const double start = cpu_seconds();
    LowerSectors sectors{pointer(0), pointer(1), pointer(2), pointer(3)};
    for (std::size_t i = 0; i < bans.size(); ++i) sectors.bans[i] = bans[i] ? &*bans[i] : nullptr;
    const auto solve = [&](const LowerSectors& from) {
      return solve_pair(
          options_.rules, step.pair, wanted, from, cache_,
          [&](const SolveProgress& progress) { observer_.progressed(step, progress); },
          {step.mode == MemoryMode::disk ? options_.folder : fs::path(), &pages_});
    };
    auto solved = bans_stay(step.pair, options_.rules)
                      ? solve_with_staying_bans(options_.rules, step.pair, wanted.metric, sectors,
                                                *finished, cache_, solve)
                      : solve(sectors);
    report.solve_cpu_seconds += cpu_seconds() - start;
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
  Metrics metrics_;
  ClassCache cache_;
  PageReserve pages_;               ///< of the states of the pair before
  std::optional<FolderLock> lock_;  ///< taken with the first pair that has to be made
};

}  // namespace

int threads_of(const GenerateOptions& options) {
  return options.threads > 0 ? options.threads : omp_get_max_threads();
}

Metrics metrics_of(const GenerateOptions& options) {
  return with_needs(options.metrics.value_or(default_metrics(options.rules)), options.rules);
}

Result<std::vector<PlanStep>> make_plan(const GenerateOptions& options, const ClassCache& cache) {
  const PlanLimits limits{options.memory_limit, threads_of(options), metrics_of(options)};
  std::error_code ignored;  // a folder that cannot be seen is made, or refused, when work begins
  if (fs::is_directory(options.folder, ignored)) {
    const Result<void> one = check_rules(options.folder, fingerprint(options.rules), cache);
    if (!one) return tl::unexpected(one.error());
  }
  std::vector<PlanStep> plan;
  for (Pair pair : options.pairs) {
    plan.push_back(plan_step(pair, options.rules, cache, limits));
    plan.back().has_files = has_files(options.folder, pair, limits.metrics);
  }
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
