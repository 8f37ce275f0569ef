// Many threads ask the same tables at once. Every answer is compared with the one that a single
// thread got from undamaged tables. Small enough to be run with a checker of data races.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <latch>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tests/safety/exam.h"
#include "tests/safety/seam.h"
#include "tests/safety/sweep.h"
#include "tests/safety/tables.h"

namespace mtb::safety {
namespace {

using tests::TemporaryFolder;

constexpr std::size_t kThreads = 16;

struct Way {
  const char* name;
  Opening opening;
  friend void PrintTo(const Way& way, std::ostream* out) { *out << way.name; }
};

class ManyThreads : public testing::TestWithParam<Way> {
 protected:
  ManyThreads() {
    write_all(folder_.path(), files_);
    const auto tables = open_tables(folder_.path(), rules_);
    Positions positions(rules_);
    if (tables) questions_.emplace(*tables, positions.some_of_each(small_sectors(), 6), 3);
    EXPECT_TRUE(questions_ && questions_->is_answered());
  }

  /// All threads ask all questions, each in its own order, of tables nobody has read yet. One
  /// reaction for each answer; nothing is said of what was refused on opening.
  Tally ask_together(const Tablebase& tables) {
    std::vector<Tally> tallies(kThreads);
    std::latch start(kThreads);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        std::vector<std::size_t> order(questions_->size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::shuffle(order.begin(), order.end(), std::mt19937(static_cast<std::uint32_t>(t)));
        start.arrive_and_wait();
        for (const std::size_t i : order) {
          const Reaction reaction = questions_->ask(tables, i, folder_.path().string());
          ++tallies[t].reactions[static_cast<std::size_t>(reaction)];
          ++tallies[t].damages;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    Tally sum;
    for (const Tally& tally : tallies) {
      sum.damages += tally.damages;
      for (std::size_t i = 0; i < sum.reactions.size(); ++i) sum.reactions[i] += tally.reactions[i];
    }
    return sum;
  }

  Result<Tablebase> open() const { return open_tables(folder_.path(), rules_, GetParam().opening); }

  std::string counted(const std::string& what) const {
    return what + ", 16 threads, " + GetParam().name;
  }

  const RuleSet rules_ = tests::rules_named("koti");
  const Files files_ = shipped("koti");
  const TemporaryFolder folder_;
  std::optional<Exam> questions_;
};

TEST_P(ManyThreads, GetTheAnswersOfOneFromColdTables) {
  for (int round = 0; round < 2; ++round) {
    const auto tables = open();
    ASSERT_TRUE(tables);
    const Tally tally = ask_together(*tables);
    expect_safe(tally, counted("cold tables"));
    EXPECT_EQ(tally[Reaction::harmless], tally.damages);
  }
}

TEST_P(ManyThreads, GetRightAnswersOrRefusalsFromDamagedTables) {
  // In each file every second kilobyte from the middle on is other than it was.
  for (const auto& [name, bytes] : files_) {
    if (!name.starts_with("3v3")) continue;
    Bytes damaged = bytes;
    for (std::size_t at = bytes.size() / 2; at < bytes.size(); ++at) {
      if (at / 1024 % 2 == 0) damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    }
    overwrite(folder_ / name, damaged);
  }
  const auto tables = open();
  ASSERT_TRUE(tables);
  const Tally tally = ask_together(*tables);
  expect_safe(tally, counted("damaged tables"));
  EXPECT_GT(tally[Reaction::refused], 0u);
  EXPECT_GT(tally[Reaction::harmless], 0u);
}

TEST_P(ManyThreads, GetRightAnswersOrRefusalsFromAFailingDisk) {
  const auto tables = open();
  ASSERT_TRUE(tables);
  Faults faults;
  faults.interrupted = 100;
  faults.short_reads = 300;
  faults.changed = 30;
  faults.refused = 30;
  faults.not_opened = 30;
  faults.error = EIO;
  {
    const Disturbance disturbance(faults, 1);
    expect_safe(ask_together(*tables), counted("failing disk"));
    EXPECT_GT(Disturbance::count(), 0u);
  }
  expect_safe(ask_together(*tables), counted("the same disk, mended"));
}

TEST_P(ManyThreads, GetRightAnswersOrRefusalsWhileFilesAreCut) {
  const auto tables = open();
  ASSERT_TRUE(tables);
  std::atomic<bool> over{false};
  std::thread vandal([&] {
    while (!over) {
      for (const auto& [name, bytes] : files_) {
        fs::resize_file(folder_ / name, bytes.size() / 3);
        std::this_thread::yield();
        overwrite(folder_ / name, bytes);
      }
    }
  });
  const Tally tally = ask_together(*tables);
  over = true;
  vandal.join();
  expect_safe(tally, counted("files that are cut and mended all the time"));
}

// A cache of seven lines holds one block of distances and little else.
const Way kWays[] = {{"no_cache", {0, {OpenFiles::Access::read, 1}}},
                     {"cache_of_a_block", {9000, {OpenFiles::Access::read, 2}}},
                     {"cache_of_all", {}},
                     {"mapped", {9000, {OpenFiles::Access::map}}}};
INSTANTIATE_TEST_SUITE_P(Safety, ManyThreads, testing::ValuesIn(kWays),
                         [](const auto& way) { return way.param.name; });

}  // namespace
}  // namespace mtb::safety
