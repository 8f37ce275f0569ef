#include "cli/deep_verify.h"

#include <omp.h>

#include <algorithm>
#include <array>
#include <iomanip>
#include <iostream>
#include <memory>
#include <utility>
#include <vector>

#include "cli/arguments.h"
#include "cli/command.h"
#include "game/outcome.h"
#include "game/sector.h"
#include "verify/deep.h"
#include "verify/seam.h"

namespace mtb::cli {
namespace {

/// Counts and time, in words.
void print_words(const deep::Facts& facts, const deep::TableReport& report) {
  std::cout << facts.name << (report.faults == 0 ? ": ok: " : ": wrong: ") << report.checked
            << " of " << report.slots << " slots checked,";
  for (std::size_t i = 0; i < kOutcomeCount; ++i) {
    if (report.outcomes[i] == 0) continue;
    std::cout << ' ' << report.outcomes[i] << ' ' << to_string(static_cast<Outcome>(i)) << ',';
  }
  if (report.faults != 0) std::cout << ' ' << report.faults << " do not follow,";
  std::cout << ' ' << report.cpu_seconds << " CPU seconds\n";
  for (const deep::FaultySlot& fault : report.first) {
    std::cout << "  " << fault.position << " (slot " << fault.slot << "): " << fault.reason << '\n';
  }
}

void print_csv(const deep::Facts& facts, const deep::TableReport& report) {
  std::cout << facts.name << ',' << report.slots << ',' << report.checked;
  for (const std::uint64_t count : report.outcomes) std::cout << ',' << count;
  std::cout << ',' << report.faults << ',' << report.cpu_seconds << '\n';
  for (const deep::FaultySlot& fault : report.first) {
    complain(facts.name + ": " + fault.position + ": " + fault.reason);
  }
}

}  // namespace

Result<Exit> verify_deeply(const FolderContents& contents, const std::string& folder,
                           const DeepOptions& options) {
  const Result<std::optional<std::uint64_t>> memory = memory_limit(options.memory);
  if (!memory) return tl::unexpected(memory.error());
  std::optional<Sector> only;
  if (!options.sector.empty()) {
    const Result<Sector> sector = parse_sector(options.sector);
    if (!sector) return tl::unexpected(sector.error());
    only = *sector;
  }
  if (options.threads > 0) omp_set_num_threads(options.threads);

  Exit status = Exit::done;
  std::size_t wrong = 0;
  bool damaged = false;  // some are known to be wrong, not only unchecked
  const auto refuse = [&](const Error& error) {
    complain(error.message);
    status = graver(status, exit_of(error.fault));
    damaged = damaged || exit_of(error.fault) == Exit::damaged;
    ++wrong;
  };
  for (const Refusal& refusal : contents.refused) refuse(refusal.error);
  std::vector<std::unique_ptr<deep::CodeSource>> sources;
  for (const TableFile& table : contents.tables) {
    if (deep::has_hands(table)) {
      refuse({Fault::not_supported, table.path().string() +
                                        " has cows in hand; tables of the moving phase alone are "
                                        "checked deeply, use --level checksums"});
      continue;
    }
    if (const Result<void> prepared = table.prepare(); !prepared) {
      refuse(prepared.error());
      continue;
    }
    sources.push_back(deep::source_of(table));
  }
  if (contents.tables.empty()) return status;

  deep::DeepVerifier verifier(deep::rules_of(contents.tables.front()), std::move(sources));
  deep::Wanted wanted;
  wanted.memory_bytes = *memory;
  wanted.sample = options.sample;
  wanted.seed = options.seed;
  std::cout << std::fixed << std::setprecision(2);
  if (options.csv) {
    std::cout << "table,slots,checked,win,clock_win,draw,clock_loss,loss,faults,cpu_seconds\n";
  }
  std::size_t tables = 0;
  for (const deep::Facts& facts : verifier.tables()) {
    if (only && (facts.mover != only->mover || facts.opponent != only->opponent)) continue;
    ++tables;
    const auto report = verifier.check(facts.mover, facts.opponent, facts.metric, wanted);
    if (!report) {
      refuse({report.error().fault, facts.name + ": " + report.error().message});
      continue;
    }
    options.csv ? print_csv(facts, *report) : print_words(facts, *report);
    std::cout.flush();
    if (report->faults == 0) continue;
    status = graver(status, Exit::damaged);
    damaged = true;
    ++wrong;
  }
  if (tables == 0 && status == Exit::done) {
    return fail(Fault::not_found, "no tables of sector " + options.sector + " in " + folder +
                                      "; generate them there or name another folder");
  }
  if (!options.csv) {
    std::cout << tables << (tables == 1 ? " table, " : " tables, ") << wrong
              << (wrong == 1 ? " problem\n" : " problems\n");
  }
  if (wrong != 0) {
    complain(std::to_string(wrong) + " of the tables in " + folder +
             " are not shown to be right, see above" +
             (damaged ? "; wrong ones are best generated again" : ""));
  }
  return status;
}

}  // namespace mtb::cli
