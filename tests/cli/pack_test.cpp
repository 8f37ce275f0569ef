// `mtb pack`: the same values in smaller files, whatever happens on the way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tests/cli/program.h"

namespace mtb::tests {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;
using ::testing::Not;

/// Bytes by file name, hidden files left out.
using Contents = std::map<std::string, std::string>;

Contents contents_of(const fs::path& folder) {
  Contents contents;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with('.')) contents[name] = read_file(entry.path());
  }
  return contents;
}

std::size_t bytes_of(const Contents& contents) {
  std::size_t bytes = 0;
  for (const auto& [name, content] : contents) bytes += content.size();
  return bytes;
}

int temporaries_in(const fs::path& folder) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    count += entry.path().extension() == ".tmp" ? 1 : 0;
  }
  return count;
}

Ending pack(const fs::path& folder, const std::vector<std::string>& more = {},
            const Surroundings& given = {}) {
  std::vector<std::string> arguments = {"pack", folder};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return mtb(arguments, given);
}

std::string info(const fs::path& file, const char* field) {
  const Ending run = mtb({"info", file, "--json"});
  EXPECT_EQ(run.status, 0) << run.err;
  return nlohmann::json::parse(run.out).at(field).dump();
}

/// What `mtb probe` says to some positions of up to seven cows, and `mtb stats` to all.
std::string answers(const fs::path& folder) {
  Surroundings questions;
  questions.input =
      "0,0 a7,d7,g1 b6,d6,f2 w\n0,0 a7,d7,g1 b6,d6,f2 b\n0,0 a1,b2,c3 c5,d5,g4,e3 w\n"
      "0,0 a7,b6,c4,c5 a4,c3,e3 w\n0,0 a7,b6,c4,c5 a4,c3,e3 b\n0,0 d3,d2,f4 g7,f6,e5,a1 b\n";
  const Ending run =
      mtb({"probe", "--rules", "malom", "--tables", folder, "--batch", "-"}, questions);
  const Ending stats = mtb({"stats", "--csv", "--tables", folder});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(stats.status, 0) << stats.err;
  return run.out + stats.out;
}

class Pack : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    original_ = new TemporaryFolder;
    const Ending run =
        mtb({"gen", "--rules", "malom", "--to", "4v3", "--out", original_->path().string()});
    ASSERT_EQ(run.status, 0) << run.err;
  }
  static void TearDownTestSuite() {
    delete original_;
    original_ = nullptr;
  }
  void SetUp() override { write_back(contents_of(original_->path())); }

  void write_back(const Contents& contents) const {
    for (const auto& [name, bytes] : contents) write_file(folder_ / name, bytes);
  }

  static TemporaryFolder* original_;
  const TemporaryFolder folder_;
};

TemporaryFolder* Pack::original_ = nullptr;

TEST_F(Pack, MakesFilesSmallerAndKeepsEveryValue) {
  const std::string before = answers(folder_.path());
  const std::size_t bytes = bytes_of(contents_of(folder_.path()));
  const Ending run = pack(folder_.path());
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.err, "");
  for (const char* name : {"3v3.dtw", "3v3.wdl", "3v4.dtw", "3v4.wdl", "4v3.dtw", "4v3.wdl"}) {
    EXPECT_EQ(info(folder_ / name, "content_hash"), info(*original_ / name, "content_hash"));
    EXPECT_EQ(info(folder_ / name, "coding"), "\"modelled\"");
    EXPECT_LT(fs::file_size(folder_ / name), fs::file_size(*original_ / name)) << name;
  }
  EXPECT_LT(bytes_of(contents_of(folder_.path())), bytes * 3 / 4);
  EXPECT_EQ(answers(folder_.path()), before);
  EXPECT_EQ(mtb({"verify", "--tables", folder_.path()}).status, 0);
  EXPECT_EQ(temporaries_in(folder_.path()), 0);
}

TEST_F(Pack, SaysHowManyBytesEachTableTookAndTakes) {
  const std::uintmax_t before = fs::file_size(folder_ / "4v3.dtw");
  const Ending run = pack(folder_.path());
  const std::uintmax_t after = fs::file_size(folder_ / "4v3.dtw");
  EXPECT_THAT(run.out, ::testing::ContainsRegex("4v3 +dtw +" + std::to_string(before) + " +" +
                                                std::to_string(after) + " +0\\."));
  EXPECT_THAT(run.out, ::testing::ContainsRegex("total +wdl +[0-9]+ +[0-9]+ +0\\."));
  EXPECT_THAT(run.out, ::testing::ContainsRegex("total +dtw +[0-9]+ +[0-9]+ +0\\."));
}

TEST_F(Pack, KeepsWhatIsPacked) {
  ASSERT_EQ(pack(folder_.path()).status, 0);
  const Contents packed = contents_of(folder_.path());
  const Ending again = pack(folder_.path());
  EXPECT_EQ(again.status, 0);
  EXPECT_THAT(again.out, HasSubstr("kept"));
  EXPECT_TRUE(contents_of(folder_.path()) == packed);
}

TEST_F(Pack, MakesTheSameBytesForAnyNumberOfThreads) {
  const TemporaryFolder one;
  const TemporaryFolder three;
  ASSERT_EQ(pack(folder_.path(), {"--threads", "1", "--out", one.path()}).status, 0);
  ASSERT_EQ(pack(folder_.path(), {"--threads", "3", "--out", three.path()}).status, 0);
  EXPECT_TRUE(contents_of(one.path()) == contents_of(three.path()));
}

TEST_F(Pack, IntoAnotherFolderLeavesTheFirstAsItWas) {
  const TemporaryFolder other;
  const fs::path target = other / "made" / "here";
  const Ending run = pack(folder_.path(), {"--out", target});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(contents_of(folder_.path()) == contents_of(original_->path()));
  EXPECT_EQ(answers(target), answers(folder_.path()));
  const Contents packed = contents_of(target);
  EXPECT_THAT(pack(folder_.path(), {"--out", target}).out, HasSubstr("kept"));
  EXPECT_TRUE(contents_of(target) == packed);
}

TEST_F(Pack, LeavesTablesThatTheGeneratorKeepsAndSolvesFrom) {
  ASSERT_EQ(pack(folder_.path()).status, 0);
  const std::string packed = read_file(folder_ / "3v3.dtw");
  fs::remove(folder_ / "4v3.dtw");
  const Ending run = mtb({"gen", "--rules", "malom", "--to", "4v3", "--out", folder_.path()});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("3v3: kept"));
  EXPECT_EQ(read_file(folder_ / "3v3.dtw"), packed);
  EXPECT_EQ(info(folder_ / "4v3.dtw", "content_hash"),
            info(*original_ / "4v3.dtw", "content_hash"));
}

TEST_F(Pack, NamesDamagedTablesLeavesThemAndPacksTheRest) {
  std::string bytes = read_file(folder_ / "3v4.wdl");
  bytes[bytes.size() - 100] ^= 1;
  write_file(folder_ / "3v4.wdl", bytes);
  write_file(folder_ / "3v3.wdl", "no table");
  const Ending run = pack(folder_.path());
  EXPECT_EQ(run.status, 3);
  EXPECT_THAT(run.err, HasSubstr("3v4.wdl is damaged"));
  EXPECT_THAT(run.err, HasSubstr("3v3.wdl"));
  EXPECT_THAT(run.out, Not(HasSubstr("3v4     wdl")));
  EXPECT_EQ(read_file(folder_ / "3v4.wdl"), bytes);
  EXPECT_EQ(read_file(folder_ / "3v3.wdl"), "no table");
  EXPECT_EQ(info(folder_ / "4v3.wdl", "coding"), "\"modelled\"");
  EXPECT_EQ(temporaries_in(folder_.path()), 0);
}

TEST_F(Pack, NamesTablesOfOtherRulesAndLeavesThem) {
  const TemporaryFolder other;
  ASSERT_EQ(mtb({"gen", "--rules", "traditional", "--to", "3v3", "--out", other.path()}).status, 0);
  fs::rename(other / "3v3.wdl", folder_ / "4v3.wdl");
  fs::rename(other / "3v3.dtw", folder_ / "4v3.dtw");
  const Contents before = contents_of(folder_.path());
  const Ending run = pack(folder_.path());
  EXPECT_EQ(run.status, 3);
  EXPECT_THAT(run.err, HasSubstr("4v3.wdl"));
  EXPECT_THAT(run.err, HasSubstr("4v3.dtw"));
  EXPECT_EQ(read_file(folder_ / "4v3.dtw"), before.at("4v3.dtw"));
  EXPECT_NE(read_file(folder_ / "3v3.dtw"), before.at("3v3.dtw"));
}

TEST_F(Pack, DoesNotReplaceTablesOfOtherRules) {
  const TemporaryFolder other;
  ASSERT_EQ(mtb({"gen", "--rules", "traditional", "--to", "3v3", "--out", other.path()}).status, 0);
  const Contents before = contents_of(other.path());
  const Ending run = mtb({"pack", folder_.path(), "--out", other.path()});
  EXPECT_EQ(run.status, 3);
  EXPECT_THAT(run.err, HasSubstr("other rules"));
  EXPECT_EQ(contents_of(other.path()), before);
}

TEST_F(Pack, KeepsTheOldTablesWhenTheDiskIsFull) {
  Surroundings full;
  full.file_size_limit = 4096;  // less than any packed table takes
  const Ending run = pack(folder_.path(), {}, full);
  EXPECT_EQ(run.status, 4);
  EXPECT_TRUE(run.err.starts_with("mtb: ")) << run.err;
  EXPECT_TRUE(contents_of(folder_.path()) == contents_of(original_->path()));
  EXPECT_EQ(temporaries_in(folder_.path()), 0);
}

TEST_F(Pack, KilledAtAnyInstantLeavesEachTableWholeAndGoesOn) {
  const Contents old = contents_of(folder_.path());
  const auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(pack(folder_.path()).status, 0);
  const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - start;
  const Contents packed = contents_of(folder_.path());
  std::mt19937 random(3);
  std::uniform_real_distribution<double> part(0, 1);
  int killed = 0;
  for (int i = 0; i < 10; ++i) {
    write_back(old);
    Running run({"pack", folder_.path()});
    std::this_thread::sleep_for(part(random) * whole);
    killed += run.ended() ? 0 : 1;
    if (!run.ended()) run.send(SIGKILL);
    run.wait();
    for (const auto& [name, bytes] : contents_of(folder_.path())) {
      EXPECT_TRUE(bytes == old.at(name) || bytes == packed.at(name)) << name;
    }
    ASSERT_EQ(pack(folder_.path()).status, 0);
    EXPECT_TRUE(contents_of(folder_.path()) == packed);
    EXPECT_EQ(temporaries_in(folder_.path()), 0);
  }
  EXPECT_GE(killed, 3);
}

TEST_F(Pack, RefusesAFolderInWhichAnotherProcessWrites) {
  std::vector<std::string> arguments =
      words("gen --rules malom --to 5v4 --threads 1 --out " + folder_.path().string());
  Running generator(arguments);
  Ending run;
  for (int i = 0; i < 1000 && !generator.ended(); ++i) {
    // It takes the lock with the first pair that is missing.
    if (generator.out().find("4v3: kept") == std::string::npos) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      continue;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    run = pack(folder_.path());
    break;
  }
  EXPECT_EQ(run.status, 4) << run.out;
  EXPECT_THAT(run.err, HasSubstr("another process"));
  generator.send(SIGKILL);
  generator.wait();
}

TEST(PackWithoutTables, IsRefused) {
  const TemporaryFolder empty;
  expect_refusal(pack(empty.path()), 1);
  expect_refusal(pack(empty / "missing"), 1);
  expect_refusal(mtb({"pack"}), 2);
  EXPECT_TRUE(contents_of(empty.path()).empty());
  EXPECT_FALSE(fs::exists(empty / ".lock"));
}

}  // namespace
}  // namespace mtb::tests
