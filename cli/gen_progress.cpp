#include "cli/gen_progress.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
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

std::uint64_t total_slots(const std::vector<PlanStep>& plan) {
  std::uint64_t slots = 0;
  for (const PlanStep& step : plan) slots += step.slots;
  return slots;
}

std::uint64_t most_memory(const std::vector<PlanStep>& plan) {
  std::uint64_t bytes = 0;
  for (const PlanStep& step : plan) bytes = std::max(bytes, step.memory_bytes);
  return bytes;
}

std::string plan_summary(const std::vector<PlanStep>& plan) {
  return std::to_string(plan.size()) + (plan.size() == 1 ? " pair, " : " pairs, ") +
         millions(static_cast<double>(total_slots(plan))) + " positions, at most " +
         mebibytes(most_memory(plan)) + " of memory";
}

/// How much of a pair's time its shots take, and its distances; the rest goes into writing.
constexpr double kShotPart = 0.45;
constexpr double kDistancePart = 0.45;

}  // namespace

std::string plan_text(const std::vector<PlanStep>& plan) {
  std::ostringstream text;
  text << std::left << std::setw(10) << "pair" << std::right << std::setw(14) << "positions"
       << std::setw(14) << "memory" << '\n';
  for (const PlanStep& step : plan) {
    text << std::left << std::setw(10) << to_string(step.pair) << std::right << std::setw(14)
         << step.slots << std::setw(14) << mebibytes(step.memory_bytes) << '\n';
  }
  text << plan_summary(plan) << '\n';
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
  const double done =
      static_cast<double>(done_slots_) + done_part * static_cast<double>(step.slots);
  std::string line =
      to_string(step.pair) + ": " + phase + ", " + decimal(100 * done_part, 0) + " %";
  if (done > 0 && elapsed > 0) {
    const double rate = done / elapsed;
    const double left = std::max(0.0, static_cast<double>(all_slots_) - done);
    line += ", " + millions(rate) + " positions/s, " + duration(left / rate) + " left in all";
  }
  if (!on_terminal_) return print_line(line);
  std::cout << '\r' << line << "\x1b[K" << std::flush;
  shown_ = true;
}

void GenerateProgress::planned(const std::vector<PlanStep>& plan) {
  all_slots_ = total_slots(plan);
  print_line(plan_summary(plan));
}

void GenerateProgress::kept(const PlanStep& step) {
  all_slots_ -= step.slots;
  print_line(to_string(step.pair) + ": kept, its tables are there and sound");
}

void GenerateProgress::damaged(const Error& error) {
  clear_shown();
  complain(error.message);
}

void GenerateProgress::started(const PlanStep& step) {
  const Clock::time_point now = Clock::now();
  if (done_slots_ == 0) start_ = now;
  if (!on_terminal_) next_show_ = now + std::chrono::seconds(30);
  show(step, "starting", 0);
}

void GenerateProgress::progressed(const PlanStep& step, const SolveProgress& progress) {
  const double part = static_cast<double>(progress.done_slots) /
                      static_cast<double>(std::max<std::uint64_t>(1, progress.all_slots));
  if (progress.phase == SolveProgress::Phase::shots) {
    show(step, "shots", kShotPart * part);
  } else {
    show(step, "distance " + std::to_string(progress.distance), kShotPart + kDistancePart * part);
  }
}

void GenerateProgress::writing(const PlanStep& step) {
  show(step, "writing", kShotPart + kDistancePart);
}

void GenerateProgress::all_done(const std::string& folder) {
  std::string line = "all tables are in " + folder;
  if (peak_memory_ > 0) {
    line += ", peak memory " + mebibytes(peak_memory_) + " (planned " + mebibytes(planned_memory_) +
            ")";
  }
  print_line(line);
}

void GenerateProgress::finished(const PairReport& report) {
  done_slots_ += report.slots;
  const double slots = static_cast<double>(report.slots);
  std::string line = to_string(report.pair) + ": " + millions(slots) + " positions in " +
                     decimal(report.wall_seconds, 1) + " s";
  if (report.solve_cpu_seconds > 0) {
    line += ", per CPU-second " + millions(slots / report.solve_cpu_seconds) + " solving and " +
            millions(slots / report.cpu_seconds) + " with writing";
  }
  line += ", " + mebibytes(report.bytes_written) + " written";
  const TableHeader& key = report.key_to_move;
  const TableHeader& other = report.other_to_move;
  line += ", longest win " + std::to_string(std::max(key.longest_win, other.longest_win)) +
          ", longest loss " + std::to_string(std::max(key.longest_loss, other.longest_loss));
  planned_memory_ = std::max(planned_memory_, report.planned_memory);
  peak_memory_ = report.peak_memory;
  print_line(line);
}

}  // namespace mtb::cli
