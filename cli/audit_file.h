// Samples as options, and files of what engines answered.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "audit/audit.h"
#include "game/result.h"

namespace mtb::cli {

/// Which positions are drawn.
struct SampleArguments {
  std::size_t positions = 100;
  std::uint64_t seed = 1;
  std::vector<std::string> sectors;
  std::string outcome;
  std::string difficulty;

  /// Adds --positions, --seed, --sector and --outcome.
  void add_to(CLI::App& command);
  /// Adds --difficulty, one, few or many of what the help says.
  CLI::Option* add_difficulty_to(CLI::App& command, const std::string& help);
  /// What --difficulty said, if anything.
  std::optional<Difficulty> named_difficulty() const;
  /// Error: bad_input.
  Result<SampleSpec> spec() const;
};

/// What comparing needs of an audit.
struct AuditFile {
  std::string rules;  ///< fingerprint
  std::vector<std::string> positions;
  std::vector<bool> kept;

  /// Errors: bad_input (not such a file), not_found, system.
  static Result<AuditFile> read(const std::string& path);
};

/// Writes the answers as JSON; the file appears whole or not at all. Error: system.
Result<void> write_audit_file(const std::string& path, const RuleSet& rules,
                              const std::string& engine, const std::vector<Audited>& audited);

}  // namespace mtb::cli
