// What main() and the subcommands share: each file *_command.cpp registers one subcommand, which
// parses its options, calls the libraries and prints.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string_view>

#include "cli/exit.h"
#include "game/result.h"

namespace mtb::cli {

/// The work of the subcommand that was chosen. It prints its answer to std::cout and what is
/// wrong on the way with complain(); an error it returns is printed by main().
using Action = std::function<Result<Exit>()>;

/// Each adds a subcommand that sets `action` when it is chosen; `action` must outlive `app`.
void add_rules_command(CLI::App& app, Action& action);
void add_turns_command(CLI::App& app, Action& action);
void add_perft_command(CLI::App& app, Action& action);
void add_gen_command(CLI::App& app, Action& action);
void add_probe_command(CLI::App& app, Action& action);
void add_line_command(CLI::App& app, Action& action);
void add_grade_command(CLI::App& app, Action& action);
void add_engine_command(CLI::App& app, Action& action);
void add_audit_command(CLI::App& app, Action& action);
void add_puzzles_command(CLI::App& app, Action& action);
void add_stats_command(CLI::App& app, Action& action);
void add_info_command(CLI::App& app, Action& action);
void add_pack_command(CLI::App& app, Action& action);
void add_verify_command(CLI::App& app, Action& action);

/// Prints `mtb: message` as one line on standard error, whatever the message holds.
void complain(std::string_view message);

}  // namespace mtb::cli
