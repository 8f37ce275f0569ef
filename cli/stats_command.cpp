#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/grid.h"
#include "cli/json.h"
#include "game/notation.h"
#include "stats/value_counts.h"
#include "stats/zugzwang.h"

namespace mtb::cli {
namespace {

struct Options {
  std::string tables = "tables/traditional";
  bool percent = false;
  bool histogram = false;
  bool longest = false;
  bool curious = false;
  bool csv = false;
  bool json = false;
};

/// The tables of one sector; null where there is none.
using SectorTables = std::array<const TableFile*, kMetrics>;
using Sectors = std::vector<SectorTables>;

const TableFile* table(const SectorTables& tables, Metric metric) {
  return tables[static_cast<std::size_t>(metric)];
}

/// The table that says most of outcomes: one that knows the clock if there is one, and of these the
/// smallest.
const TableFile& outcomes(const SectorTables& tables) {
  const TableFile* best = nullptr;
  for (const TableFile* file : tables) {
    if (file == nullptr) continue;
    const bool knows_more = best != nullptr && best->header().clock != ClockUse::applied &&
                            file->header().clock == ClockUse::applied;
    if (best == nullptr || knows_more) best = file;
  }
  return *best;
}

std::uint64_t positions(const TableHeader& header) {
  return std::accumulate(header.counts.begin(), header.counts.end(), std::uint64_t{0});
}

/// Hundredths of a percent are enough to tell sectors apart; there are more places where 0 or 100
/// would stand for a few or for nearly all.
Json percent(std::uint64_t part, std::uint64_t whole) {
  const double exact = 100 * static_cast<double>(part) / static_cast<double>(whole);
  double shown = 0;
  for (double scale = 1e2; scale < 1e13; scale *= 10) {
    shown = std::round(exact * scale) / scale;
    if ((shown > 0 || part == 0) && (shown < 100 || part == whole)) break;
  }
  return shown;
}

Result<Grid> outcome_grid(const Sectors& sectors, bool in_percent) {
  Grid grid;
  grid.titles = {"sector",     "positions", "win",         "clock_win",   "draw",
                 "clock_loss", "loss",      "longest_win", "longest_loss"};
  for (const SectorTables& tables : sectors) {
    const TableHeader& header = outcomes(tables).header();
    const std::uint64_t all = positions(header);
    std::vector<Json> row = {to_string(header.sector), all};
    for (const std::uint64_t count : header.counts) {
      row.push_back(in_percent ? percent(count, all) : Json(count));
    }
    const TableFile* distances = table(tables, Metric::dtw);
    row.push_back(distances != nullptr ? Json(distances->header().longest_win) : Json());
    row.push_back(distances != nullptr ? Json(distances->header().longest_loss) : Json());
    grid.rows.push_back(std::move(row));
  }
  return grid;
}

/// Calls visit(header, values) for every table of distances.
template <class Visit>
Result<void> count_distances(const Sectors& sectors, Visit&& visit) {
  for (const SectorTables& tables : sectors) {
    for (const Metric metric : {Metric::dtw, Metric::dtc}) {
      const TableFile* file = table(tables, metric);
      if (file == nullptr) continue;
      const auto values = count_values(*file);
      if (!values) return tl::unexpected(values.error());
      visit(file->header(), *values);
    }
  }
  return {};
}

Result<Grid> histogram_grid(const Sectors& sectors) {
  Grid grid;
  grid.titles = {"sector", "metric", "outcome", "plies", "positions"};
  const Result<void> counted = count_distances(sectors, [&](const TableHeader& header,
                                                            const auto& values) {
    for (const ValueCount& value : values) {
      grid.rows.push_back({to_string(header.sector), to_string(header.metric),
                           to_string(value.outcome), value_or_null(value.plies), value.positions});
    }
  });
  if (!counted) return tl::unexpected(counted.error());
  return grid;
}

/// Of every outcome, the values with the greatest distance.
Result<Grid> longest_grid(const Sectors& sectors) {
  Grid grid;
  grid.titles = {"sector", "metric", "outcome", "plies", "positions", "example"};
  const Result<void> counted =
      count_distances(sectors, [&](const TableHeader& header, const auto& values) {
        for (std::size_t i = 0; i < values.size(); ++i) {
          const ValueCount& value = values[i];
          const bool is_last = i + 1 == values.size() || values[i + 1].outcome != value.outcome;
          if (!is_last || !value.plies) continue;
          grid.rows.push_back({to_string(header.sector), to_string(header.metric),
                               to_string(value.outcome), *value.plies, value.positions,
                               to_string(value.example)});
        }
      });
  if (!counted) return tl::unexpected(counted.error());
  return grid;
}

/// What is seldom and surprises.
Result<Grid> curious_grid(const Sectors& sectors) {
  Grid grid;
  grid.titles = {"sector", "what", "positions", "percent", "example"};
  for (const SectorTables& tables : sectors) {
    const TableFile& file = outcomes(tables);
    const TableHeader& header = file.header();
    const auto add = [&](const char* what, std::uint64_t count, const Position& example) {
      grid.rows.push_back({to_string(header.sector), what, count, percent(count, positions(header)),
                           to_string(example)});
    };
    const int more = header.sector.mover - header.sector.opponent;
    if (more != 0) {
      const auto values = count_values(file);
      if (!values) return tl::unexpected(values.error());
      const Outcome wanted = more < 0 ? Outcome::win : Outcome::loss;
      std::uint64_t count = 0;
      const ValueCount* last = nullptr;
      for (const ValueCount& value : *values) {
        if (value.outcome != wanted) continue;
        count += value.positions;
        last = &value;
      }
      if (last != nullptr) {
        add(more < 0 ? "wins with fewer cows" : "loses with more cows", count, last->example);
      }
    }
    const auto exchanged = std::ranges::find_if(sectors, [&](const SectorTables& other) {
      return outcomes(other).header().sector == header.sector.swapped();
    });
    if (exchanged == sectors.end() || more < 0) continue;
    const auto zugzwangs = count_mutual_zugzwangs(file, outcomes(*exchanged));
    if (!zugzwangs) return tl::unexpected(zugzwangs.error());
    if (zugzwangs->example) {
      add("whoever moves loses", zugzwangs->positions, *zugzwangs->example);
    }
  }
  return grid;
}

Result<Grid> wanted_grid(const Options& options, const Sectors& sectors) {
  if (options.histogram) return histogram_grid(sectors);
  if (options.longest) return longest_grid(sectors);
  if (options.curious) return curious_grid(sectors);
  return outcome_grid(sectors, options.percent);
}

GridFormat format_of(const Options& options) {
  if (options.json) return GridFormat::json;
  return options.csv ? GridFormat::csv : GridFormat::text;
}

Result<Exit> run(const Options& options) {
  const Result<FolderContents> contents = read_table_folder(options.tables);
  if (!contents) return tl::unexpected(contents.error());

  std::map<Sector, SectorTables> by_sector;
  for (const TableFile& file : contents->tables) {
    by_sector[file.header().sector][static_cast<std::size_t>(file.header().metric)] = &file;
  }
  Sectors sectors;
  for (const auto& [_, tables] : by_sector) sectors.push_back(tables);
  std::ranges::sort(sectors, [](const SectorTables& a, const SectorTables& b) {
    return listed_before(outcomes(a).header().sector, outcomes(b).header().sector);
  });
  const Result<Grid> grid = wanted_grid(options, sectors);
  if (!grid) return tl::unexpected(grid.error());
  std::cout << to_string(*grid, format_of(options));

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
  CLI::Option_group* views = command->add_option_group("What to count");
  views->add_flag("--percent", options->percent, "Outcomes in percent of all placements");
  views->add_flag("--histogram", options->histogram,
                  "Placements of every distance, from the dtw and dtc tables");
  views->add_flag("--longest", options->longest,
                  "The longest distances of every outcome, each with an example");
  views->add_flag("--curious", options->curious,
                  "Wins with fewer cows, and placements in which whoever moves loses");
  views->require_option(0, 1);
  CLI::Option* csv = command->add_flag("--csv", options->csv, "Comma-separated values");
  command->add_flag("--json", options->json, "An array of JSON objects")->excludes(csv);
  command->footer(
      "Placements of each outcome for the player to move, symmetric ones counted each, and the\n"
      "longest distances to the end in plies (empty where the folder has no dtw tables).\n"
      "Examples:\n"
      "  mtb stats --tables tables/traditional\n"
      "  mtb stats --tables tables/traditional --histogram --csv\n"
      "  mtb stats --tables tables/traditional --longest");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace mtb::cli
