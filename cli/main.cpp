// The command `mtb`: registers the subcommands, runs the one that is asked for, and turns its
// result into a message and an exit status.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <string>

#include "cli/arguments.h"
#include "cli/command.h"
#include "game/text.h"

namespace mtb::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  mtb rules                                     list the rule sets\n"
    "  mtb rules gar                                 show one, as a file to save and edit\n"
    "  mtb turns --rules gar '12,12 - - w'           legal turns\n"
    "  mtb perft --rules gar --depth 3               count sequences of turns\n"
    "  mtb gen --rules traditional --to 5v4          solve all endgames up to five against four\n"
    "  mtb probe '0,0 a7,b6,d2 c3,f2,g4 w'           who wins, in how many plies, by which turns\n"
    "  mtb stats --tables tables/traditional         wins, draws and losses of every sector\n"
    "  mtb info tables/traditional/5v4.dtw           what a table file says about itself\n"
    "  mtb pack tables/traditional                   make its tables small\n"
    "  mtb verify --tables tables/traditional        check every byte\n"
    "\n"
    "A position is `<hand> <white> <black> <side>`: cows in hand of White and Black, the points\n"
    "of White's and of Black's cows (`-` for none), and w or b to move; or a FEN of 17 fields.\n"
    "Exit status: 0 done, 1 no or not found, 2 usage, 3 damaged or foreign tables, 4 system.";

Exit report(const Error& error) {
  complain(error.message);
  return exit_of(error.fault);
}

/// Files must not get the numbers of standard streams that are closed, or they would be read and
/// written as such. Closed ones are opened the wrong way round, so that using them fails.
bool occupy_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    const int way = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    if (::open("/dev/null", way) != descriptor) return false;
  }
  return true;
}

/// Makes sure that all output has arrived.
Exit finish_output() {
  errno = 0;
  if (std::cout.flush()) return Exit::done;
  const std::string reason = errno != 0 ? std::string(": ") + std::strerror(errno) : "";
  complain("cannot write to standard output" + reason + "; free its disk or keep its reader open");
  return Exit::system;
}

std::string usage_message(const CLI::App& app, const CLI::ParseError& error, int argc,
                          char** argv) {
  const auto chosen = app.get_subcommands();
  if (!chosen.empty()) {
    return std::string(error.what()) + "; see mtb " + chosen.front()->get_name() + " --help";
  }
  if (argc > 1 && argv[1][0] != '-') {
    return mtb::quoted(argv[1]) + " is no subcommand; see mtb --help";
  }
  return std::string(error.what()) + "; see mtb --help";
}

/// An empty value is a script's unset variable, and no wish for the default. What an empty position
/// lacks, its own reader says better.
Result<void> refuse_empty_values(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_name() == PositionArguments::kName) continue;
    for (const std::string& value : option->results()) {
      if (value.empty()) {
        return fail(Fault::bad_input, option->get_name() +
                                          " has an empty value; give one, or see "
                                          "mtb " +
                                          command.get_name() + " --help");
      }
    }
  }
  return {};
}

Exit run(int argc, char** argv) {
  Action action;
  CLI::App app("Morabaraba endgame tables: rules, solving, and exact answers.", "mtb");
  app.set_version_flag("--version", "mtb " MTB_VERSION);
  app.require_subcommand(1);
  app.footer(kExamples);
  add_rules_command(app, action);
  add_turns_command(app, action);
  add_perft_command(app, action);
  add_gen_command(app, action);
  add_probe_command(app, action);
  add_line_command(app, action);
  add_grade_command(app, action);
  add_engine_command(app, action);
  add_audit_command(app, action);
  add_puzzles_command(app, action);
  add_stats_command(app, action);
  add_info_command(app, action);
  add_pack_command(app, action);
  add_verify_command(app, action);

  Exit status = Exit::done;
  try {
    app.parse(argc, argv);
    if (const Result<void> full = refuse_empty_values(*app.get_subcommands().front()); !full) {
      return report(full.error());
    }
    const Result<Exit> result = action();
    status = result ? *result : report(result.error());
  } catch (const CLI::Success& help) {
    app.exit(help);
  } catch (const CLI::ParseError& error) {
    complain(usage_message(app, error, argc, argv));
    status = Exit::usage;
  }
  return graver(status, finish_output());
}

}  // namespace

void complain(std::string_view message) {
  std::string line = "mtb: ";
  for (const char c : message) {
    line += static_cast<unsigned char>(c) < ' ' || c == '\x7F' ? ' ' : c;
  }
  std::cerr << line + '\n';
}

}  // namespace mtb::cli

int main(int argc, char** argv) {
  using mtb::cli::complain;
  using mtb::cli::Exit;
  // A reader that has gone, or a file that may not grow, is seen as a failed write, which is
  // reported like any other.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  if (!mtb::cli::occupy_standard_descriptors()) return static_cast<int>(Exit::system);
  std::ios::sync_with_stdio(false);
  try {
    return static_cast<int>(mtb::cli::run(argc, argv));
  } catch (const std::bad_alloc&) {
    complain("out of memory; close other programs or use a smaller --memory");
  } catch (const std::exception& error) {
    complain(std::string("unexpected failure: ") + error.what() + "; please report it");
  }
  return static_cast<int>(Exit::system);
}
