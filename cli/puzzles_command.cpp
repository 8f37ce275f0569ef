#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/audit_file.h"
#include "cli/command.h"
#include "cli/words.h"
#include "engine/search.h"
#include "game/notation.h"
#include "game/record.h"
#include "probe/rules_name.h"

namespace mtb::cli {
namespace {

struct Options {
  TableArguments tables;
  SampleArguments sample;
  std::uint32_t longest = 0;  ///< plies to the end at most; 0: any
  std::uint32_t shortest = 1;
  int tempting = 1;
};

/// How many plies a player who only counts cows looks ahead.
constexpr int kTemptedDepth = 2;
/// Positions drawn for one that is wanted, at most.
constexpr std::size_t kMostDrawn = 50;

/// Turns that throw the outcome away, and look to a shallow search at least as good as the one that
/// keeps it: how many a solver has to see through.
int tempting_turns(const Tablebase& base, const Position& position, const Position& solved) {
  const std::vector<SearchedTurn> turns = search_turns(base.rules(), position, kTemptedDepth);
  int right = 0;
  for (const SearchedTurn& turn : turns) {
    if (play(base.rules(), position, turn.turn) == solved) right = turn.score;
  }
  int count = 0;
  for (const SearchedTurn& turn : turns) {
    if (turn.score >= right && play(base.rules(), position, turn.turn) != solved) ++count;
  }
  return count;
}

std::string task(const Sampled& puzzle) {
  const std::string side = to_text(puzzle.position.side);
  switch (puzzle.outcome) {
    case Outcome::win:
      return side + " to move and win";
    case Outcome::clock_win:
    case Outcome::draw:
      return side + " to move and draw";
    default:
      return side + " to move and hold by the draw clock";
  }
}

Result<GameRecord> record_of(const Tablebase& base, const Sampled& puzzle, std::size_t number,
                             int tempting) {
  Result<std::vector<Turn>> line = base.best_line(puzzle.position);
  if (!line) return tl::unexpected(line.error());
  GameRecord record;
  const auto add = [&](const char* name, const std::string& value) {
    record.tags.emplace_back(name, value);
  };
  add("Event", "Puzzle " + std::to_string(number));
  if (const auto name = rule_set_name(base.rules())) add("Rules", std::string(*name));
  add("Position", to_string(puzzle.position));
  add("FEN", to_fen(puzzle.position));
  add("Task", task(puzzle));
  add("Sector", to_string(puzzle.position.sector()));
  if (puzzle.dtw) add("Plies", std::to_string(*puzzle.dtw));
  add("Turns", std::to_string(puzzle.turns));
  add("Tempting", std::to_string(tempting));
  for (const Turn& turn : *line) record.turns.push_back({to_string(turn), 0, ""});
  if (!record.turns.empty()) record.turns.front().comment = "the only turn that does it";
  const bool white_wins =
      (puzzle.outcome == Outcome::win) == (puzzle.position.side == Colour::white);
  const bool decided = puzzle.outcome == Outcome::win || puzzle.outcome == Outcome::loss;
  record.result = !decided ? "1/2-1/2" : white_wins ? "1-0" : "0-1";
  return record;
}

Result<Exit> run(const Options& options) {
  Result<SampleSpec> spec = options.sample.spec();
  if (!spec) return tl::unexpected(spec.error());
  const std::size_t wanted = spec->positions;
  spec->difficulty = Difficulty::only_turn;
  const std::optional<Difficulty> difficulty = options.sample.named_difficulty();
  return options.tables.open().and_then([&](const Tablebase& base) -> Result<Exit> {
    std::size_t found = 0;
    std::size_t looked_at = 0;
    // A larger sample begins with the smaller one.
    for (spec->positions = wanted; found < wanted; spec->positions *= 2) {
      const auto sample = sample_decisions(base, *spec);
      if (!sample) return tl::unexpected(sample.error());
      for (; looked_at < sample->size() && found < wanted; ++looked_at) {
        const Sampled& puzzle = (*sample)[looked_at];
        const bool fits = (options.longest == 0 && options.shortest <= 1) ||
                          (puzzle.dtw && *puzzle.dtw >= options.shortest &&
                           (options.longest == 0 || *puzzle.dtw <= options.longest));
        if (!fits) continue;
        const auto ranked = base.rank(puzzle.position);
        if (!ranked) return tl::unexpected(ranked.error());
        const int tempting = tempting_turns(base, puzzle.position, ranked->front().position);
        if (tempting < options.tempting) continue;
        // As turns that keep the outcome are counted, so are those that only seem to.
        if (difficulty &&
            (tempting == 0 || difficulty_of(static_cast<std::uint32_t>(tempting)) != *difficulty)) {
          continue;
        }
        const Result<GameRecord> record = record_of(base, puzzle, ++found, tempting);
        if (!record) return tl::unexpected(record.error());
        std::cout << to_string(*record, puzzle.position.side == Colour::black);
      }
      if (sample->size() < spec->positions || spec->positions > wanted * kMostDrawn) break;
    }
    if (found < wanted) {
      complain("of " + std::to_string(wanted) + " puzzles only " + std::to_string(found) +
               " were found; ask for less, or name more tables");
    }
    return found == 0 ? Exit::no : Exit::done;
  });
}

}  // namespace

void add_puzzles_command(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("puzzles", "Find positions with exactly one turn that keeps the outcome");
  const auto options = std::make_shared<Options>();
  options->tables.add_to(*command);
  options->sample.positions = 10;
  options->sample.add_to(*command);
  command->add_option("--shortest", options->shortest, "Plies to the end at least")
      ->capture_default_str();
  command->add_option("--longest", options->longest, "Plies to the end at most (0: any)")
      ->capture_default_str();
  CLI::Option* tempting =
      command
          ->add_option("--tempting", options->tempting,
                       "Wrong turns at least that look as good as the right one, two plies ahead")
          ->capture_default_str()
          ->check(CLI::NonNegativeNumber);
  options->sample
      .add_difficulty_to(
          *command, "Only puzzles with one such wrong turn, two or three (few), or more (many)")
      ->excludes(tempting);
  command->footer(
      "Puzzles are records with the solution as their turns; the same seed gives the same ones.\n"
      "Example: mtb puzzles --rules tournament --positions 5 --outcome win --longest 15");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace mtb::cli
