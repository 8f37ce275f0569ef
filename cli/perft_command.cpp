#include <cstdint>
#include <iostream>
#include <memory>
#include <string>

#include "cli/arguments.h"
#include "cli/command.h"
#include "game/turns.h"

namespace mtb::cli {
namespace {

struct Options {
  std::string rules;
  int depth = 0;
  bool divide = false;
  PositionArguments position;
};

Result<Exit> run(const Options& options) {
  const Result<NamedRules> named = resolve_rules(options.rules);
  if (!named) return tl::unexpected(named.error());
  const RuleSet& rules = named->rules;
  const Result<Coordinates> coordinates = parse_coordinates(options.position.coordinates);
  if (!coordinates) return tl::unexpected(coordinates.error());
  Position position = start_position(rules);
  if (!options.position.words.empty()) {
    const Result<Position> given = read_position(options.position, rules);
    if (!given) return tl::unexpected(given.error());
    position = *given;
  }

  if (!options.divide || options.depth == 0) {
    std::cout << perft(rules, position, options.depth) << '\n';
    return Exit::done;
  }
  std::uint64_t total = 0;
  for (const Turn& turn : legal_turns(rules, position)) {
    const std::uint64_t count = perft(rules, play(rules, position, turn), options.depth - 1);
    std::cout << to_string(turn, *coordinates) << ' ' << count << '\n';
    total += count;
  }
  std::cout << "total " << total << '\n';
  return Exit::done;
}

}  // namespace

void add_perft_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("perft", "Count the sequences of turns of a given length");
  const auto options = std::make_shared<Options>();
  command->add_option("--rules", options->rules, "Name of a rule set, or a TOML file")->required();
  command->add_option("--depth", options->depth, "Turns in a sequence, with their shots")
      ->required()
      ->check(CLI::Range(0, 100));
  command->add_flag("--divide", options->divide, "Count for each first turn");
  options->position.add_to(*command);
  command->footer(
      "Without a position, from the start of the game.\n"
      "Example: mtb perft --rules malom --depth 4");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace mtb::cli
