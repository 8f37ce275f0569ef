#include "gen/system_memory.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

namespace mtb {
namespace {

namespace fs = std::filesystem;

/// The number behind a name at the beginning of a line, as in `VmHWM:   1234 kB`.
std::optional<std::uint64_t> number_behind(const std::string& name, const fs::path& file) {
  std::ifstream in(file);
  std::string word;
  std::uint64_t number = 0;
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line);
    if (fields >> word >> number && word == name) return number;
  }
  return std::nullopt;
}

/// The number that a file holds; nothing where it holds `max` or is not there.
std::optional<std::uint64_t> number_in(const fs::path& file) {
  std::ifstream in(file);
  std::uint64_t number = 0;
  if (in >> number) return number;
  return std::nullopt;
}

/// What the control groups of the process (version 2, or the memory controller of version 1) leave
/// it. Limits of the groups above its own hold as well.
std::uint64_t left_in_groups() {
  std::uint64_t left = std::numeric_limits<std::uint64_t>::max();
  std::ifstream in("/proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool new_kind = controllers.empty();
    if (!new_kind && controllers != "memory") continue;
    const fs::path root = new_kind ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
    const char* limit_name = new_kind ? "memory.max" : "memory.limit_in_bytes";
    const char* usage_name = new_kind ? "memory.current" : "memory.usage_in_bytes";
    const char* cache_name = new_kind ? "inactive_file" : "total_inactive_file";
    // Seen from within a container its own group is the root, whatever the path says.
    for (fs::path group = fs::path(line.substr(second + 1)).relative_path();;
         group = group.parent_path()) {
      const auto limit = number_in(root / group / limit_name);
      const auto usage = number_in(root / group / usage_name);
      if (limit && usage) {
        // Pages of files that were not used of late make room at once.
        const std::uint64_t cache =
            number_behind(cache_name, root / group / "memory.stat").value_or(0);
        const std::uint64_t used = *usage - std::min(*usage, cache);
        left = std::min(left, *limit - std::min(*limit, used));
      }
      if (group.empty()) break;
    }
  }
  return left;
}

}  // namespace

std::optional<std::uint64_t> available_memory() {
  const auto machine = number_behind("MemAvailable:", "/proc/meminfo");
  const std::uint64_t groups = left_in_groups();
  if (machine) return std::min(*machine * 1024, groups);
  if (groups != std::numeric_limits<std::uint64_t>::max()) return groups;
  return std::nullopt;
}

std::uint64_t peak_memory() {
  return number_behind("VmHWM:", "/proc/self/status").value_or(0) * 1024;
}

void reset_peak_memory() {
  // Without permission the figure stays that of the process so far.
  std::ofstream("/proc/self/clear_refs") << 5 << std::flush;
}

}  // namespace mtb
