#include <iomanip>
#include <iostream>
#include <memory>
#include <string>

#include "cli/arguments.h"
#include "cli/command.h"
#include "probe/rules_name.h"

namespace mtb::cli {
namespace {

void list_rule_sets() {
  for (const NamedRuleSet& named : named_rule_sets()) {
    std::cout << std::left << std::setw(18) << named.name << named.source << '\n';
  }
}

Result<Exit> show_rule_set(const std::string& text) {
  return resolve_rules(text).map([](const NamedRules& named) {
    // The fingerprint is a comment, so that the output is itself a file of rules.
    std::cout << "# fingerprint " << hexadecimal(fingerprint(named.rules)) << '\n'
              << canonical_text(named.rules);
    return Exit::done;
  });
}

}  // namespace

void add_rules_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("rules", "List the rule sets, or show one");
  const auto name = std::make_shared<std::string>();
  command->add_option("NAME", *name, "Name of a rule set, or a TOML file");
  command->footer(
      "Examples:\n"
      "  mtb rules\n"
      "  mtb rules gar > mine.toml     then edit it and use it with --rules mine.toml");
  command->callback([name, &action] {
    action = [name]() -> Result<Exit> {
      if (!name->empty()) return show_rule_set(*name);
      list_rule_sets();
      return Exit::done;
    };
  });
}

}  // namespace mtb::cli
