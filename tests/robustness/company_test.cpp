// A generator that is disturbed by other processes, by signals, or by what happens to its folder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <string>

#include "tests/robustness/generator.h"
#include "tests/robustness/small_disk.h"

namespace mtb::tests {
namespace {

using ::testing::HasSubstr;

constexpr const char* kWhat = "--rules traditional --to 4v4";

/// Waits until a generator has taken its folder and has a table to show.
bool is_at_work(Running& generator, const fs::path& folder) {
  return wait_until(generator, [&] { return fs::exists(folder / "3v3.dtw"); });
}

TEST(TwoGeneratorsInOneFolder, DoNotHarmEachOther) {
  const Contents expected = undisturbed(kWhat).contents;
  const TemporaryFolder folder;
  Running first(gen(kWhat, folder.path()));
  ASSERT_TRUE(is_at_work(first, folder.path()) && first.halt());
  const Ending second = mtb(gen(kWhat, folder.path()));
  EXPECT_EQ(second.status, 4);
  EXPECT_THAT(second.err, HasSubstr("another process"));
  EXPECT_EQ(second.err.find('\n') + 1, second.err.size()) << second.err;
  expect_whole_tables(folder.path(), expected);
  first.send(SIGCONT);
  EXPECT_EQ(first.wait().status, 0);
  expect_same(contents_of(folder.path()), expected);
}

TEST(TwoGeneratorsInOneFolder, MayBeStartedAtOnce) {
  const Contents expected = undisturbed(kWhat).contents;
  const TemporaryFolder folder;
  Running first(gen(kWhat, folder.path()));
  Running second(gen(kWhat, folder.path()));
  const Ending one = first.wait();
  const Ending other = second.wait();
  EXPECT_TRUE(one.status == 0 || other.status == 0) << one.err << other.err;
  EXPECT_TRUE(one.status == 0 || one.status == 4) << one.status;
  EXPECT_TRUE(other.status == 0 || other.status == 4) << other.status;
  expect_same(contents_of(folder.path()), expected);
}

TEST(AGeneratorThatIsToldToEnd, DoesSoAtOnceAndGoesOnLater) {
  const Contents expected = undisturbed(kWhat).contents;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    SCOPED_TRACE(strsignal(signal));
    const TemporaryFolder folder;
    Running generator(gen(kWhat, folder.path()));
    ASSERT_TRUE(is_at_work(generator, folder.path()) &&
                wait_until(generator, [&] { return is_writing(generator, folder.path()); }));
    generator.send(signal);
    const Ending run = generator.wait();
    EXPECT_EQ(run.signal, signal) << "a shell sees from this that it was told to end";
    EXPECT_EQ(run.err, "");
    EXPECT_LT(contents_of(folder.path()).size(), expected.size());
    expect_whole_tables(folder.path(), expected);
    EXPECT_EQ(mtb(gen(kWhat, folder.path())).status, 0);
    expect_same(contents_of(folder.path()), expected);
  }
}

TEST(AFolderThatVanishes, IsMissedInOneLineAndNotMadeAgain) {
  const TemporaryFolder parent;
  const fs::path folder = parent / "tables";
  Running generator(gen(kWhat, folder));
  ASSERT_TRUE(is_at_work(generator, folder) && generator.halt());
  fs::remove_all(folder);
  generator.send(SIGCONT);
  const Ending run = generator.wait();
  EXPECT_EQ(run.status, 4);
  EXPECT_THAT(run.err, HasSubstr(folder.string()));
  EXPECT_THAT(run.err, HasSubstr("check"));
  EXPECT_EQ(run.err.find('\n') + 1, run.err.size()) << run.err;
  EXPECT_TRUE(parent.file_names().empty());
}

TEST(AFolderThatCannotBeWritten, IsRefusedUnlessNothingIsToBeDone) {
  SmallDisk disk(64 << 20);
  if (!disk.reason().empty()) GTEST_SKIP() << disk.reason();
  ASSERT_EQ(mtb(gen("--rules traditional --to 3v3", disk.path())).status, 0);
  const Contents before = contents_of(disk.path());
  disk.make_read_only();
  const Ending kept = mtb(gen("--rules traditional --to 3v3", disk.path()));
  EXPECT_EQ(kept.status, 0) << kept.err;
  const Ending refused = mtb(gen("--rules traditional --to 4v3", disk.path()));
  EXPECT_EQ(refused.status, 4);
  EXPECT_THAT(refused.err, HasSubstr("choose a folder that can be written"));
  EXPECT_EQ(refused.err.find('\n') + 1, refused.err.size()) << refused.err;
  expect_same(contents_of(disk.path()), before);
}

TEST(AGeneratorWithoutAListener, FinishesItsTablesAndSaysThatItWasNotHeard) {
  const Contents expected = undisturbed("--rules traditional --to 3v3").contents;
  Surroundings full;
  full.output_file = "/dev/full";
  Surroundings unread;
  unread.output_has_no_reader = true;
  for (const Surroundings& given : {full, unread}) {
    const TemporaryFolder folder;
    const Ending run = mtb(gen("--rules traditional --to 3v3", folder.path()), given);
    EXPECT_EQ(run.status, 4);
    EXPECT_THAT(run.err, HasSubstr("standard output"));
    expect_same(contents_of(folder.path()), expected);
  }
}

}  // namespace
}  // namespace mtb::tests
