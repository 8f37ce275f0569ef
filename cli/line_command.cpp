#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/grid.h"
#include "cli/json.h"
#include "cli/words.h"
#include "game/notation.h"
#include "game/repetition.h"
#include "probe/tablebase.h"

namespace mtb::cli {
namespace {

struct Options {
  TableArguments tables;
  PositionArguments position;
  std::uint32_t drawn_plies = 20;
  bool boards = false;
  bool csv = false;
  bool json = false;
};

/// A turn of best play: what it leads from and to.
struct Step {
  Position before;
  Evaluation value;  ///< of `before`, for its player to move
  Turn turn;
};

/// Best play by both sides.
struct Line {
  std::vector<Step> steps;
  Position last;
  std::string end;  ///< why it goes no further
};

/// To the end from a decided position. A drawn one is played on for `drawn_plies`, or until a
/// position comes again.
Result<Line> play_best(const Tablebase& base, const Position& start, std::uint32_t drawn_plies) {
  Line line;
  line.last = start;
  Repetitions seen;
  seen.add(start);
  for (;;) {
    const Result<std::vector<Turn>> turns = base.best_line(line.last);
    if (!turns) return tl::unexpected(turns.error());
    if (turns->empty()) {
      line.end = how_it_ended(base.rules(), line.last);
      return line;
    }
    for (const Turn& turn : *turns) {
      const Result<Evaluation> value = base.probe(line.last);
      if (!value) return tl::unexpected(value.error());
      line.steps.push_back({line.last, *value, turn});
      line.last = play(base.rules(), line.last, turn);
    }
    // Lines of more than a turn go to the end.
    if (turns->size() > 1) continue;
    if (seen.add(line.last) > 1) {
      line.end = "the position was there before";
      return line;
    }
    if (line.steps.size() >= drawn_plies && verdict(base.rules(), line.last) == Verdict::open) {
      line.end = "and so on";
      return line;
    }
  }
}

Grid grid_of(const Line& line, const Options& options, Coordinates coordinates) {
  Grid grid;
  grid.titles = {"ply", "side", "turn", "outcome", "dtc", "dtw"};
  const bool positions = options.csv || options.json;
  if (positions) grid.titles.push_back("position");
  for (std::size_t i = 0; i < line.steps.size(); ++i) {
    const Step& step = line.steps[i];
    std::vector<Json> row = {i + 1,
                             to_text(step.before.side),
                             to_string(step.turn, coordinates),
                             to_string(step.value.outcome),
                             value_or_null(step.value.dtc),
                             value_or_null(step.value.dtw)};
    if (positions) row.push_back(to_string(step.before, coordinates));
    grid.rows.push_back(std::move(row));
  }
  return grid;
}

void print(const Line& line, const RuleSet& rules, const Options& options,
           Coordinates coordinates) {
  const Grid grid = grid_of(line, options, coordinates);
  if (options.csv || options.json) {
    std::cout << to_string(grid, options.json ? GridFormat::json : GridFormat::csv);
    return;
  }
  const Position& start = line.steps.empty() ? line.last : line.steps.front().before;
  std::cout << draw_board(start, rules.diagonals) << '\n';
  if (options.boards) {
    for (std::size_t i = 0; i < line.steps.size(); ++i) {
      const Step& step = line.steps[i];
      std::cout << i + 1 << ". " << to_text(step.before.side) << ' '
                << to_string(step.turn, coordinates) << "\n\n"
                << draw_board(play(rules, step.before, step.turn), rules.diagonals) << '\n';
    }
  }
  if (!line.steps.empty()) std::cout << to_string(grid, GridFormat::text);
  std::cout << (line.steps.empty() ? "" : "\n") << line.end << '\n';
}

Result<Exit> run(const Options& options) {
  const Result<Coordinates> coordinates = parse_coordinates(options.position.coordinates);
  if (!coordinates) return tl::unexpected(coordinates.error());
  return options.tables.open().and_then([&](const Tablebase& base) {
    return read_position(options.position, base.rules())
        .and_then([&](const Position& position) {
          return play_best(base, position, options.drawn_plies);
        })
        .map([&](const Line& line) {
          print(line, base.rules(), options, *coordinates);
          return Exit::done;
        });
  });
}

}  // namespace

void add_line_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("line", "Play a position out, best play by both sides");
  const auto options = std::make_shared<Options>();
  options->tables.add_to(*command);
  options->position.add_to(*command)->required();
  command
      ->add_option("--drawn-plies", options->drawn_plies,
                   "Turns after which a drawn game is left, or where distances are not stored")
      ->capture_default_str()
      ->check(CLI::Range(1u, 10000u));
  CLI::Option* boards = command->add_flag("--boards", options->boards, "Draw every position");
  CLI::Option* csv =
      command->add_flag("--csv", options->csv, "Comma-separated values")->excludes(boards);
  command->add_flag("--json", options->json, "An array of JSON objects")
      ->excludes(csv)
      ->excludes(boards);
  command->footer(
      "Outcomes and distances are those before the turn, for its player: dtc in plies to the next\n"
      "shot, dtw to the end without a draw clock. Every turn keeps the outcome; of those that do, "
      "the\n"
      "winner takes one that is quickest to the end and the loser one that is slowest. Where "
      "rules\n"
      "have a clock that does not run yet, they go by the next shot, as `mtb probe` ranks them.\n"
      "Example: mtb line '0,0 a7,b6,d2 c3,f2,g4 w'");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace mtb::cli
