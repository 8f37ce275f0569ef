// The report of a generator for programs: CSV, a line a sector.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <utility>

#include "gen/generate.h"

namespace mtb::cli {

/// Appends to a file, pair by pair; a run that goes on where another was killed goes on in its file
/// as well. The seconds and bytes of memory in a sector's line are those of its pair; they are
/// empty where the tables were there already.
class GenerateReport {
 public:
  /// `rules`: the name that goes into the first column. A line that was cut short is removed.
  /// Errors: bad_input when it is no ordinary file or holds something else, system.
  static Result<GenerateReport> open(const std::filesystem::path& path, const std::string& rules);

  GenerateReport(GenerateReport&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)),
        path_(std::move(other.path_)),
        rules_(std::move(other.rules_)),
        reported_(std::move(other.reported_)) {}
  GenerateReport& operator=(GenerateReport&&) = delete;
  ~GenerateReport();

  /// Adds a pair on which work was done.
  Result<void> add_finished(const PairReport& report);
  /// Adds the sectors of a pair whose tables were there already that are not in the file.
  Result<void> add_kept(const PairReport& report);

 private:
  GenerateReport(int descriptor, std::filesystem::path path, std::string rules)
      : descriptor_(descriptor), path_(std::move(path)), rules_(std::move(rules)) {}

  Result<void> add(const PairReport& report, const std::string& work, bool again);
  Result<void> append(const std::string& lines);

  int descriptor_;
  std::filesystem::path path_;
  std::string rules_;
  std::set<std::string> reported_;  ///< `RULES,PAIR,SECTOR` of all lines in the file
};

}  // namespace mtb::cli
