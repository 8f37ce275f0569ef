// `mtb verify --level deep`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "format/table_writer.h"
#include "tests/cli/program.h"
#include "tests/shipped_tables.h"

namespace mtb::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

Ending verify_deeply(const std::string& folder, const std::string& more) {
  std::vector<std::string> arguments = {"verify", "--level", "deep", "--tables", folder};
  const std::vector<std::string> others = words(more);
  arguments.insert(arguments.end(), others.begin(), others.end());
  return mtb(arguments);
}

void copy(const std::string& rules, const std::string& name, const TemporaryFolder& folder) {
  std::filesystem::copy(shipped_tables(rules) / name, folder / name);
}

TEST(DeepVerification, SaysOkWithCountsForEveryTable) {
  const Ending run = verify_deeply(shipped_tables("tournament"), "--sector 3v3");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.err, "");
  EXPECT_THAT(run.out,
              HasSubstr("3v3.dtw: ok: 210140 of 210140 slots checked, 91556 win, 77366 draw, 41218 "
                        "loss, "));
  EXPECT_THAT(run.out, HasSubstr("3v3.dtc: ok: 210140 of 210140 slots checked, 91533 win, 23 "
                                 "clock_win, 77366 draw, 3 clock_loss, 41215 loss, "));
  EXPECT_THAT(run.out, HasSubstr("\n3 tables, 0 problems\n"));
}

TEST(DeepVerification, WritesCommaSeparatedValues) {
  const Ending run =
      verify_deeply(shipped_tables("malom"), "--sector 4v4 --sample 100 --seed 5 --csv");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, MatchesRegex("table,slots,checked,win,clock_win,draw,clock_loss,loss,faults,"
                                    "cpu_seconds\n"
                                    "4v4.wdl,3667665,100,[0-9]+,0,[0-9]+,0,[0-9]+,0,[0-9.]+\n"
                                    "4v4.dtw,3667665,100,[0-9]+,0,[0-9]+,0,[0-9]+,0,[0-9.]+\n"));
}

TEST(DeepVerification, NamesPositionsWhoseValuesDoNotFollow) {
  const TemporaryFolder folder;
  copy("malom", "3v3.wdl", folder);
  const ClassCache cache;
  const auto table = TableFile::open(shipped_tables("malom") / "3v3.dtw", cache);
  ASSERT_TRUE(table);
  TableSpec spec;
  spec.rules = table->header().rules;
  spec.sector = table->header().sector;
  spec.metric = Metric::dtw;
  spec.largest_code = table->header().largest_code();
  spec.generator = "a test";
  // The first slot holds a draw, which there is none of.
  const auto source = [&](Slot first, std::span<Code> codes) {
    EXPECT_TRUE(table->read_slots(first, codes));
    if (first == 0) codes.front() = 0;
  };
  ASSERT_TRUE(write_table(spec, source, folder / "3v3.dtw", cache));
  EXPECT_EQ(mtb({"verify", "--tables", folder.path()}).status, 0) << "its checksums are right";

  const Ending run = verify_deeply(folder.path(), "");
  EXPECT_EQ(run.status, 3);
  EXPECT_THAT(run.out, HasSubstr("3v3.dtw: wrong: 210140 of 210140 slots checked, "));
  EXPECT_THAT(run.out, HasSubstr(" w (slot 0): draw is stored, its turns give "));
  EXPECT_THAT(run.out, HasSubstr("3v3.wdl: wrong: "));
  EXPECT_THAT(run.err, HasSubstr("2 of the tables"));
}

TEST(DeepVerification, SaysWhichTableIsMissing) {
  const TemporaryFolder folder;
  copy("malom", "4v3.dtw", folder);
  const Ending run = verify_deeply(folder.path(), "");
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("4v3.dtw cannot be checked without 3v4.dtw"));
}

TEST(DeepVerification, KeepsToTheMemoryOrSaysWhatItNeeds) {
  const Ending small =
      verify_deeply(shipped_tables("malom"), "--sector 4v3 --memory 80M --threads 1");
  EXPECT_EQ(small.status, 0) << small.err;
  const Ending none = verify_deeply(shipped_tables("malom"), "--sector 4v3 --memory 1M");
  EXPECT_EQ(none.status, 4);
  EXPECT_THAT(none.err, HasSubstr("--memory"));
}

TEST(Verification, RefusesOptionsThatOnlyDeepChecksHave) {
  for (const char* option : {"--sector 3v3", "--sample 5", "--sample 5 --seed 2", "--threads 1",
                             "--memory 1G", "--csv"}) {
    std::vector<std::string> arguments = {"verify", "--tables", shipped_tables("malom")};
    const std::vector<std::string> others = words(option);
    arguments.insert(arguments.end(), others.begin(), others.end());
    const Ending run = mtb(arguments);
    expect_refusal(run, 2);
    EXPECT_THAT(run.err, HasSubstr("add --level deep")) << option;
  }
}

TEST(DeepVerification, RefusesWhatItDoesNotUnderstand) {
  expect_refusal(verify_deeply(shipped_tables("malom"), "--sector 4w3"), 2);
  expect_refusal(verify_deeply(shipped_tables("malom"), "--memory some"), 2);
  expect_refusal(verify_deeply(shipped_tables("malom"), "--sample -1"), 2);
  expect_refusal(verify_deeply(shipped_tables("malom"), "--seed 3"), 2);
  for (const char* seed : {"18446744073709551616", "-1", "1e3", "0x10", ""}) {
    const Ending run = mtb({"verify", "--level", "deep", "--tables", shipped_tables("malom"),
                            "--sector", "3v3", "--sample", "5", "--seed", seed});
    expect_refusal(run, 2);
    EXPECT_THAT(run.err, HasSubstr("18446744073709551615")) << seed;
  }
  EXPECT_EQ(
      verify_deeply(shipped_tables("malom"), "--sector 3v3 --sample 5 --seed 18446744073709551615")
          .status,
      0);
  expect_refusal(verify_deeply(shipped_tables("malom"), "--sector 9v9"), 1);
}

}  // namespace
}  // namespace mtb::tests
