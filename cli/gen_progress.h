// Telling a person how far the generator is.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "gen/generate.h"
#include "gen/speed.h"

namespace mtb::cli {

/// The plan in columns, with its totals; one line per pair. Times are those of a machine of this
/// speed.
std::string plan_text(const std::vector<PlanStep>& plan, const Speed& speed);

/// Prints the plan in short, a line for every pair that is done, and in between, on a terminal, one
/// line that is written over and over: pair, phase, percent, positions per second, time left.
/// Elsewhere such lines come as ordinary ones, every half minute. What is damaged goes to standard
/// error.
class GenerateProgress : public GenerateObserver {
 public:
  explicit GenerateProgress(bool on_terminal) : on_terminal_(on_terminal) {}

  void planned(const std::vector<PlanStep>& plan) override;
  void short_of_space(std::uint64_t needed, std::uint64_t available) override;
  void kept(const PairReport& report) override;
  void damaged(const Error& error) override;
  void started(const PlanStep& step) override;
  void progressed(const PlanStep& step, const SolveProgress& progress) override;
  void writing(const PlanStep& step, Metric metric) override;
  void finished(const PairReport& report) override;
  /// The last line.
  void all_done(const std::string& folder);

 private:
  using Clock = std::chrono::steady_clock;

  void print_line(const std::string& line);
  void show(const PlanStep& step, const std::string& phase, double done_part);
  void clear_shown();

  const bool on_terminal_;
  bool shown_ = false;    ///< whether a line that will be written over stands there
  double all_cost_ = 0;   ///< of the plan, kept pairs taken off; seconds of cost.h
  double done_cost_ = 0;  ///< of the pairs solved so far
  std::uint64_t done_slots_ = 0;
  Clock::time_point start_ = {};  ///< of the first pair that is solved
  Clock::time_point next_show_ = {};
  std::uint64_t planned_memory_ = 0;  ///< of the pairs that were solved, the largest; bytes
  std::uint64_t peak_memory_ = 0;     ///< likewise; bytes, 0 when nothing was solved
  bool states_on_disk_ = false;  ///< of some pair; the peak then counts what of them was in memory
};

}  // namespace mtb::cli
