#include "cli/gen_progress.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <optional>
#include <sstream>

#include "cli/command.h"

namespace mtb::cli {
namespace {

std::string decimal(double value, int digits) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(digits) << value;
  return text.str();
}

std::string millions(double value) { return decimal(value / 1e6, value < 1e8 ? 2 : 0) + " M"; }

std::string mebibytes(std::uint64_t bytes) {
  return decimal(static_cast<double>(bytes) / (1 << 20), 1) + " MiB";
}

/// `1:04`, `2:00:17`.
std::string duration(double seconds) {
  const auto whole = static_cast<std::uint64_t>(seconds + 0.5);
  std::ostringstream text;
  text << std::setfill('0');
  if (whole >= 3600) {
    text << whole / 3600 << ':' << std::setw(2) << whole / 60 % 60;
  } else {
    text << whole / 60;
  }
  text << ':' << std::setw(2) << whole % 60;
  return text.str();
}

/// What is left of a plan, and what that takes: sums, or the most at one time.
struct Totals {
  explicit Totals(const std::vector<PlanStep>& plan) {
    for (const PlanStep& step : plan) {
      if (step.has_files) continue;
      ++pairs;
      slots += step.slots;
      memory = std::max(memory, step.memory_bytes);
      disk = std::max(disk, tables + step.table_bytes + step.temporary_bytes);
      tables += step.table_bytes;
    }
  }

  std::size_t pairs = 0;
  std::uint64_t slots = 0;
  std::uint64_t memory = 0;
  std::uint64_t disk = 0;    ///< tables so far and temporary files
  std::uint64_t tables = 0;  ///< in the end
};

std::string plan_summary(const std::vector<PlanStep>& plan) {
  const Totals totals(plan);
  const std::size_t there = plan.size() - totals.pairs;
  const std::string others = there == 0 ? "" : std::to_string(there) + " have their tables, ";
  return others + std::to_string(totals.pairs) + (totals.pairs == 1 ? " pair, " : " pairs, ") +
         millions(static_cast<double>(totals.slots)) + " positions, at most " +
         mebibytes(totals.memory) + " of memory and about " + mebibytes(totals.disk) +
         " on the disk";
}

/// How much of the solving its shots take; the distances take the rest.
constexpr double kShotPart = 0.5;

/// The part of a pair's time that its solving takes.
double solving_part(const PlanStep& step) { return step.cost.solving / step.cost.total(); }

}  // namespace

std::string plan_text(const std::vector<PlanStep>& plan, const Speed& speed) {
  std::ostringstream text;
  const auto line = [&](const std::string& pair, const auto& slots, const auto& mode,
                        const std::string& memory, const std::string& temporary,
                        const std::string& tables, const std::string& cpu,
                        const std::string& wall) {
    text << std::left << std::setw(8) << pair << std::right << std::setw(12) << slots
         << std::setw(8) << mode << std::setw(13) << memory << std::setw(13) << temporary
         << std::setw(13) << tables << std::setw(10) << cpu << std::setw(10) << wall << '\n';
  };
  line("pair", "positions", "mode", "memory", "temporary", "tables", "CPU", "time");
  for (const PlanStep& step : plan) {
    if (step.has_files) {
      line(to_string(step.pair), step.slots, "there", "", "", "", "", "");
      continue;
    }
    line(to_string(step.pair), step.slots, to_string(step.mode), mebibytes(step.memory_bytes),
         mebibytes(step.temporary_bytes), mebibytes(step.table_bytes),
         duration(speed.cpu_seconds(step.cost)), duration(speed.wall_seconds(step.cost)));
  }
  const Cost cost = cost_left(plan);
  text << plan_summary(plan) << ", " << duration(speed.wall_seconds(cost)) << " with "
       << decimal(speed.parallel, 1) << " CPUs at work, " << duration(speed.cpu_seconds(cost))
       << " of one CPU\n";
  return text.str();
}

void GenerateProgress::print_line(const std::string& line) {
  clear_shown();
  std::cout << line << std::endl;  // flushed, since the next may be an hour away
}

void GenerateProgress::clear_shown() {
  if (shown_) std::cout << "\r\x1b[K" << std::flush;
  shown_ = false;
}

void GenerateProgress::show(const PlanStep& step, const std::string& phase, double done_part) {
  const Clock::time_point now = Clock::now();
  if (now < next_show_) return;
  next_show_ = now + (on_terminal_ ? std::chrono::milliseconds(200) : std::chrono::seconds(30));

  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const double done = done_cost_ + done_part * step.cost.total();
  std::string line =
      to_string(step.pair) + ": " + phase + ", " + decimal(100 * done_part, 0) + " %";
  if (done > 0 && elapsed > 0) {
    const double slots =
        static_cast<double>(done_slots_) + done_part * static_cast<double>(step.slots);
    line += ", " + millions(slots / elapsed) + " positions/s, " +
            duration(elapsed * std::max(0.0, all_cost_ - done) / done) + " left in all";
  }
  if (!on_terminal_) return print_line(line);
  std::cout << '\r' << line << "\x1b[K" << std::flush;
  shown_ = true;
}

void GenerateProgress::planned(const std::vector<PlanStep>& plan) {
  for (const PlanStep& step : plan) all_cost_ += step.cost.total();
  print_line(plan_summary(plan));
}

void GenerateProgress::short_of_space(std::uint64_t needed, std::uint64_t available) {
  print_line("the tables still to be made take about " + mebibytes(needed) + ", and " +
             mebibytes(available) +
             " are free: when the disk is full this will stop, and go on when it is run again");
}

void GenerateProgress::kept(const PairReport& report) {
  all_cost_ -= report.step.cost.total();
  print_line(to_string(report.step.pair) + ": kept, its tables are there and sound");
}

void GenerateProgress::damaged(const Error& error) {
  clear_shown();
  complain(error.message);
}

void GenerateProgress::started(const PlanStep& step) {
  const Clock::time_point now = Clock::now();
  if (done_cost_ == 0) start_ = now;
  if (!on_terminal_) next_show_ = now + std::chrono::seconds(30);
  show(step, "starting", 0);
}

void GenerateProgress::progressed(const PlanStep& step, const SolveProgress& progress) {
  const double part = static_cast<double>(progress.done_slots) /
                      static_cast<double>(std::max<std::uint64_t>(1, progress.all_slots));
  const bool shots = progress.phase == SolveProgress::Phase::shots;
  const double solved = shots ? kShotPart * part : kShotPart + (1 - kShotPart) * part;
  // A pair is solved for dtw first.
  const double before = progress.metric == Metric::dtc ? step.solves - 1 : 0;
  show(step, shots ? "shots" : "distance " + std::to_string(progress.distance),
       solving_part(step) * (before + solved) / step.solves);
}

void GenerateProgress::writing(const PlanStep& step, Metric metric) {
  const bool first_of_two = metric == Metric::dtw && step.solves > 1;
  show(step, "writing", solving_part(step) / (first_of_two ? 2 : 1));
}

void GenerateProgress::all_done(const std::string& folder) {
  std::string line = "all tables are in " + folder;
  if (peak_memory_ > 0) {
    line += ", peak memory " + mebibytes(peak_memory_) + " (planned " + mebibytes(planned_memory_) +
            (states_on_disk_ ? " besides states on the disk)" : ")");
  }
  print_line(line);
}

void GenerateProgress::finished(const PairReport& report) {
  const PlanStep& step = report.step;
  done_cost_ += step.cost.total();
  done_slots_ += step.slots;
  const double slots = static_cast<double>(step.slots);
  std::string line = to_string(step.pair) + ": " + millions(slots) + " positions in " +
                     decimal(report.wall_seconds, 1) + " s";
  if (report.solve_cpu_seconds > 0) {
    line += ", per CPU-second " + millions(slots / report.solve_cpu_seconds) + " solving and " +
            millions(slots / report.cpu_seconds) + " with writing";
  }
  line += ", " + mebibytes(report.bytes_written) + " written";
  std::optional<std::uint32_t> longest_win;  // unknown where no distance is stored
  std::optional<std::uint32_t> longest_loss;
  for (const SectorReport& sector : report.sectors) {
    const auto& distances = sector.table(sector.table(Metric::dtw) ? Metric::dtw : Metric::dtc);
    if (!distances) continue;
    longest_win = std::max(longest_win.value_or(0), distances->longest_win);
    longest_loss = std::max(longest_loss.value_or(0), distances->longest_loss);
  }
  if (longest_win && longest_loss) {
    line += ", longest win " + std::to_string(*longest_win) + ", longest loss " +
            std::to_string(*longest_loss);
  }
  planned_memory_ = std::max(planned_memory_, step.memory_bytes);
  peak_memory_ = std::max(peak_memory_, report.peak_memory);
  states_on_disk_ = states_on_disk_ || step.mode == MemoryMode::disk;
  print_line(line);
}

}  // namespace mtb::cli
