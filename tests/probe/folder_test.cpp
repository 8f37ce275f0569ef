#include "probe/folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "tests/probe/made_up_table.h"
#include "tests/temporary_folder.h"

namespace mtb {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using tests::rules_named;
using tests::TemporaryFolder;
using tests::write_made_up_table;

Code all_drawn(Slot) { return 0; }

std::filesystem::path write_drawn(const TemporaryFolder& folder, std::string_view rules,
                                  Sector sector, Metric metric) {
  return write_made_up_table(folder.path(), rules_named(rules), sector, metric, all_drawn, 1);
}

Result<FolderContents> contents_of(std::vector<std::filesystem::path> folders,
                                   const std::optional<RuleSet>& expected = {}) {
  const ClassCache classes;
  return read_folders(folders, expected, classes);
}

std::vector<std::string> names(const FolderContents& contents) {
  std::vector<std::string> result;
  for (const TableFile& table : contents.tables) result.push_back(table.path().filename());
  return result;
}

TEST(SectorsAreListed, WithFewerCowsFirst) {
  EXPECT_TRUE(listed_before({3, 3}, {3, 4}));
  EXPECT_TRUE(listed_before({3, 4}, {4, 3}));
  EXPECT_TRUE(listed_before({9, 3}, {10, 3}));
  EXPECT_TRUE(listed_before({9, 4}, {10, 3}));
  EXPECT_FALSE(listed_before({3, 3}, {3, 3}));
}

TEST(AFolderOfTables, IsReadInOrder) {
  TemporaryFolder folder;
  for (const Sector sector : {Sector{5, 3}, Sector{4, 4}, Sector{3, 3}}) {
    write_drawn(folder, "malom", sector, Metric::dtw);
  }
  write_drawn(folder, "malom", {4, 3}, Metric::wdl);
  const auto contents = contents_of({folder.path()});
  ASSERT_TRUE(contents) << contents.error().message;
  EXPECT_EQ(contents->rules, rules_named("malom"));
  EXPECT_THAT(names(*contents), ElementsAre("4v3.wdl", "3v3.dtw", "4v4.dtw", "5v3.dtw"));
  EXPECT_TRUE(contents->refused.empty());
}

TEST(AFolderOfTables, MayHoldOtherFiles) {
  TemporaryFolder folder;
  write_drawn(folder, "malom", {3, 3}, Metric::dtw);
  tests::write_file(folder / "notes.txt", "nothing of interest");
  tests::write_file(folder / ".4v3.dtw.77.tmp", "half written");
  tests::write_file(folder / ".hidden.dtw", "hidden");
  const auto contents = contents_of({folder.path()});
  ASSERT_TRUE(contents) << contents.error().message;
  EXPECT_THAT(names(*contents), ElementsAre("3v3.dtw"));
  EXPECT_TRUE(contents->refused.empty());
}

TEST(ATableOfOtherRules, IsRefusedByName) {
  TemporaryFolder folder;
  write_drawn(folder, "malom", {3, 3}, Metric::dtw);
  write_drawn(folder, "koti", {4, 3}, Metric::dtw);
  const auto contents = contents_of({folder.path()});
  ASSERT_TRUE(contents) << contents.error().message;
  EXPECT_EQ(contents->rules, rules_named("malom"));
  ASSERT_EQ(contents->refused.size(), 1u);
  EXPECT_EQ(contents->refused[0].path, folder / "4v3.dtw");
  EXPECT_EQ(contents->refused[0].error.fault, Fault::foreign);
  EXPECT_THAT(contents->refused[0].error.message,
              AllOf(HasSubstr("4v3.dtw"), HasSubstr("koti"), HasSubstr("malom")));

  const auto expecting = contents_of({folder.path()}, rules_named("koti"));
  ASSERT_TRUE(expecting);
  EXPECT_THAT(names(*expecting), ElementsAre("4v3.dtw"));
  ASSERT_EQ(expecting->refused.size(), 1u);
  EXPECT_EQ(expecting->refused[0].path, folder / "3v3.dtw");
}

TEST(ATableUnderAnotherName, IsRefused) {
  TemporaryFolder folder;
  std::filesystem::rename(write_drawn(folder, "malom", {3, 4}, Metric::dtw), folder / "4v3.dtw");
  std::filesystem::rename(write_drawn(folder, "malom", {3, 3}, Metric::dtw), folder / "3v3.wdl");
  const auto contents = contents_of({folder.path()});
  ASSERT_TRUE(contents);
  EXPECT_TRUE(contents->tables.empty());
  ASSERT_EQ(contents->refused.size(), 2u);
  EXPECT_THAT(contents->refused[0].error.message, HasSubstr("3v3.dtw"));
  EXPECT_THAT(contents->refused[1].error.message, HasSubstr("3v4.dtw"));
  for (const Refusal& refusal : contents->refused) EXPECT_EQ(refusal.error.fault, Fault::foreign);
}

TEST(ADamagedTable, IsRefusedAndDoesNotSetTheRules) {
  TemporaryFolder folder;
  const auto path = write_drawn(folder, "koti", {3, 3}, Metric::dtw);
  const std::string bytes = tests::read_file(path);
  write_drawn(folder, "malom", {4, 3}, Metric::dtw);

  std::string flipped = bytes;
  flipped[40] ^= 1;
  for (const std::string& broken :
       {flipped, bytes.substr(0, bytes.size() - 1), bytes.substr(0, 10), std::string()}) {
    tests::write_file(path, broken);
    const auto contents = contents_of({folder.path()});
    ASSERT_TRUE(contents);
    EXPECT_EQ(contents->rules, rules_named("malom"));
    EXPECT_THAT(names(*contents), ElementsAre("4v3.dtw"));
    ASSERT_EQ(contents->refused.size(), 1u) << broken.size() << " bytes";
    EXPECT_EQ(contents->refused[0].error.fault, Fault::damaged);
    EXPECT_THAT(contents->refused[0].error.message, HasSubstr("3v3.dtw"));
  }
}

TEST(LaterFolders, AddWhatEarlierOnesLack) {
  TemporaryFolder first;
  TemporaryFolder second;
  const auto mine = write_drawn(first, "malom", {3, 3}, Metric::dtw);
  const auto broken = write_drawn(first, "malom", {4, 3}, Metric::dtw);
  tests::write_file(broken, "not a table");
  write_drawn(second, "malom", {3, 3}, Metric::dtw);
  const auto sound = write_drawn(second, "malom", {4, 3}, Metric::dtw);
  const auto contents = contents_of({first.path(), second.path()});
  ASSERT_TRUE(contents);
  ASSERT_EQ(contents->tables.size(), 2u);
  EXPECT_EQ(contents->tables[0].path(), mine);
  EXPECT_EQ(contents->tables[1].path(), sound);
  ASSERT_EQ(contents->refused.size(), 1u);
  EXPECT_EQ(contents->refused[0].path, broken);
}

TEST(AMissingFolder, IsNamed) {
  TemporaryFolder folder;
  const auto contents = contents_of({folder.path(), folder / "nowhere"});
  ASSERT_FALSE(contents);
  EXPECT_EQ(contents.error().fault, Fault::not_found);
  EXPECT_THAT(contents.error().message, HasSubstr("nowhere"));
}

TEST(AFileInPlaceOfAFolder, IsNotSearched) {
  TemporaryFolder folder;
  tests::write_file(folder / "file", "");
  const auto contents = contents_of({folder / "file"});
  ASSERT_FALSE(contents);
  EXPECT_EQ(contents.error().fault, Fault::not_found);
}

}  // namespace
}  // namespace mtb
