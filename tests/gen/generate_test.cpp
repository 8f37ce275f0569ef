#include "gen/generate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "format/table.h"
#include "gen/folder_lock.h"
#include "tests/gen/solved_family.h"
#include "tests/shipped_tables.h"
#include "tests/temporary_folder.h"

namespace mtb {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using tests::read_file;
using tests::TemporaryFolder;
using tests::write_file;

/// Writes down what happens.
class Recorder : public GenerateObserver {
 public:
  void kept(const PairReport& report) override {
    kept_pairs.push_back(to_string(report.step.pair));
  }
  void damaged(const Error& error) override { damages.push_back(error.message); }
  void started(const PlanStep& step) override { started_pairs.push_back(to_string(step.pair)); }
  void finished(const PairReport& report) override { reports.push_back(report); }

  std::vector<std::string> kept_pairs;
  std::vector<std::string> damages;
  std::vector<std::string> started_pairs;
  std::vector<PairReport> reports;
};

GenerateOptions options_for(std::string_view rules, Sector sector, const fs::path& folder) {
  GenerateOptions options;
  options.rules = rules_named(rules);
  options.pairs = *pairs_needed_by(sector, options.rules);
  options.folder = folder;
  options.generator = "a test";
  return options;
}

std::vector<std::string> files_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().filename() != ".lock") names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::map<std::string, std::string> contents_of(const fs::path& folder) {
  std::map<std::string, std::string> contents;
  for (const std::string& name : files_in(folder)) contents[name] = read_file(folder / name);
  return contents;
}

TEST(Generating, MakesATableOfEachMetricForEachSector) {
  const TemporaryFolder folder;
  Recorder recorder;
  ASSERT_TRUE(generate(options_for("malom", {4, 3, 0, 0}, folder.path()), recorder));
  EXPECT_THAT(files_in(folder.path()),
              ElementsAre("3v3.dtw", "3v3.wdl", "3v4.dtw", "3v4.wdl", "4v3.dtw", "4v3.wdl"));
  EXPECT_THAT(recorder.started_pairs, ElementsAre("3v3", "4v3"));
  const ClassCache cache;
  for (const std::string& name : files_in(folder.path())) {
    const auto table = TableFile::open(folder / name, cache);
    ASSERT_TRUE(table) << table.error().message;
    EXPECT_TRUE(table->verify()) << name;
  }
}

TEST(Generating, SaysInOutcomesAndDistancesTheSame) {
  const TemporaryFolder folder;
  Recorder recorder;
  ASSERT_TRUE(generate(options_for("malom", {4, 3, 0, 0}, folder.path()), recorder));
  const ClassCache cache;
  for (const char* sector : {"3v3", "3v4", "4v3"}) {
    const auto dtw = TableFile::open(folder / (std::string(sector) + ".dtw"), cache);
    const auto wdl = TableFile::open(folder / (std::string(sector) + ".wdl"), cache);
    ASSERT_TRUE(dtw && wdl);
    EXPECT_EQ(dtw->header().counts, wdl->header().counts);
    for (std::uint64_t block = 0; block < dtw->header().blocks; ++block) {
      std::vector<Code> distances(dtw->block_slots(block));
      std::vector<Code> outcomes(wdl->block_slots(block));
      ASSERT_TRUE(dtw->read_codes(block, distances) && wdl->read_codes(block, outcomes));
      for (std::size_t i = 0; i < distances.size(); ++i) {
        ASSERT_EQ(dtw_code::outcome(distances[i]), *wdl_code::outcome(outcomes[i]));
      }
    }
  }
}

TEST(Generating, SaysWithAClockWhatIsWonWithoutIt) {
  const TemporaryFolder folder;
  const GenerateOptions options = options_for("tournament", {4, 3, 0, 0}, folder.path());
  Recorder recorder;
  ASSERT_TRUE(generate(options, recorder));
  EXPECT_THAT(files_in(folder.path()),
              ElementsAre("3v3.dtc", "3v3.dtw", "3v3.wdl", "3v4.dtc", "3v4.dtw", "3v4.wdl",
                          "4v3.dtc", "4v3.dtw", "4v3.wdl"));
  const ClassCache cache;
  std::uint64_t clock_outcomes = 0;
  for (const Sector sector : {Sector{3, 3, 0, 0}, Sector{3, 4, 0, 0}, Sector{4, 3, 0, 0}}) {
    const auto table = [&](Metric metric) {
      return TableFile::open(folder / table_file_name(sector, metric), cache).value();
    };
    const TableFile wdl = table(Metric::wdl);
    const TableFile dtw = table(Metric::dtw);
    const TableFile dtc = table(Metric::dtc);
    EXPECT_EQ(dtc.header().counts, wdl.header().counts);
    EXPECT_EQ(dtc.header().clock_bound, 20u);
    for (const TableFile* file : {&wdl, &dtw, &dtc}) EXPECT_TRUE(file->verify());
    std::vector<Code> outcomes(wdl.header().slots);
    std::vector<Code> ends(wdl.header().slots);
    std::vector<Code> shots(wdl.header().slots);
    ASSERT_TRUE(wdl.read_slots(0, outcomes) && dtw.read_slots(0, ends) && dtc.read_slots(0, shots));
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      const Outcome outcome = *wdl_code::outcome(outcomes[i]);
      ASSERT_EQ(outcome, dtc.header().meaning().outcome(shots[i]));
      const bool late = outcome == Outcome::clock_win || outcome == Outcome::clock_loss;
      clock_outcomes += late ? 1 : 0;
      const Outcome without = outcome == Outcome::clock_win    ? Outcome::win
                              : outcome == Outcome::clock_loss ? Outcome::loss
                                                               : outcome;
      ASSERT_EQ(without, dtw_code::outcome(ends[i]));
      // The end is a shot or a block: nobody can be nearer to it than to the next shot.
      if (outcome == Outcome::win) {
        ASSERT_LE(dtc_code::plies(shots[i]), dtw_code::plies(ends[i]));
      }
    }
  }
  EXPECT_GT(clock_outcomes, 0u);
}

TEST(Generating, WritesTheSameBytesForAnyNumberOfThreads) {
  const TemporaryFolder one;
  const TemporaryFolder two;
  Recorder recorder;
  auto options = options_for("koti", {4, 4, 0, 0}, one.path());
  options.threads = 1;
  ASSERT_TRUE(generate(options, recorder));
  options.folder = two.path();
  options.threads = 2;
  ASSERT_TRUE(generate(options, recorder));
  EXPECT_EQ(contents_of(one.path()), contents_of(two.path()));
}

TEST(Generating, WritesTheSameBytesHoweverBitsAreGathered) {
  if (!has_pext()) GTEST_SKIP() << "this processor has no pext";
  const TemporaryFolder pext;
  const TemporaryFolder portable;
  Recorder recorder;
  auto options = options_for("koti", {4, 4, 0, 0}, pext.path());
  options.gather = GatherMethod::pext;
  ASSERT_TRUE(generate(options, recorder));
  options.folder = portable.path();
  options.gather = GatherMethod::portable;
  ASSERT_TRUE(generate(options, recorder));
  EXPECT_EQ(contents_of(pext.path()), contents_of(portable.path()));
}

TEST(Generating, WritesTheValuesOfTheShippedTables) {
  // Bytes may differ where another zstd compresses differently; the values may not.
  const ClassCache cache;
  int compared = 0;
  for (const NamedRuleSet& named : named_rule_sets()) {
    const TemporaryFolder folder;
    Recorder recorder;
    ASSERT_TRUE(generate(options_for(named.name, {4, 4, 0, 0}, folder.path()), recorder));
    const fs::path shipped = tests::shipped_tables(named.name);
    ASSERT_EQ(files_in(folder.path()), files_in(shipped)) << named.name;
    for (const std::string& name : files_in(shipped)) {
      const auto mine = TableFile::open(folder / name, cache);
      const auto theirs = TableFile::open(shipped / name, cache);
      ASSERT_TRUE(mine && theirs) << named.name << ' ' << name;
      EXPECT_EQ(mine->header().content_hash, theirs->header().content_hash);
      EXPECT_EQ(mine->header().counts, theirs->header().counts);
      ++compared;
    }
  }
  EXPECT_EQ(compared, 7 * 4 * 3 + 2 * 4 * 2);  // seven of the rule sets have a clock
}

TEST(GeneratingAgain, KeepsWhatIsThereAndSound) {
  const TemporaryFolder folder;
  const auto options = options_for("malom", {4, 3, 0, 0}, folder.path());
  Recorder first;
  ASSERT_TRUE(generate(options, first));
  const auto before = contents_of(folder.path());
  Recorder second;
  ASSERT_TRUE(generate(options, second));
  EXPECT_THAT(second.kept_pairs, ElementsAre("3v3", "4v3"));
  EXPECT_THAT(second.started_pairs, IsEmpty());
  EXPECT_EQ(contents_of(folder.path()), before);
}

TEST(GeneratingAgain, NamesADamagedTableAndMakesItAgain) {
  const TemporaryFolder folder;
  const auto options = options_for("malom", {4, 3, 0, 0}, folder.path());
  Recorder first;
  ASSERT_TRUE(generate(options, first));
  const auto before = contents_of(folder.path());
  for (const std::string name : {"4v3.dtw", "3v4.wdl"}) {
    const std::string& whole = before.at(name);
    std::string flipped = whole;
    flipped[flipped.size() / 2] = static_cast<char>(flipped[flipped.size() / 2] ^ 4);
    for (const std::string& bytes : {flipped, whole.substr(0, whole.size() - 7), std::string()}) {
      write_file(folder / name, bytes);
      Recorder again;
      ASSERT_TRUE(generate(options, again));
      ASSERT_EQ(again.damages.size(), 1u) << name;
      EXPECT_THAT(again.damages[0], HasSubstr(name));
      EXPECT_THAT(again.kept_pairs, ElementsAre("3v3"));
      EXPECT_THAT(again.started_pairs, ElementsAre("4v3"));
      EXPECT_EQ(contents_of(folder.path()), before) << name;
    }
  }
}

TEST(GeneratingAgain, MakesAgainATableThatHoldsAnotherSector) {
  const TemporaryFolder folder;
  const auto options = options_for("malom", {4, 3, 0, 0}, folder.path());
  Recorder first;
  ASSERT_TRUE(generate(options, first));
  const auto before = contents_of(folder.path());
  write_file(folder / "4v3.dtw", before.at("3v4.dtw"));
  Recorder again;
  ASSERT_TRUE(generate(options, again));
  ASSERT_EQ(again.damages.size(), 1u);
  EXPECT_EQ(contents_of(folder.path()), before);
}

TEST(GeneratingAgain, DerivesMissingOutcomesFromSoundDistances) {
  const TemporaryFolder folder;
  auto options = options_for("malom", {4, 3, 0, 0}, folder.path());
  Recorder first;
  ASSERT_TRUE(generate(options, first));
  const auto before = contents_of(folder.path());
  fs::remove(folder / "3v4.wdl");
  Recorder again;
  ASSERT_TRUE(generate(options, again));
  ASSERT_EQ(again.reports.size(), 1u);
  EXPECT_EQ(again.reports[0].solve_cpu_seconds, 0.0);
  EXPECT_EQ(contents_of(folder.path()), before);
}

TEST(Generating, RemovesWhatADeadProcessLeftUnfinished) {
  const TemporaryFolder folder;
  write_file(folder / ".3v3.dtw.999999.tmp", "half a table");
  write_file(folder / "notes.tmp", "somebody's");
  Recorder recorder;
  ASSERT_TRUE(generate(options_for("malom", {3, 3, 0, 0}, folder.path()), recorder));
  EXPECT_THAT(files_in(folder.path()), ElementsAre("3v3.dtw", "3v3.wdl", "notes.tmp"));
}

TEST(Generating, RefusesAFolderWithTablesOfOtherRules) {
  const TemporaryFolder folder;
  Recorder recorder;
  ASSERT_TRUE(generate(options_for("malom", {3, 3, 0, 0}, folder.path()), recorder));
  const auto before = contents_of(folder.path());
  const auto refused = generate(options_for("sanmill", {3, 3, 0, 0}, folder.path()), recorder);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().fault, Fault::foreign);
  EXPECT_EQ(contents_of(folder.path()), before);
}

TEST(Generating, RefusesAFolderInWhichAnotherProcessWorks) {
  const TemporaryFolder folder;
  const auto lock = FolderLock::take(folder.path());
  ASSERT_TRUE(lock);
  Recorder recorder;
  const auto refused = generate(options_for("malom", {3, 3, 0, 0}, folder.path()), recorder);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().fault, Fault::system);
  EXPECT_THAT(recorder.started_pairs, IsEmpty());
}

TEST(Generating, RefusesTooLittleMemoryWithTheFigureThatIsNeeded) {
  const TemporaryFolder folder;
  auto options = options_for("malom", {5, 4, 0, 0}, folder.path());
  options.memory_limit = 18u << 20;
  Recorder recorder;
  const auto refused = generate(options, recorder);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().fault, Fault::system);
  EXPECT_THAT(refused.error().message, HasSubstr("5v4 needs"));
  EXPECT_THAT(files_in(folder.path()), IsEmpty());
}

/// The least memory that the plan of these options can do with in a mode, for its largest pair.
std::uint64_t least_memory(const GenerateOptions& options, MemoryMode mode) {
  const ClassCache cache;
  std::uint64_t least = 0;
  for (Pair pair : options.pairs) {
    std::uint64_t memory = 0;
    for (std::uint64_t limit = 1u << 20; limit < 1u << 30; limit += 1u << 18) {
      const PlanStep step = plan_step(pair, options.rules, cache, {limit, 2, metrics_of(options)});
      if (step.memory_bytes > limit || step.mode > mode) continue;
      memory = limit;
      break;
    }
    least = std::max(least, memory);
  }
  return least;
}

TEST(Generating, WritesTheSameBytesInEveryMemoryMode) {
  // Two shots for two mills lead five cows against five to five against three.
  RuleSet two_shots = rules_named("malom");
  two_shots.shots = Shots::per_mill;
  auto options = options_for("malom", {5, 4, 0, 0}, {});
  options.rules = two_shots;
  options.threads = 2;
  std::map<std::string, std::string> expected;
  for (const MemoryMode mode : {MemoryMode::memory, MemoryMode::blocks, MemoryMode::disk}) {
    const TemporaryFolder folder;
    options.folder = folder.path();
    options.memory_limit = least_memory(options, mode);
    Recorder recorder;
    const auto done = generate(options, recorder);
    ASSERT_TRUE(done) << done.error().message;
    ASSERT_FALSE(recorder.reports.empty());
    EXPECT_EQ(recorder.reports.back().step.mode, mode);
    if (mode == MemoryMode::memory) expected = contents_of(folder.path());
    EXPECT_EQ(contents_of(folder.path()), expected) << to_string(mode);
  }
}

TEST(Generating, RefusesAFolderThatCannotBeMade) {
  const TemporaryFolder folder;
  write_file(folder / "file", "");
  Recorder recorder;
  const auto refused = generate(options_for("malom", {3, 3, 0, 0}, folder / "file"), recorder);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().fault, Fault::system);
}

/// Files of this process may not grow beyond a limit, as if the disk were full.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(signal(SIGXFSZ, SIG_IGN)) {
    EXPECT_EQ(getrlimit(RLIMIT_FSIZE, &before_), 0);
    const rlimit limit{bytes, before_.rlim_max};
    EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  }
  ~FileSizeLimit() {
    EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &before_), 0);
    signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST(Generating, StopsOnAFullDiskKeepsWhatIsWholeAndGoesOnWhenThereIsRoom) {
  const TemporaryFolder undisturbed;
  const TemporaryFolder folder;
  Recorder recorder;
  ASSERT_TRUE(generate(options_for("malom", {4, 3, 0, 0}, undisturbed.path()), recorder));
  const auto whole = contents_of(undisturbed.path());
  const auto options = options_for("malom", {4, 3, 0, 0}, folder.path());
  {
    const FileSizeLimit limit(whole.at("3v3.dtw").size());
    const auto stopped = generate(options, recorder);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().fault, Fault::system);
    EXPECT_THAT(stopped.error().message, HasSubstr(folder.path().string()));
  }
  for (const auto& [name, bytes] : contents_of(folder.path())) EXPECT_EQ(bytes, whole.at(name));
  EXPECT_TRUE(fs::exists(folder / "3v3.dtw"));
  ASSERT_TRUE(generate(options, recorder));
  EXPECT_EQ(contents_of(folder.path()), whole);
}

TEST(Plans, PutEveryPairBehindThoseThatItsShotsLeadTo) {
  for (const NamedRuleSet& named : named_rule_sets()) {
    const auto pairs = pairs_up_to_total(2 * named.rules.cows, named.rules);
    const auto sides = static_cast<std::size_t>(named.rules.cows - kMinCows + 1);
    EXPECT_EQ(pairs.size(), sides * (sides + 1) / 2) << named.name;
    std::set<Pair> before;
    for (Pair pair : pairs) {
      for (Sector lower : lower_sectors(pair, named.rules)) {
        if (lower == Sector{}) continue;
        EXPECT_TRUE(before.contains(Pair::of(lower.mover, lower.opponent)))
            << named.name << ' ' << to_string(pair);
      }
      before.insert(pair);
    }
  }
}

TEST(Plans, CountTheSlotsOfTheMovingPhase) {
  // Key classes as published, times the placements of the player with fewer cows beside each.
  constexpr std::array<std::uint64_t, 13> kClasses = {
      1, 4, 30, 158, 757, 2830, 8774, 22188, 46879, 82880, 124124, 157668, 170854};
  const auto placements = [](int points, int cows) {
    double product = 1;
    for (int i = 0; i < cows; ++i) product = product * (points - i) / (i + 1);
    return static_cast<std::uint64_t>(std::llround(product));
  };
  std::uint64_t expected = 0;
  for (int mover = 3; mover <= 12; ++mover) {
    for (int opponent = 3; opponent <= 12; ++opponent) {
      const int key = std::max(mover, opponent);
      expected += kClasses[static_cast<std::size_t>(key)] *
                  placements(kPointCount - key, std::min(mover, opponent));
    }
  }
  const ClassCache cache;
  const RuleSet rules = rules_named("malom");
  std::uint64_t slots = 0;
  for (Pair pair : pairs_up_to_total(24, rules)) slots += plan_step(pair, rules, cache).slots;
  EXPECT_EQ(slots, expected);
  EXPECT_GT(slots, 16'528'583'563u);  // the published number of classes of whole positions
}

TEST(Plans, NeverNeedMoreThanTheLimitInAnEarlierMode) {
  const ClassCache cache;
  const RuleSet rules = rules_named("traditional");
  for (const Pair pair : {Pair::of(5, 4), Pair::of(6, 6), Pair::of(8, 7)}) {
    const PlanStep free = plan_step(pair, rules, cache);
    EXPECT_EQ(free.mode, MemoryMode::memory);
    EXPECT_EQ(free.temporary_bytes, 0u);
    MemoryMode before = MemoryMode::memory;
    for (std::uint64_t limit = free.memory_bytes; limit > free.memory_bytes / 8;
         limit -= free.memory_bytes / 64) {
      const PlanStep step = plan_step(pair, rules, cache, {limit, 2});
      EXPECT_GE(step.mode, before) << limit;
      before = step.mode;
      EXPECT_TRUE(step.mode == MemoryMode::disk || step.memory_bytes <= limit) << limit;
      EXPECT_EQ(step.temporary_bytes > 0, step.mode == MemoryMode::disk);
    }
    EXPECT_EQ(before, MemoryMode::disk) << to_string(pair);
  }
}

TEST(Plans, RefuseSectorsWithHandsAndCountsOutsideTheRules) {
  const RuleSet rules = rules_named("nine-mens-morris");
  EXPECT_EQ(pairs_needed_by({5, 4, 1, 0}, rules).error().fault, Fault::not_supported);
  EXPECT_EQ(pairs_needed_by({10, 4, 0, 0}, rules).error().fault, Fault::bad_input);
  EXPECT_EQ(pairs_needed_by({5, 2, 0, 0}, rules).error().fault, Fault::bad_input);
}

}  // namespace
}  // namespace mtb
