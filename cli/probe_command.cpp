#include <iostream>
#include <memory>
#include <set>
#include <string>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/input_file.h"
#include "cli/probe_report.h"
#include "probe/tablebase.h"

namespace mtb::cli {
namespace {

struct Options {
  TableArguments tables;
  PositionArguments position;
  bool json = false;
  std::string batch;
};

/// Turns behind which a table is damaged make an answer a doubtful one; a table that is only
/// missing does not.
Exit status_of(const ProbeReport& report) {
  Exit status = Exit::done;
  for (const RankedTurn& ranked : report.turns) {
    if (ranked.value || ranked.value.error().fault == Fault::not_found) continue;
    complain(ranked.value.error().message);
    status = graver(status, exit_of(ranked.value.error().fault));
  }
  return status;
}

Result<Exit> run_one(const Options& options, const Tablebase& base, Coordinates coordinates) {
  return read_position(options.position, base.rules())
      .and_then([&](const Position& position) { return probe_report(base, position, coordinates); })
      .map([&](const ProbeReport& report) {
        std::cout << (options.json ? to_json(report) : to_text(report));
        for (const Refusal& refusal : base.refused()) {
          complain("not used: " + refusal.error.message);
        }
        return status_of(report);
      });
}

/// Answers the lines of a batch, one for one.
class Batch {
 public:
  Batch(const Tablebase& base, Coordinates coordinates) : base_(base), coordinates_(coordinates) {}

  Exit status() const { return status_; }

  /// `outcome,dtw,dtc`; an empty line for a blank line or one that starts with `#`.
  std::string answer(const std::string& line) {
    ++number_;
    const std::size_t start = line.find_first_not_of(" \t\r");
    if (start == std::string::npos || line[start] == '#') return "";
    const Result<Evaluation> value =
        read_position(line, coordinates_, base_.rules()).and_then([&](const Position& position) {
          return base_.probe(position);
        });
    if (!value) {
      note(value.error());
      return ",,";
    }
    const auto text = [](const auto& plies) { return plies ? std::to_string(*plies) : ""; };
    return std::string(to_string(value->outcome)) + ',' + text(value->dtw) + ',' + text(value->dtc);
  }

 private:
  /// Tells what is wrong: a line's own fault with its number, that of a table once.
  void note(const Error& error) {
    status_ = graver(status_, exit_of(error.fault));
    if (exit_of(error.fault) == Exit::usage) {
      complain("line " + std::to_string(number_) + ": " + error.message);
    } else if (told_.insert(error.message).second) {
      complain(error.message);
    }
  }

  const Tablebase& base_;
  Coordinates coordinates_;
  std::uint64_t number_ = 0;
  Exit status_ = Exit::done;
  std::set<std::string> told_;
};

Result<Exit> run_batch(const Options& options, const Tablebase& base, Coordinates coordinates) {
  Result<InputFile> input = InputFile::open(options.batch);
  if (!input) return tl::unexpected(input.error());
  std::istream& in = input->stream();
  Batch batch(base, coordinates);
  std::string line;
  while (std::cout && std::getline(in, line)) {
    std::cout << batch.answer(line) << '\n';
    // A program that waits for this answer before it sends more gets it now.
    if (input->is_standard_input() && in.rdbuf()->in_avail() <= 0) std::cout.flush();
  }
  if (auto error = input->failure()) return tl::unexpected(std::move(*error));
  return batch.status();
}

Result<Exit> run(const Options& options) {
  const Result<Coordinates> coordinates = parse_coordinates(options.position.coordinates);
  if (!coordinates) return tl::unexpected(coordinates.error());
  if (options.batch.empty() == options.position.words.empty()) {
    return fail(Fault::bad_input, "give either a position or --batch FILE; see mtb probe --help");
  }
  return options.tables.open().and_then([&](const Tablebase& base) {
    return options.batch.empty() ? run_one(options, base, *coordinates)
                                 : run_batch(options, base, *coordinates);
  });
}

}  // namespace

void add_probe_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("probe", "Ask the tables about positions");
  const auto options = std::make_shared<Options>();
  options->tables.add_to(*command);
  options->position.add_to(*command);
  CLI::Option* json = command->add_flag("--json", options->json, "Answer as JSON");
  command
      ->add_option("--batch", options->batch,
                   "File with a position a line (- for standard input), answered by "
                   "outcome,dtw,dtc a line")
      ->excludes(json);
  command->footer(
      "Outcomes are those of the player to move, and of a turn those of its player.\n"
      "Examples:\n"
      "  mtb probe '0,0 a7,b6,d2 c3,f2,g4 w'\n"
      "  mtb probe --rules koti --json '0,0 a7,b6,d2 c3,f2,g4 w'\n"
      "  mtb probe --tables tables/malom --batch positions.txt");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace mtb::cli
