#include <algorithm>
#include <array>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/command.h"

namespace mtb::cli {
namespace {

struct Options {
  std::string tables = "tables/traditional";
  bool csv = false;
};

constexpr std::size_t kColumns = 9;
using Row = std::array<std::string, kColumns>;

const Row kTitles = {"sector",     "positions", "win",         "clock_win",   "draw",
                     "clock_loss", "loss",      "longest_win", "longest_loss"};

/// By metric; null where there is no table.
using SectorHeaders = std::array<const TableHeader*, kMetrics>;

/// Outcomes from a table that knows the clock if there is one, distances from one to the end.
Row row_of(const SectorHeaders& headers) {
  const TableHeader* outcomes = nullptr;
  for (const TableHeader* header : headers) {
    if (header != nullptr && (outcomes == nullptr || header->clock == ClockUse::applied)) {
      outcomes = header;
    }
  }
  const auto& counts = outcomes->counts;
  const TableHeader* const distances = headers[static_cast<std::size_t>(Metric::dtw)];
  Row row;
  row[0] = to_string(outcomes->sector);
  row[1] = std::to_string(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
  std::transform(counts.begin(), counts.end(), row.begin() + 2,
                 [](std::uint64_t count) { return std::to_string(count); });
  if (distances != nullptr) {
    row[7] = std::to_string(distances->longest_win);
    row[8] = std::to_string(distances->longest_loss);
  }
  return row;
}

void print_csv(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < kColumns; ++i) std::cout << (i == 0 ? "" : ",") << row[i];
    std::cout << '\n';
  }
}

/// Columns as wide as their longest entry; numbers to the right.
void print_aligned(const std::vector<Row>& rows) {
  std::array<std::size_t, kColumns> widths{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < kColumns; ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const Row& row : rows) {
    std::string line = row[0] + std::string(widths[0] - row[0].size(), ' ');
    for (std::size_t i = 1; i < kColumns; ++i) {
      line += std::string(2 + widths[i] - row[i].size(), ' ') + row[i];
    }
    std::cout << line << '\n';
  }
}

Result<Exit> run(const Options& options) {
  const Result<FolderContents> contents = read_table_folder(options.tables);
  if (!contents) return tl::unexpected(contents.error());

  std::map<Sector, SectorHeaders> headers;
  for (const TableFile& table : contents->tables) {
    headers[table.header().sector][static_cast<std::size_t>(table.header().metric)] =
        &table.header();
  }
  std::vector<Sector> sectors;
  for (const auto& [sector, _] : headers) sectors.push_back(sector);
  std::sort(sectors.begin(), sectors.end(), listed_before);
  std::vector<Row> rows = {kTitles};
  for (const Sector sector : sectors) rows.push_back(row_of(headers[sector]));
  options.csv ? print_csv(rows) : print_aligned(rows);

  Exit status = Exit::done;
  for (const Refusal& refusal : contents->refused) {
    complain(refusal.error.message);
    status = graver(status, exit_of(refusal.error.fault));
  }
  return status;
}

}  // namespace

void add_stats_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("stats", "Count outcomes in every sector of a folder");
  const auto options = std::make_shared<Options>();
  command->add_option("--tables", options->tables, "Folder of tables")->capture_default_str();
  command->add_flag("--csv", options->csv, "Comma-separated values");
  command->footer(
      "Placements of each outcome for the player to move, symmetric ones counted each, and the\n"
      "longest distances to the end in plies (empty where the folder has no dtw tables).\n"
      "Example: mtb stats --tables tables/traditional");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace mtb::cli
