#include <iostream>
#include <memory>
#include <string>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/words.h"
#include "game/turns.h"

namespace mtb::cli {
namespace {

struct Options {
  std::string rules;
  PositionArguments position;
};

Result<Exit> run(const Options& options) {
  const Result<NamedRules> named = resolve_rules(options.rules);
  if (!named) return tl::unexpected(named.error());
  const RuleSet& rules = named->rules;
  const Result<Position> position = read_position(options.position, rules);
  if (!position) return tl::unexpected(position.error());
  const Result<Coordinates> coordinates = parse_coordinates(options.position.coordinates);
  if (!coordinates) return tl::unexpected(coordinates.error());

  if (verdict(rules, *position) != Verdict::open) {
    return fail(Fault::not_found, "no turns, the game is over: " + how_it_ended(rules, *position));
  }
  for (const Turn& turn : legal_turns(rules, *position)) {
    std::cout << to_string(turn, *coordinates) << '\n';
  }
  return Exit::done;
}

}  // namespace

void add_turns_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("turns", "List the legal turns, one a line");
  const auto options = std::make_shared<Options>();
  command->add_option("--rules", options->rules, "Name of a rule set, or a TOML file")->required();
  options->position.add_to(*command)->required();
  command->footer(
      "A turn is one token: d6 places, d6-d5 moves or flies, xb4 at its end shoots, x- declines\n"
      "the shot, -- passes.\n"
      "Example: mtb turns --rules traditional '0,0 a7,b6,d2 c3,f2,g4 w'");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace mtb::cli
