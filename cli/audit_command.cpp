#include <unistd.h>
#include <algorithm>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "audit/audit.h"
#include "cli/arguments.h"
#include "cli/audit_file.h"
#include "cli/command.h"
#include "cli/grid.h"
#include "cli/json.h"
#include "game/notation.h"
#include "game/text.h"

namespace mtb::cli {
namespace {

struct Options {
  TableArguments tables;
  SampleArguments sample;
  std::string engine;
  std::vector<std::string> engine_options;
  std::string go = "go movetime 100";
  std::uint32_t patience = 5000;
  bool play_out = false;
  std::uint32_t most_plies = 300;
  std::string keep;  ///< file for the answers
  std::vector<std::string> compare;
  bool json = false;
};

/// `NAME=VALUE`.
Result<EngineCommand> engine_command(const Options& options) {
  EngineCommand engine;
  engine.command = options.engine;
  engine.go = options.go;
  engine.patience = std::chrono::milliseconds(options.patience);
  for (const std::string& option : options.engine_options) {
    const std::size_t equals = option.find('=');
    if (equals == std::string::npos || equals == 0) {
      return fail(Fault::bad_input,
                  "--option wants NAME=VALUE, not " + quoted(std::string_view(option)));
    }
    engine.options.emplace_back(option.substr(0, equals), option.substr(equals + 1));
  }
  return engine;
}

/// A line on a terminal that says how far the work is.
class ProgressLine {
 public:
  explicit ProgressLine(std::size_t all) : all_(all), shown_(::isatty(STDERR_FILENO) == 1) {}
  ~ProgressLine() {
    if (shown_) std::cerr << "\r\x1b[K" << std::flush;
  }
  void operator()(std::size_t done) const {
    if (shown_) std::cerr << '\r' << done << " of " << all_ << " positions" << std::flush;
  }

 private:
  std::size_t all_;
  bool shown_;
};

/// The line is gone before anything else is said.
template <class Work>
auto with_progress(std::size_t all, Work work) {
  const ProgressLine progress(all);
  return work(std::cref(progress));
}

Grid score_grid(const AuditSums& sums) {
  Grid grid;
  grid.titles = {"positions of", "asked",      "kept", "accuracy", "low",
                 "high",         "plies_lost", "late", "ended",    "illegal"};
  const auto add = [&](const std::string& what, const AuditScore& score) {
    std::vector<Json> row = {what, score.positions, score.kept};
    add_rate(row, score.kept, score.positions);
    row.push_back(value_or_null(rounded(score.score.mean_plies_lost())));
    for (const std::uint64_t count : score.failures) row.push_back(count);
    grid.rows.push_back(std::move(row));
  };
  for (const auto& [sector, score] : sums.by_sector) add(mtb::to_string(sector), score);
  for (const auto& [outcome, score] : sums.by_outcome) {
    add(std::string(mtb::to_string(outcome)), score);
  }
  for (const auto& [difficulty, score] : sums.by_difficulty) {
    add(std::string(mtb::to_string(difficulty)), score);
  }
  add("all", sums.all);
  return grid;
}

Grid played_grid(const std::vector<PlayedOut>& games) {
  Grid grid;
  grid.titles = {"positions of", "games", "kept",   "accuracy", "low",       "high",
                 "wins",         "draws", "losses", "failures", "mean_plies"};
  const auto add = [&](const std::string& what, const auto& wanted) {
    std::uint64_t count = 0;
    std::uint64_t kept = 0;
    std::uint64_t plies = 0;
    std::uint64_t failures = 0;
    std::array<std::uint64_t, kOutcomeCount> results{};
    for (const PlayedOut& game : games) {
      if (!wanted(game)) continue;
      ++count;
      kept += game.kept() ? 1 : 0;
      failures += game.failure ? 1 : 0;
      plies += game.plies;
      ++results[static_cast<std::size_t>(game.result)];
    }
    if (count == 0) return;
    std::vector<Json> row = {what, count, kept};
    add_rate(row, kept, count);
    for (const Outcome result : {Outcome::win, Outcome::draw, Outcome::loss}) {
      row.push_back(results[static_cast<std::size_t>(result)]);
    }
    row.push_back(failures);
    row.push_back(value_or_null(rounded(rate_of(plies, count))));
    grid.rows.push_back(std::move(row));
  };
  for (std::size_t i = 0; i < kOutcomeCount; ++i) {
    const auto outcome = static_cast<Outcome>(i);
    add(std::string(mtb::to_string(outcome)),
        [&](const PlayedOut& game) { return game.start.outcome == outcome; });
  }
  add("all", [](const PlayedOut&) { return true; });
  return grid;
}

Result<Exit> run_compare(const Options& options) {
  const Result<AuditFile> first = AuditFile::read(options.compare[0]);
  if (!first) return tl::unexpected(first.error());
  const Result<AuditFile> second = AuditFile::read(options.compare[1]);
  if (!second) return tl::unexpected(second.error());
  if (first->positions != second->positions || first->rules != second->rules) {
    return fail(Fault::bad_input, options.compare[0] + " and " + options.compare[1] +
                                      " are not of the same positions and rules: audit both with "
                                      "the same tables, --seed and --positions");
  }
  const Comparison result = compare(first->kept, second->kept);
  Grid grid;
  grid.titles = {"positions", "both kept", "only the first", "only the second", "probability"};
  grid.rows.push_back({result.positions, result.both, result.only_first, result.only_second,
                       Json(result.probability)});
  std::cout << to_string(grid, options.json ? GridFormat::json : GridFormat::text);
  if (!options.json) {
    std::cout << "\nprobability: of so great a difference, were both as strong\n";
  }
  return Exit::done;
}

Result<Exit> run_audit(const Options& options) {
  const Result<EngineCommand> engine = engine_command(options);
  if (!engine) return tl::unexpected(engine.error());
  std::error_code none;
  const auto there = std::filesystem::symlink_status(options.keep, none);
  if (!options.keep.empty() && std::filesystem::exists(there)) {
    return fail(Fault::bad_input,
                "--keep " + options.keep + " is there already; name another file, or take it away");
  }
  const Result<SampleSpec> spec = options.sample.spec();
  if (!spec) return tl::unexpected(spec.error());
  return options.tables.open().and_then([&](const Tablebase& base) -> Result<Exit> {
    const auto sample = sample_decisions(base, *spec);
    if (!sample) return tl::unexpected(sample.error());
    if (sample->size() < spec->positions) {
      complain("of " + std::to_string(spec->positions) + " positions only " +
               std::to_string(sample->size()) + " were found");
    }
    const GridFormat format = options.json ? GridFormat::json : GridFormat::text;
    const auto status = [&](const auto& answered) {
      if (!answered.given_up) return Exit::done;
      complain(answered.given_up->message + "; it was given up at position " +
               std::to_string(answered.answers.size()) + " of " + std::to_string(sample->size()));
      return exit_of(answered.given_up->fault);
    };
    if (options.play_out) {
      const auto games =
          with_progress(sample->size(), [&](const std::function<void(std::size_t)>& told) {
            return play_out(base, *engine, *sample, options.most_plies, told);
          });
      if (!games) return tl::unexpected(games.error());
      std::cout << to_string(played_grid(games->answers), format);
      return status(*games);
    }
    const auto audited =
        with_progress(sample->size(), [&](const std::function<void(std::size_t)>& told) {
          return audit_engine(base, *engine, *sample, told);
        });
    if (!audited) return tl::unexpected(audited.error());
    // First, since it may be all that is left where the file cannot be written.
    std::cout << to_string(score_grid(sums_of(audited->answers)), format) << std::flush;
    if (!options.keep.empty()) {
      const Result<void> kept =
          write_audit_file(options.keep, base.rules(), options.engine, audited->answers);
      if (!kept) return tl::unexpected(kept.error());
    }
    return status(*audited);
  });
}

Result<Exit> run(const Options& options) {
  if (options.engine.empty() == options.compare.empty()) {
    return fail(Fault::bad_input,
                "give either --engine COMMAND or --compare A B; see mtb audit --help");
  }
  return options.compare.empty() ? run_audit(options) : run_compare(options);
}

}  // namespace

void add_audit_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("audit", "Measure an engine against solved positions");
  const auto options = std::make_shared<Options>();
  command->add_option("--engine", options->engine, "Command that starts the engine");
  command
      ->add_option("--option", options->engine_options,
                   "NAME=VALUE for the engine's setoption; may be given again. An engine that has "
                   "an option MtbRules is told the rules without that")
      ->allow_extra_args(false);
  command->add_option("--go", options->go, "How the engine is asked for a turn")
      ->capture_default_str();
  command
      ->add_option("--patience", options->patience,
                   "Milliseconds after which an answer is late, to uci and isready as well")
      ->capture_default_str()
      ->check(CLI::Range(1u, 3'600'000u));
  options->tables.add_to(*command);
  options->sample.add_to(*command);
  options->sample.add_difficulty_to(
      *command, "Only positions where one turn keeps it, two or three (few), or more (many)");
  CLI::Option* play_out = command->add_flag(
      "--play-out", options->play_out,
      "Play from every position against best play: is what is won won, and what is drawn held");
  command
      ->add_option("--most-plies", options->most_plies,
                   "After which a game that is played out is drawn")
      ->capture_default_str()
      ->check(CLI::Range(1u, 100'000u));
  command->add_option("--keep", options->keep, "File for the answers, to compare later")
      ->excludes(play_out);
  command->add_option("--compare", options->compare, "Two files of --keep: do the engines differ")
      ->expected(2);
  command->add_flag("--json", options->json, "An array of JSON objects");
  command->footer(
      "Positions are decisions: their turns differ in outcome. An answer that is late or illegal, "
      "or\n"
      "does not come, has not kept the outcome. Rates come with the interval that holds them with\n"
      "95 % confidence.\n"
      "Example: mtb audit --engine 'mtb engine --skill 90' --positions 200");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace mtb::cli
