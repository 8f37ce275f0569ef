// The tables of small sectors stay what they are: who changes them on purpose changes the file of
// their hashes too.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <sstream>
#include <string>

#include "format/table.h"
#include "gen/generate.h"
#include "probe/rules_name.h"
#include "tests/rules_named.h"
#include "tests/shipped_tables.h"
#include "tests/temporary_folder.h"

namespace mtb {
namespace {

namespace fs = std::filesystem;

/// By file name, the hashes of the values that are on record for a rule set.
using Hashes = std::map<std::string, std::string>;

Hashes recorded_hashes(const std::string& rules) {
  Hashes hashes;
  std::istringstream lines(
      tests::read_file(std::string(MTB_DATA_DIR) + "/reference/content_hashes.csv"));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string name;
    std::string file;
    std::string hash;
    std::getline(std::getline(std::getline(fields, name, ','), file, ','), hash, ',');
    if (name == rules) hashes[file] = hash;
  }
  EXPECT_EQ(hashes.size(), 12u) << rules << ": four sectors, three metrics";
  return hashes;
}

/// What the headers say; and that it is so, unless the writer has just seen to that.
Hashes hashes_in(const fs::path& folder, bool just_written) {
  const ClassCache classes;
  Hashes hashes;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().filename() == ".lock") continue;
    const Result<TableFile> table = TableFile::open(entry.path(), classes);
    if (!table) {
      ADD_FAILURE() << table.error().message;
      continue;
    }
    const Result<void> sound = just_written ? Result<void>() : table->verify();
    EXPECT_TRUE(sound) << sound.error().message;
    hashes[entry.path().filename().string()] = hexadecimal(table->header().content_hash);
  }
  return hashes;
}

class SmallTables : public ::testing::TestWithParam<const char*> {};

TEST_P(SmallTables, HoldTheValuesOnRecordWhenTheyAreMadeAnew) {
  tests::TemporaryFolder folder;
  GenerateOptions options;
  options.rules = tests::rules_named(GetParam());
  options.pairs = *pairs_needed_by({4, 4, 0, 0}, options.rules);
  options.folder = folder.path();
  options.metrics = Metrics{.wdl = true, .dtw = true, .dtc = true};
  options.generator = "a test";
  GenerateObserver silent;
  const Result<void> made = generate(options, silent);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(hashes_in(folder.path(), true), recorded_hashes(GetParam()));
}

TEST_P(SmallTables, HoldTheValuesOnRecordWhereTheyAreShipped) {
  const Hashes recorded = recorded_hashes(GetParam());
  const Hashes shipped = hashes_in(tests::shipped_tables(GetParam()), false);
  EXPECT_FALSE(shipped.empty());
  for (const auto& [file, hash] : shipped) EXPECT_EQ(hash, recorded.at(file)) << file;
}

INSTANTIATE_TEST_SUITE_P(Of, SmallTables,
                         ::testing::Values("traditional", "tournament", "koti", "malom", "sanmill",
                                           "gar", "iggamecenter", "just2easy", "nine-mens-morris"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace mtb
