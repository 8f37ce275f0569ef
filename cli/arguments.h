// Arguments that several subcommands read alike.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "game/notation.h"
#include "game/position.h"
#include "game/result.h"
#include "game/rule_set.h"
#include "probe/folder.h"
#include "probe/tablebase.h"

namespace mtb::cli {

/// Rules and the name of the folder where their tables are looked for.
struct NamedRules {
  RuleSet rules;
  std::string name;  ///< of the rule set; of the file, without its ending, when it is unknown
};

/// `text` is the name of a rule set or the path of a TOML file; names come first.
/// Errors: bad_input (neither, or the file's text), system.
Result<NamedRules> resolve_rules(const std::string& text);

/// Refuses what is no whole number from 0 to 2^64 - 1, which the parser would take for the nearest.
CLI::Validator seed_number();

/// Which tables are asked.
struct TableArguments {
  std::vector<std::string> folders;
  std::string rules;

  /// Adds --tables and --rules.
  void add_to(CLI::App& command);
  /// Errors: of resolve_rules() and Tablebase::open(); not_found when there are no tables by
  /// default.
  Result<Tablebase> open() const;
};

/// A position as people type it.
struct PositionArguments {
  static constexpr const char* kName = "POSITION";

  std::vector<std::string> words;  ///< one quoted argument or one per field
  std::string coordinates = "standard";

  /// Adds POSITION, which is returned, and --coordinates.
  CLI::Option* add_to(CLI::App& command);
};

/// Reads and validates a position. Error: bad_input.
Result<Position> read_position(const std::string& text, Coordinates coordinates,
                               const RuleSet& rules);
Result<Position> read_position(const PositionArguments& arguments, const RuleSet& rules);

/// The tables of one folder; at least one file with the name of a table is there.
/// Errors: not_found, system.
Result<FolderContents> read_table_folder(const std::filesystem::path& folder);

/// Where tables of these rules are by default: `tables/NAME` in the current folder, then those
/// that ship with the program; only folders that are there.
std::vector<std::filesystem::path> default_table_folders(const std::string& name);

/// What `--memory TEXT` allows, in bytes: `8G`; without a text, most of what is available, or
/// nothing where the system does not say how much that is. Error: bad_input.
Result<std::optional<std::uint64_t>> memory_limit(const std::string& text);

}  // namespace mtb::cli
