// A generator that is killed and started again, over and over.
#include <gtest/gtest.h>
#include <sys/mount.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include "tests/robustness/generator.h"
#include "tests/robustness/small_disk.h"

namespace mtb::tests {
namespace {

constexpr const char* kWhat = "--rules traditional --to 5v3";

struct Kills {
  int solving = 0;   ///< killed while no table was being written
  int writing = 0;   ///< killed while one was
  int finished = 0;  ///< runs that came to their end before they could be killed

  int all() const { return solving + writing; }
};

/// Kills the generator at random instants until it has happened `wanted` times, each time starting
/// the same command again; about half of the instants are moved on to the next at which a table is
/// being written, the others to the next at which none is. A folder that gets finished is emptied.
/// After each kill and at the very end, the folder must be as it should.
Kills kill_again_and_again(int wanted, const Undisturbed& expected, const Surroundings& given) {
  Kills kills;
  const TemporaryFolder folder;
  std::mt19937 random(2);
  std::uniform_real_distribution<double> part(0, 1);
  while (kills.all() < wanted && kills.finished < 10 * wanted) {
    Running generator(gen(kWhat, folder.path()), given);
    // It is at work once it has told its plan.
    bool at_work = wait_until(generator, [&] { return !generator.out().empty(); });
    const auto instant = std::chrono::steady_clock::now() + part(random) * expected.duration;
    const bool while_writing = kills.writing < kills.solving;
    at_work = at_work && wait_until(generator, [&] {
                return std::chrono::steady_clock::now() >= instant &&
                       is_writing(generator, folder.path()) == while_writing;
              });
    if (at_work && generator.halt()) {
      ++(is_writing(generator, folder.path()) ? kills.writing : kills.solving);
      generator.send(SIGKILL);
      EXPECT_EQ(generator.wait().signal, SIGKILL);
      expect_whole_tables(folder.path(), expected.contents);
      continue;
    }
    const Ending run = generator.wait();
    EXPECT_EQ(run.status, 0) << run.err;
    if (run.status != 0) break;
    ++kills.finished;
    expect_same(contents_of(folder.path()), expected.contents);
    for (const auto& [name, bytes] : expected.contents) fs::remove(folder / name);
  }
  const Ending last = mtb(gen(kWhat, folder.path()), given);
  EXPECT_EQ(last.status, 0) << last.err;
  EXPECT_EQ(last.err, "");
  expect_same(contents_of(folder.path()), expected.contents);
  return kills;
}

TEST(AGeneratorKilledTwentyTimes, EndsWithTheTablesOfAnUndisturbedRun) {
  const Undisturbed expected = undisturbed(kWhat);
  const Kills kills = kill_again_and_again(20, expected, {});
  EXPECT_EQ(kills.all(), 20);
  EXPECT_GE(kills.solving, 5);
  EXPECT_GE(kills.writing, 5);
}

// Where a file cannot be without a name, or cannot be given one, it has a temporary name from the
// start, and a killed process leaves it behind.
TEST(AGeneratorKilledAgainAndAgain, LeavesNothingBehindWhereFilesNeedNames) {
  if (const std::string reason = own_mounts(); !reason.empty()) GTEST_SKIP() << reason;
  Surroundings without_proc;
  without_proc.prepare = [] {
    return unshare(CLONE_NEWNS) == 0 && mount("none", "/proc", "tmpfs", 0, nullptr) == 0;
  };
  // Programs built with a sanitizer cannot do without /proc.
  if (mtb({"--version"}, without_proc).status != 0) GTEST_SKIP() << "it cannot run without /proc";
  const Undisturbed expected = undisturbed(kWhat);
  const Kills kills = kill_again_and_again(6, expected, without_proc);
  EXPECT_EQ(kills.all(), 6);
  EXPECT_GE(kills.writing, 2);
}

}  // namespace
}  // namespace mtb::tests
