// Fits the coefficients of gen/cost.cpp to the reports of runs (`mtb gen --report FILE`):
//
//     mtb_fit_cost FILE...
//
// prints them in the order of WorkKind, and how far the model is off for each pair.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "format/values.h"
#include "game/sector.h"
#include "gen/cost.h"
#include "gen/plan.h"

namespace mtb {
namespace {

struct Run {
  std::string name;
  Work work;
  double solving;  ///< CPU-seconds
  double files;
};

/// One run for each pair of a report. Pairs of which it tells no times are left out.
void read_report(const std::string& path, const ClassCache& cache, std::vector<Run>& runs) {
  std::ifstream in(path);
  std::set<std::string> seen;
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> fields;
    std::istringstream text(line);
    for (std::string field; std::getline(text, field, ',');) fields.push_back(field);
    constexpr std::size_t kSolving = 13;  // solve_cpu_seconds; cpu_seconds is the next
    constexpr std::size_t kBytes = 18;    // of wdl, dtw, dtc
    if (fields.size() < kBytes + kMetrics || fields[kSolving].empty()) continue;
    const auto rules = rule_set_named(fields[0]);
    const auto sector = parse_sector(fields[1]);
    if (!rules || !sector || !seen.insert(fields[1]).second) continue;
    const Pair pair = Pair::of(sector->mover, sector->opponent);
    const double solving = std::stod(fields[kSolving]);
    const double all = std::stod(fields[kSolving + 1]);
    const auto made = [&](Metric metric) {
      return !fields[kBytes + static_cast<std::size_t>(metric)].empty();
    };
    const Metrics metrics{made(Metric::wdl), made(Metric::dtw), made(Metric::dtc)};
    runs.push_back({fields[0] + ' ' + fields[1],
                    amounts_of_work(pair, *rules, cache, metrics.rounds(*rules)), solving,
                    all - solving});
  }
}

/// Coefficients that are not negative, by going through them one at a time until nothing changes.
/// Squares of errors are taken relative to the times, so that long runs count by their length and
/// short ones are not forgotten.
void fit(const std::vector<Run>& runs, bool of_files, Work& coefficients) {
  const auto target = [&](const Run& run) { return of_files ? run.files : run.solving; };
  for (int round = 0; round < 100'000; ++round) {
    for (std::size_t kind = 0; kind < kWorkKinds; ++kind) {
      if (is_of_files(static_cast<WorkKind>(kind)) != of_files) continue;
      double numerator = 0;
      double denominator = 0;
      for (const Run& run : runs) {
        double others = 0;
        for (std::size_t other = 0; other < kWorkKinds; ++other) {
          if (other == kind || is_of_files(static_cast<WorkKind>(other)) != of_files) continue;
          others += run.work[other] * coefficients[other];
        }
        const double weight = 1 / (target(run) + 0.5);
        numerator += weight * run.work[kind] * (target(run) - others);
        denominator += weight * run.work[kind] * run.work[kind];
      }
      if (denominator > 0) coefficients[kind] = std::max(0.0, numerator / denominator);
    }
  }
}

int run(const std::vector<std::string>& paths) {
  const ClassCache cache;
  std::vector<Run> runs;
  for (const std::string& path : paths) read_report(path, cache, runs);
  if (runs.empty()) {
    std::fprintf(stderr, "usage: mtb_fit_cost FILE..., reports of mtb gen with times in them\n");
    return 2;
  }
  Work coefficients{};
  for (const bool of_files : {false, true}) fit(runs, of_files, coefficients);
  std::puts("nanoseconds:");
  for (const double seconds : coefficients) std::printf(" %.3g", 1e9 * seconds);
  std::puts("\nseconds of kMeasuredPairs:");
  for (const Run& run : runs) {
    for (const MeasuredPair& measured : kMeasuredPairs) {
      if (run.name != "traditional " + to_string(measured.pair)) continue;
      std::printf("%s {%.2f, %.2f}\n", run.name.c_str(), run.solving, run.files);
    }
  }
  double all_told = 0;
  double all_taken = 0;
  std::puts("model / run, solving and files:");
  for (const Run& run : runs) {
    double solving = 0;
    double files = 0;
    for (std::size_t i = 0; i < kWorkKinds; ++i) {
      (is_of_files(static_cast<WorkKind>(i)) ? files : solving) += run.work[i] * coefficients[i];
    }
    std::printf("%s %.2f %.2f\n", run.name.c_str(), solving / run.solving, files / run.files);
    all_told += solving + files;
    all_taken += run.solving + run.files;
  }
  std::printf("all %.2f\n", all_told / all_taken);
  return 0;
}

}  // namespace
}  // namespace mtb

int main(int count, char** arguments) {
  return mtb::run(std::vector<std::string>(arguments + 1, arguments + count));
}
