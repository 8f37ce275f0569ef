// Tables of two-byte distances, from solving to answering.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/probe/made_up_table.h"
#include "tests/robustness/generator.h"
#include "tests/shipped_tables.h"

namespace mtb::tests {
namespace {

using ::testing::HasSubstr;

// Blocked players pass under these rules, so every game that ends leaves four against four by a
// shot; if what such shots lead to takes so many plies longer, so does everything.
TEST(DistancesOfTwoBytes, AreSolvedCheckedCountedAndProbed) {
  constexpr std::uint32_t kMore = 400;
  const fs::path shipped = tests::shipped_tables("koti");
  const TemporaryFolder folder;
  for (const char* name : {"3v3.dtw", "4v3.dtw"}) fs::copy_file(shipped / name, folder / name);
  write_distances(folder.path(), rules_named("koti"), {3, 4, 0, 0},
                  longer_by(kMore, read_distances(shipped / "3v4.dtw")));

  const Ending solved = mtb(gen("--rules koti --to 4v4 --metrics dtw", folder.path()));
  ASSERT_EQ(solved.status, 0) << solved.err;
  const Ending verified = mtb({"verify", "--tables", folder.path()});
  EXPECT_EQ(verified.status, 0) << verified.err;

  // As shipped: 51,482,970 placements, the longest win 19 plies and the longest loss 18.
  const Ending counts = mtb({"stats", "--tables", folder.path(), "--csv"});
  EXPECT_THAT(counts.out, HasSubstr("4v4,51482970,2867060,0,47947698,0,668212," +
                                    std::to_string(19 + kMore) + ',' + std::to_string(18 + kMore)));

  Surroundings batch;
  batch.input =
      "0,0 a7,b6,c4,c5 a4,c3,e3,g4 w\n"
      "0,0 a7,b4,c4,c5 a4,c3,e3,g4 b\n";
  const auto probe = [&](const fs::path& tables) {
    return mtb({"probe", "--rules", "koti", "--tables", tables, "--batch", "-"}, batch).out;
  };
  EXPECT_THAT(probe(shipped), ::testing::MatchesRegex("win,19,[0-9]+\ndraw,,\n"));
  EXPECT_EQ(probe(folder.path()), "win," + std::to_string(19 + kMore) + ",\ndraw,,\n");
}

}  // namespace
}  // namespace mtb::tests
