// A generator that runs out of room, and goes on when there is some.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/robustness/generator.h"
#include "tests/robustness/small_disk.h"

namespace mtb::tests {
namespace {

using ::testing::HasSubstr;

/// Expects of a run that found no room: a message that says what to do, nothing but whole tables,
/// of which some are missing; and that the same command ends well once there is room.
void expect_clean_stop(const Ending& stopped, const std::string& remedy, const fs::path& folder,
                       const Contents& expected) {
  EXPECT_EQ(stopped.status, 4);
  EXPECT_TRUE(stopped.err.starts_with("mtb: ")) << stopped.err;
  EXPECT_EQ(stopped.err.find('\n') + 1, stopped.err.size()) << stopped.err;
  EXPECT_THAT(stopped.err, HasSubstr(folder.string()));
  EXPECT_THAT(stopped.err, HasSubstr(remedy));

  const Contents left = contents_of(folder);
  EXPECT_LT(left.size(), expected.size());
  for (const auto& [name, bytes] : left) {
    const auto file = expected.find(name);
    ASSERT_NE(file, expected.end()) << name << " was left behind";
    EXPECT_TRUE(bytes == file->second) << name << " has other bytes";
  }
  const Ending verified = mtb({"verify", "--tables", folder.string()});
  EXPECT_EQ(verified.status, 0) << verified.err;
}

void expect_to_go_on(const std::string& what, const fs::path& folder, const Contents& expected) {
  const Ending run = mtb(gen(what, folder));
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_THAT(run.out, HasSubstr("3v3: kept"));
  expect_same(contents_of(folder), expected);
}

TEST(OnADiskOfTwoMegabytes, TheGeneratorStopsCleanlyAndGoesOnWhenThereIsRoom) {
  SmallDisk disk(2 << 20);
  if (!disk.reason().empty()) GTEST_SKIP() << disk.reason();
  const std::string what = "--rules traditional --to 5v4";  // more than three megabytes
  const Contents expected = undisturbed(what).contents;
  expect_clean_stop(mtb(gen(what, disk.path())), "free some space", disk.path(), expected);
  disk.resize(8 << 20);
  expect_to_go_on(what, disk.path(), expected);
}

TEST(OnADiskThatTakesNoMoreFiles, TheGeneratorStopsCleanly) {
  SmallDisk disk(2 << 20, 4);  // the folder, its lock and two tables
  if (!disk.reason().empty()) GTEST_SKIP() << disk.reason();
  const std::string what = "--rules traditional --to 4v3";
  const Contents expected = undisturbed(what).contents;
  expect_clean_stop(mtb(gen(what, disk.path())), "free some space", disk.path(), expected);
}

TEST(WithALimitOnFileSizes, TheGeneratorStopsCleanlyAndGoesOnWithoutIt) {
  const std::string what = "--rules traditional --to 5v3";
  const Contents expected = undisturbed(what).contents;
  std::size_t largest = 0;
  for (const auto& [name, bytes] : expected) largest = std::max(largest, bytes.size());
  const TemporaryFolder folder;
  Surroundings limited;
  limited.file_size_limit = largest - 1;
  expect_clean_stop(mtb(gen(what, folder.path()), limited), "raise the limit", folder.path(),
                    expected);
  expect_to_go_on(what, folder.path(), expected);
}

}  // namespace
}  // namespace mtb::tests
