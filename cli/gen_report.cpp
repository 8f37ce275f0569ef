#include "cli/gen_report.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <numeric>
#include <sstream>
#include <string_view>
#include <system_error>

#include "format/table.h"

namespace mtb::cli {
namespace {

constexpr std::string_view kColumns =
    "rules,pair,sector,slots,positions,win,clock_win,draw,clock_loss,loss,longest_win,longest_loss,"
    "mode,solve_cpu_seconds,cpu_seconds,wall_seconds,planned_memory,peak_memory,"
    "wdl_bytes,dtw_bytes,dtc_bytes,wdl_bits_per_slot,dtw_bits_per_slot,dtc_bits_per_slot\n";

tl::unexpected<Error> refused(const std::filesystem::path& path, int code) {
  return fail(Fault::system, "cannot write the report " + path.string() + ": " +
                                 std::generic_category().message(code) +
                                 "; free some space or choose another file");
}

std::string bits_per_slot(std::uint64_t bytes, std::uint64_t slots) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(4)
       << 8 * static_cast<double>(bytes) / static_cast<double>(slots);
  return text.str();
}

/// The fields of a report that tell of the work, from `mode` to `peak_memory`.
std::string work_fields(const PairReport& report) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(2) << to_string(report.step.mode) << ','
       << report.solve_cpu_seconds << ',' << report.cpu_seconds << ',' << report.wall_seconds << ','
       << report.step.memory_bytes << ',' << report.peak_memory;
  return text.str();
}

/// The table that knows most of the clock.
const TableHeader& table_of(const SectorReport& sector) {
  return *(sector.table(Metric::wdl) ? sector.table(Metric::wdl) : sector.table(Metric::dtw));
}

std::string line_of(const std::string& start, const SectorReport& sector, const std::string& work) {
  std::ostringstream lines;
  const TableHeader& table = table_of(sector);
  const auto& distances = sector.table(Metric::dtw);
  lines << start << to_string(table.sector) << ',' << table.slots << ','
        << std::accumulate(table.counts.begin(), table.counts.end(), std::uint64_t{0}) << ',';
  for (const std::uint64_t placements : table.counts) lines << placements << ',';
  if (distances) lines << distances->longest_win;
  lines << ',';
  if (distances) lines << distances->longest_loss;
  lines << ',' << work;
  for (const auto& there : sector.tables) {
    lines << ',' << (there ? std::to_string(there->file_bytes) : "");
  }
  for (const auto& there : sector.tables) {
    lines << ',' << (there ? bits_per_slot(there->file_bytes, there->slots) : "");
  }
  lines << '\n';
  return lines.str();
}

}  // namespace

Result<GenerateReport> GenerateReport::open(const std::filesystem::path& path,
                                            const std::string& rules) {
  // The table would take its place.
  if (metric_of_ending(path)) {
    return fail(Fault::bad_input, "cannot write the report " + path.string() +
                                      ": it has the name of a table; name another file");
  }
  // A device may never end, and a pipe may wait for ever.
  std::error_code unknown;
  const auto status = std::filesystem::status(path, unknown);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    return fail(Fault::bad_input,
                "cannot write the report " + path.string() + ": it is no ordinary file; name one");
  }
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor == -1) return refused(path, errno);
  GenerateReport report(descriptor, path, rules);

  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  text.resize(text.rfind('\n') + 1);  // a line without an end was cut short
  if (!text.empty() && !text.starts_with(kColumns)) {
    return fail(Fault::bad_input,
                path.string() + " holds something else than a report; name another file");
  }
  if (::ftruncate(descriptor, static_cast<off_t>(text.size())) == -1) return refused(path, errno);
  if (text.empty()) {
    if (Result<void> done = report.append(std::string(kColumns)); !done) {
      return tl::unexpected(done.error());
    }
  }
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t pair = line.find(',') + 1;
    const std::size_t sector = line.find(',', pair) + 1;
    report.reported_.insert(line.substr(0, line.find(',', sector)));
  }
  return report;
}

GenerateReport::~GenerateReport() {
  if (descriptor_ != -1) static_cast<void>(::close(descriptor_));  // all is synced
}

Result<void> GenerateReport::add_finished(const PairReport& report) {
  return add(report, work_fields(report), true);
}

Result<void> GenerateReport::add_kept(const PairReport& report) {
  return add(report, ",,,,,", false);
}

Result<void> GenerateReport::add(const PairReport& report, const std::string& work, bool again) {
  const std::string start = rules_ + ',' + to_string(report.step.pair) + ',';
  std::string lines;
  for (const SectorReport& sector : report.sectors) {
    const bool is_new = reported_.insert(start + to_string(table_of(sector).sector)).second;
    if (is_new || again) lines += line_of(start, sector, work);
  }
  return lines.empty() ? Result<void>() : append(lines);
}

Result<void> GenerateReport::append(const std::string& lines) {
  // One call, so that a kill leaves all of them or, at the worst, a last line without an end.
  for (std::string_view left = lines; !left.empty();) {
    const ssize_t done = ::write(descriptor_, left.data(), left.size());
    if (done == -1 && errno == EINTR) continue;
    if (done == -1) return refused(path_, errno);
    left.remove_prefix(static_cast<std::size_t>(done));
  }
  if (::fsync(descriptor_) == -1) return refused(path_, errno);
  return {};
}

}  // namespace mtb::cli
