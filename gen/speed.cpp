#include "gen/speed.h"

#include <omp.h>
#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <system_error>

namespace mtb {
namespace {

namespace fs = std::filesystem;

/// Seconds after which no further pair is begun: a hundredth of what the plan takes, within limits.
std::chrono::duration<double> enough_for(std::span<const PlanStep> plan) {
  return std::chrono::duration<double>(std::clamp(cost_left(plan).total() / 100, 1.0, 6.0));
}

/// What each thread beyond the first adds, in CPUs.
constexpr double kParallelGain = 0.9;

/// A folder that is removed with all that is in it.
class ScratchFolder {
 public:
  static Result<ScratchFolder> make() {
    std::error_code error;
    std::string name = fs::temp_directory_path(error) / "mtb-speed-XXXXXX";
    if (!error && ::mkdtemp(name.data()) == nullptr) error.assign(errno, std::generic_category());
    if (!error) return ScratchFolder(name);
    return fail(Fault::system, name + ": cannot be made (" + error.message() +
                                   "); set TMPDIR to a folder that can be written");
  }
  ScratchFolder(ScratchFolder&& other) noexcept : path_(std::move(other.path_)) {
    other.path_.clear();
  }
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;  // it is in the system's folder for what may be removed
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }

  const fs::path& path() const { return path_; }

 private:
  explicit ScratchFolder(fs::path path) : path_(std::move(path)) {}

  fs::path path_;
};

class LastReport : public GenerateObserver {
 public:
  void finished(const PairReport& report) override { report_ = report; }
  const PairReport& get() const { return report_; }

 private:
  PairReport report_;
};

}  // namespace

Result<Speed> measure_speed(const GenerateOptions& options, std::span<const PlanStep> plan) {
  const Result<ScratchFolder> folder = ScratchFolder::make();
  if (!folder) return tl::unexpected(folder.error());
  const int threads = std::min(threads_of(options), omp_get_num_procs());
  GenerateOptions one;
  one.rules = *rule_set_named("traditional");
  one.rules.clock = {};
  one.folder = folder->path();
  one.threads = 1;
  one.compression = options.compression;
  one.generator = options.generator;
  Cost there;
  Cost here;
  const auto enough = enough_for(plan);
  const auto start = std::chrono::steady_clock::now();
  for (const MeasuredPair& measured : kMeasuredPairs) {
    one.pairs = {measured.pair};
    LastReport last;
    if (Result<void> done = generate(one, last); !done) return tl::unexpected(done.error());
    const PairReport& report = last.get();
    there += measured.cost;
    here += {report.solve_cpu_seconds, report.cpu_seconds - report.solve_cpu_seconds};
    if (std::chrono::steady_clock::now() - start > enough) break;
  }
  return Speed{here.solving / there.solving, here.files / there.files,
               1 + kParallelGain * (threads - 1)};
}

}  // namespace mtb
