#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/gen_progress.h"
#include "cli/gen_report.h"
#include "gen/folder_lock.h"
#include "gen/generate.h"
#include "gen/plan.h"
#include "gen/speed.h"

namespace mtb::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string rules;
  std::string to;
  int total = 0;
  bool all = false;
  std::string out;
  std::vector<std::string> metrics;
  int threads = 0;
  std::string memory;
  std::string compression = "fast";
  std::string report;
  bool dry_run = false;
};

/// Keeps a report, if there is one, beside showing the progress.
class ReportedProgress : public GenerateProgress {
 public:
  ReportedProgress(bool on_terminal, GenerateReport* report)
      : GenerateProgress(on_terminal), report_(report) {}

  void kept(const PairReport& pair) override {
    GenerateProgress::kept(pair);
    if (report_ != nullptr) keep(report_->add_kept(pair));
  }
  void finished(const PairReport& pair) override {
    GenerateProgress::finished(pair);
    if (report_ != nullptr) keep(report_->add_finished(pair));
  }

  /// The first error of the report; tables are worth more, so the work goes on.
  const Result<void>& reported() const { return reported_; }

 private:
  void keep(Result<void> added) {
    if (reported_ && !added) reported_ = std::move(added);
  }

  GenerateReport* report_;
  Result<void> reported_;
};

/// Nothing when none is named.
Result<std::optional<Metrics>> wanted_metrics(const std::vector<std::string>& names) {
  if (names.empty()) return std::nullopt;
  Metrics metrics{false, false, false};
  for (const std::string& name : names) {
    const Result<Metric> metric = parse_metric(name);
    if (!metric) return tl::unexpected(metric.error());
    metrics.wdl = metrics.wdl || *metric == Metric::wdl;
    metrics.dtw = metrics.dtw || *metric == Metric::dtw;
    metrics.dtc = metrics.dtc || *metric == Metric::dtc;
  }
  return metrics;
}

Result<std::vector<Pair>> wanted_pairs(const Options& options, const RuleSet& rules) {
  if (!options.to.empty() + (options.total != 0) + options.all != 1) {
    return fail(Fault::bad_input,
                "give one of --to, --total and --all to say what to solve; see mtb gen --help");
  }
  if (options.to.empty()) {
    return pairs_up_to_total(options.all ? 2 * rules.cows : options.total, rules);
  }
  return parse_sector(options.to).and_then([&](Sector sector) {
    return pairs_needed_by(sector, rules);
  });
}

Result<GenerateOptions> generate_options(const Options& options, const NamedRules& named) {
  Result<std::vector<Pair>> pairs = wanted_pairs(options, named.rules);
  if (!pairs) return tl::unexpected(std::move(pairs.error()));
  const Result<std::optional<Metrics>> metrics = wanted_metrics(options.metrics);
  if (!metrics) return tl::unexpected(metrics.error());

  GenerateOptions wanted;
  wanted.rules = named.rules;
  wanted.pairs = std::move(*pairs);
  wanted.folder = options.out.empty() ? fs::path("tables") / named.name : fs::path(options.out);
  wanted.metrics = *metrics;
  wanted.threads = options.threads;
  const Result<std::optional<std::uint64_t>> memory = memory_limit(options.memory);
  if (!memory) return tl::unexpected(memory.error());
  wanted.memory_limit = *memory;
  wanted.compression = options.compression == "small" ? Compression::small : Compression::fast;
  wanted.generator = "mtb " MTB_VERSION;
  return wanted;
}

Result<Exit> show_plan(const GenerateOptions& wanted) {
  const Result<std::vector<PlanStep>> plan = make_plan(wanted, ClassCache());
  if (!plan) return tl::unexpected(plan.error());
  const Result<Speed> speed = measure_speed(wanted, *plan);
  if (!speed) complain(speed.error().message + "; the times are those of another machine");
  std::cout << plan_text(*plan, speed.value_or(Speed{}));
  return Exit::done;
}

Result<Exit> run(const Options& options) {
  const Result<NamedRules> named = resolve_rules(options.rules);
  if (!named) return tl::unexpected(named.error());
  const Result<GenerateOptions> wanted = generate_options(options, *named);
  if (!wanted) return tl::unexpected(wanted.error());
  if (options.dry_run) return show_plan(*wanted);
  std::optional<GenerateReport> report;
  if (!options.report.empty()) {
    // The report may be meant for the folder of the tables.
    if (Result<void> made = make_folder(wanted->folder); !made) return tl::unexpected(made.error());
    Result<GenerateReport> opened = GenerateReport::open(options.report, named->name);
    if (!opened) return tl::unexpected(opened.error());
    report.emplace(std::move(*opened));
  }
  ReportedProgress progress(isatty(STDOUT_FILENO) == 1, report ? &*report : nullptr);
  if (Result<void> done = generate(*wanted, progress); !done) return tl::unexpected(done.error());
  progress.all_done(wanted->folder.string());
  if (!progress.reported()) return tl::unexpected(progress.reported().error());
  return Exit::done;
}

}  // namespace

void add_gen_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("gen", "Solve endgames and write their tables");
  const auto options = std::make_shared<Options>();
  command->add_option("--rules", options->rules, "Name of a rule set, or a TOML file")->required();
  command->add_option("--to", options->to, "Solve this pair and all that it needs, as 5v4");
  command
      ->add_option("--total", options->total,
                   "Solve every pair with at most so many cows on the board")
      ->check(CLI::Range(2 * kMinCows, 2 * kMaxCows));
  command->add_flag("--all", options->all, "Solve every pair");
  command->add_option("--out", options->out, "Folder of the tables; by default tables/NAME");
  command
      ->add_option("--metrics", options->metrics,
                   "Tables to make, some of wdl,dtw,dtc; dtc comes with wdl. By default wdl,dtw,\n"
                   "and dtc where the rules have a draw clock")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_option("--threads", options->threads, "Number of threads; by default one a core")
      ->check(CLI::Range(1, 1024));
  command->add_option("--memory", options->memory,
                      "Make do with so much, as 8G, by leaving more on the disk;\n"
                      "by default with what is available");
  command
      ->add_option("--compression", options->compression,
                   "fast, or small: slower, for tables to hand around")
      ->check(CLI::IsMember({"fast", "small"}))
      ->capture_default_str();
  CLI::Option* report = command->add_option("--report", options->report,
                                            "Append to this file a line of CSV a sector");
  command->add_flag("--dry-run", options->dry_run, "Show the plan and what it takes, do nothing")
      ->excludes(report);
  command->footer(
      "Tables that are there and sound are kept, so an interrupted run goes on where it was.\n"
      "Example: mtb gen --rules traditional --to 5v4");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace mtb::cli
