#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/deep_verify.h"

namespace mtb::cli {
namespace {

struct Options {
  std::string tables = "tables/traditional";
  std::string level = "checksums";
  DeepOptions deep;
  std::string only_deep;  ///< an option that was given and is for deep checks alone
};

/// How a file that failed is described, by what is wrong with it.
std::string_view fault_word(Fault fault) {
  switch (fault) {
    case Fault::foreign:
      return "foreign";
    case Fault::system:
    case Fault::not_found:
    case Fault::out_of_memory:
    case Fault::too_many_files:
    case Fault::not_cached:
    case Fault::stopped:
      return "unreadable";
    case Fault::damaged:
    case Fault::bad_input:
    case Fault::not_supported:
      break;
  }
  return "damaged";
}

class Report {
 public:
  void sound(const std::filesystem::path& path) {
    ++files_;
    std::cout << path.filename().string() << ": ok\n";
  }
  void wrong(const std::filesystem::path& path, const Error& error) {
    ++files_;
    ++problems_;
    // A file that vanished while it was being checked is a failure of the system.
    status_ =
        graver(status_, error.fault == Fault::not_found ? Exit::system : exit_of(error.fault));
    std::cout << path.filename().string() << ": " << fault_word(error.fault) << ": "
              << error.message << '\n';
  }
  void finish(const std::string& folder) const {
    std::cout << files_ << (files_ == 1 ? " file, " : " files, ") << problems_
              << (problems_ == 1 ? " problem\n" : " problems\n");
    if (problems_ > 0) {
      complain(std::to_string(problems_) + " of " + std::to_string(files_) + " files in " + folder +
               " cannot be used; damaged ones are best deleted and generated again, for the others "
               "see their lines");
    }
  }
  Exit status() const { return status_; }

 private:
  std::size_t files_ = 0;
  std::size_t problems_ = 0;
  Exit status_ = Exit::done;
};

Result<Exit> run(const Options& options) {
  const bool deep = options.level == "deep";
  if (!deep && options.level != "checksums" && options.level != "header") {
    return fail(Fault::bad_input,
                "--level " + options.level + " is none of header, checksums, deep");
  }
  if (!deep && !options.only_deep.empty()) {
    return fail(Fault::bad_input, options.only_deep + " is for deep checks; add --level deep");
  }
  const Result<FolderContents> contents = read_table_folder(options.tables);
  if (!contents) return tl::unexpected(contents.error());
  if (deep) return verify_deeply(*contents, options.tables, options.deep);

  Report report;
  for (const TableFile& table : contents->tables) {
    const Result<void> checked = options.level == "header" ? Result<void>() : table.verify();
    checked ? report.sound(table.path()) : report.wrong(table.path(), checked.error());
    std::cout.flush();  // large files take a while
  }
  for (const Refusal& refusal : contents->refused) report.wrong(refusal.path, refusal.error);
  report.finish(options.tables);
  return report.status();
}

}  // namespace

void add_verify_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("verify", "Check the tables of a folder");
  const auto options = std::make_shared<Options>();
  command->add_option("--tables", options->tables, "Folder of tables")->capture_default_str();
  command
      ->add_option(
          "--level", options->level,
          "header: headers alone; checksums: every byte and all counts; deep: whether every "
          "value follows from those of all turns")
      ->capture_default_str();
  const std::string kDeep = "With --level deep";
  DeepOptions& deep = options->deep;
  command->add_option("--sector", deep.sector, "Only this one, as 5v4")->group(kDeep);
  CLI::Option* sample =
      command->add_option("--sample", deep.sample, "So many slots of each table, drawn at random")
          ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 32))
          ->group(kDeep);
  command->add_option("--seed", deep.seed, "Of the sample")
      ->check(seed_number())
      ->capture_default_str()
      ->needs(sample)
      ->group(kDeep);
  command->add_option("--threads", deep.threads, "Threads to work with; all without it")
      ->check(CLI::Range(1, 1024))
      ->group(kDeep);
  command->add_option("--memory", deep.memory, "Most memory to take, as 8G")->group(kDeep);
  command->add_flag("--csv", deep.csv, "Comma-separated values")->group(kDeep);
  command->footer(
      "Examples: mtb verify --tables tables/traditional\n"
      "          mtb verify --tables tables/traditional --level deep --sector 5v4");
  command->callback([options, command, kDeep, &action] {
    for (const CLI::Option* option : command->get_options()) {
      if (option->get_group() == kDeep && option->count() > 0) {
        options->only_deep = option->get_name();
      }
    }
    action = [options] { return run(*options); };
  });
}

}  // namespace mtb::cli
