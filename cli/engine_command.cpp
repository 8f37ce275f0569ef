#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/arguments.h"
#include "cli/command.h"
#include "engine/protocol.h"
#include "probe/rules_name.h"

namespace mtb::cli {
namespace {

struct Options {
  TableArguments tables;
  std::string who = "tables";
  std::string skill = "100";
  std::string depth = "4";
  std::string seed = "1";
};

Result<Exit> run(const Options& options) {
  const auto named =
      resolve_rules(options.tables.rules.empty() ? "traditional" : options.tables.rules);
  if (!named) return tl::unexpected(named.error());
  EngineSettings settings;
  settings.rules = named->rules;
  settings.folders = options.tables.folders;
  settings.usual_folders = [named](const RuleSet& rules) {
    const std::string name(rules == named->rules ? named->name : *rule_set_name(rules));
    std::vector<std::string> folders;
    for (const auto& folder : default_table_folders(name)) folders.push_back(folder.string());
    return folders;
  };
  settings.name = std::string("mtb ") + MTB_VERSION;
  Engine engine(std::move(settings), std::cout);
  for (const auto& [name, value] : {std::pair("Player", options.who),
                                    {"Skill", options.skill},
                                    {"Depth", options.depth},
                                    {"Seed", options.seed}}) {
    engine.obey(std::string("setoption name ") + name + " value " + value);
  }
  // Reading would flush what the thinking thread writes.
  std::cin.tie(nullptr);
  for (std::string line; std::getline(std::cin, line);) {
    if (!engine.obey(line)) break;
  }
  return Exit::done;
}

}  // namespace

void add_engine_command(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("engine", "Play by the tables, in the protocol of mill engines");
  const auto options = std::make_shared<Options>();
  options->tables.add_to(*command);
  command->add_option("--player", options->who, "Who plays: tables, search, greedy, random")
      ->capture_default_str()
      ->check(CLI::IsMember({"tables", "search", "greedy", "random"}));
  command
      ->add_option("--skill", options->skill,
                   "Percent of decisions in which the outcome is kept; the rest are errors")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 100.0));
  command->add_option("--depth", options->depth, "Plies to search beyond the tables")
      ->capture_default_str()
      ->check(CLI::Range(1, 12));
  command->add_option("--seed", options->seed, "Of all chance")
      ->capture_default_str()
      ->check(seed_number());
  command->footer(
      "Commands come on standard input: uci, setoption, position, go, quit (see "
      "engine/README.md).\n"
      "Example: mtb engine --rules tournament --skill 90");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace mtb::cli
