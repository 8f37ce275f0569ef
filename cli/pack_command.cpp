#include <algorithm>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <string>

#include "cli/arguments.h"
#include "cli/command.h"
#include "format/table_packer.h"
#include "gen/folder_lock.h"

namespace mtb::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string folder;
  std::string out;
  int threads = 0;
};

/// Bytes before and after, and slots.
struct Sum {
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  std::uint64_t slots = 0;
};

void print_line(const std::string& name, std::string_view metric, const Sum& sum,
                std::string_view note) {
  const double bits = 8 * static_cast<double>(sum.after) / static_cast<double>(sum.slots);
  std::cout << std::left << std::setw(8) << name << std::setw(8) << metric << std::right
            << std::setw(14) << sum.before << std::setw(14) << sum.after << std::setw(12)
            << std::fixed << std::setprecision(4) << bits << note << std::endl;
}

Result<Exit> run(const Options& options) {
  // Looked at before the lock as well, so that no folder that is none gets a file for it.
  if (const auto there = read_table_folder(options.folder); !there) {
    return tl::unexpected(there.error());
  }
  const fs::path target = options.out.empty() ? options.folder : options.out;
  if (auto made = make_folder(target); !made) return tl::unexpected(made.error());
  const Result<FolderLock> lock = FolderLock::take(target);
  if (!lock) return tl::unexpected(lock.error());
  const Result<FolderContents> contents = read_table_folder(options.folder);
  if (!contents) return tl::unexpected(contents.error());

  Exit status = Exit::done;
  for (const Refusal& refusal : contents->refused) {
    complain(refusal.error.message);
    status = graver(status, exit_of(refusal.error.fault));
  }
  const ClassCache cache;
  if (contents->rules && !options.out.empty()) {
    // Tables of other rules have the same names.
    if (auto one = check_rules(target, fingerprint(*contents->rules), cache); !one) {
      return tl::unexpected(one.error());
    }
  }
  PackOptions pack;
  pack.generator = "mtb " MTB_VERSION;
  pack.threads = options.threads;
  std::map<Metric, Sum> sums;
  std::cout << "sector  metric          before         after  bits a slot\n";
  for (const TableFile& table : contents->tables) {
    const fs::path path = table.path();
    const auto packed =
        pack_table(table, options.out.empty() ? path : target / path.filename(), pack, cache);
    if (!packed) {
      complain(packed.error().message);
      status = graver(status, exit_of(packed.error().fault));
      if (packed.error().fault == Fault::system) return status;
      continue;
    }
    const TableHeader& header = packed->header;
    const Sum sum = {table.header().file_bytes, header.file_bytes, header.slots};
    print_line(to_string(header.sector), to_string(header.metric), sum,
               packed->kept ? "  kept" : "");
    Sum& total = sums[header.metric];
    total = {total.before + sum.before, total.after + sum.after, total.slots + sum.slots};
  }
  for (const auto& [metric, sum] : sums) print_line("total", to_string(metric), sum, "");
  return status;
}

}  // namespace

void add_pack_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("pack", "Make tables small, to hand them around");
  const auto options = std::make_shared<Options>();
  command->add_option("DIR", options->folder, "Folder of tables")->required();
  command->add_option("--out", options->out, "Folder of the packed tables; by default DIR itself");
  command->add_option("--threads", options->threads, "Number of threads; by default one a core")
      ->check(CLI::Range(1, 1024));
  command->footer(
      "Values stay the same. Each file is replaced when its packed form is whole and was read\n"
      "back; packed ones are kept, so an interrupted run goes on where it was.\n"
      "Example: mtb pack tables/traditional");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace mtb::cli
