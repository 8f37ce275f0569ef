// `mtb gen`, `stats`, `info`, `verify`: making tables and looking after them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace mtb::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::UnorderedElementsAre;

/// Names in a folder, hidden ones left out.
std::set<std::string> files_in(const std::filesystem::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with('.')) names.insert(name);
  }
  return names;
}

int temporaries_in(const std::filesystem::path& folder) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    count += entry.path().extension() == ".tmp" ? 1 : 0;
  }
  return count;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Solves 3v3 of malom into a folder.
Ending gen_small(const std::filesystem::path& folder, const std::string& more = "") {
  std::vector<std::string> arguments = words("gen --rules malom --to 3v3 " + more);
  arguments.insert(arguments.end(), {"--out", folder});
  return mtb(arguments);
}

void damage(const std::filesystem::path& path) {
  std::string bytes = read_file(path);
  ASSERT_GT(bytes.size(), 1000u) << path;
  bytes[bytes.size() - 100] ^= 1;
  write_file(path, bytes);
}

// ---- gen

TEST(Gen, WritesTablesOfBothMetricsIntoTheDefaultFolder) {
  TemporaryFolder folder;
  Surroundings here;
  here.folder = folder.path();
  const Ending run = mtb(words("gen --rules malom --to 4v3"), here);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.err, "");
  EXPECT_THAT(files_in(folder / "tables/malom"),
              ElementsAre("3v3.dtw", "3v3.wdl", "3v4.dtw", "3v4.wdl", "4v3.dtw", "4v3.wdl"));
  EXPECT_THAT(run.out, HasSubstr("3v3: "));
  EXPECT_THAT(run.out, HasSubstr("4v3: "));
  EXPECT_THAT(run.out, Not(HasSubstr("\r"))) << "no line is written over outside a terminal";
}

TEST(Gen, WritesDistancesAloneWhenAskedTo) {
  TemporaryFolder folder;
  EXPECT_EQ(gen_small(folder.path(), "--metrics dtw").status, 0);
  EXPECT_THAT(files_in(folder.path()), ElementsAre("3v3.dtw"));
}

TEST(Gen, KeepsWhatIsSoundAndSolvesWhatIsDamaged) {
  TemporaryFolder folder;
  ASSERT_EQ(gen_small(folder.path()).status, 0);
  const std::string sound = read_file(folder / "3v3.dtw");

  const Ending again = gen_small(folder.path());
  EXPECT_EQ(again.status, 0);
  EXPECT_THAT(again.out, HasSubstr("3v3: kept"));
  EXPECT_EQ(again.err, "");

  damage(folder / "3v3.dtw");
  const Ending repaired = gen_small(folder.path());
  EXPECT_EQ(repaired.status, 0);
  EXPECT_THAT(repaired.err, HasSubstr("3v3.dtw"));
  EXPECT_EQ(lines_of(repaired.err).size(), 1u);
  EXPECT_EQ(read_file(folder / "3v3.dtw"), sound);
}

TEST(Gen, ShowsItsPlanWithoutDoingAnything) {
  TemporaryFolder folder;
  std::vector<std::string> arguments = words("gen --rules malom --total 7 --dry-run");
  arguments.insert(arguments.end(), {"--out", folder / "tables"});
  const Ending run = mtb(arguments);
  EXPECT_EQ(run.status, 0);
  // 158 classes of three cows, 757 of four; C(21, 3) and twice C(20, 3) columns.
  EXPECT_THAT(run.out, HasSubstr(std::to_string(158 * 1330)));
  EXPECT_THAT(run.out, HasSubstr(std::to_string(2 * 757 * 1140)));
  for (const char* column : {"mode", "memory", "temporary", "tables", "CPU", "time"}) {
    EXPECT_THAT(run.out, HasSubstr(column));
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "tables"));
}

TEST(Gen, RefusesWhatNeedsMoreThanTheAllowedMemory) {
  TemporaryFolder folder;
  const Ending run = gen_small(folder / "tables", "--memory 1M");
  EXPECT_EQ(run.status, 4);
  EXPECT_EQ(lines_of(run.err).size(), 1u);
  EXPECT_THAT(run.err, HasSubstr("memory"));
  EXPECT_FALSE(std::filesystem::exists(folder / "tables"));
}

TEST(Gen, PlansNothingInAFolderWithTablesOfOtherRules) {
  const Ending run = mtb({"gen", "--rules", "malom", "--to", "3v3", "--dry-run", "--out",
                          std::string(MTB_DATA_DIR) + "/tables/traditional"});
  EXPECT_EQ(run.status, 3);
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(run.err, HasSubstr("other rules"));
}

TEST(Gen, RefusesAFolderWithTablesOfOtherRules) {
  TemporaryFolder folder;
  ASSERT_EQ(gen_small(folder.path()).status, 0);
  const Ending run = mtb({"gen", "--rules", "koti", "--to", "3v3", "--out", folder.path()});
  EXPECT_EQ(run.status, 3);
  EXPECT_EQ(lines_of(run.err).size(), 1u);
  EXPECT_THAT(run.err, HasSubstr("3v3."));
}

TEST(Gen, TellsThatAFolderCannotBeWritten) {
  const Ending run = mtb({"gen", "--rules", "malom", "--to", "3v3", "--out", "/proc/tables"});
  EXPECT_EQ(run.status, 4);
  EXPECT_EQ(lines_of(run.err).size(), 1u);
  EXPECT_THAT(run.err, HasSubstr("/proc/tables"));
}

TEST(Gen, LeavesNothingHalfWrittenWhenTheDiskIsFull) {
  TemporaryFolder folder;
  Surroundings full;
  full.file_size_limit = 8192;  // the table takes some 40,000 bytes
  const Ending run = mtb({"gen", "--rules", "malom", "--to", "3v3", "--out", folder.path()}, full);
  EXPECT_EQ(run.status, 4);
  EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
  EXPECT_TRUE(run.err.starts_with("mtb: ")) << run.err;
  EXPECT_THAT(run.err, HasSubstr("3v3.dtw"));
  EXPECT_TRUE(files_in(folder.path()).empty());
  EXPECT_EQ(temporaries_in(folder.path()), 0);
}

TEST(Gen, ReportsEachSectorOnceHoweverOftenItIsRun) {
  TemporaryFolder folder;
  const std::string report = folder / "report.csv";
  const auto run = [&](const std::string& to) {
    return mtb(
        {"gen", "--rules", "malom", "--to", to, "--out", folder / "tables", "--report", report});
  };
  ASSERT_EQ(run("3v3").status, 0);
  write_file(report, read_file(report) + "malom,4v3,4v3,86");  // killed in the middle of a line
  ASSERT_EQ(run("4v3").status, 0);
  ASSERT_EQ(run("4v3").status, 0);
  const std::vector<std::string> lines = lines_of(read_file(report));
  ASSERT_EQ(lines.size(), 4u) << read_file(report);
  EXPECT_THAT(lines[0],
              HasSubstr("rules,pair,sector,slots,positions,win,clock_win,draw,clock_loss,loss,"));
  EXPECT_THAT(lines[1], MatchesRegex("malom,3v3,3v3,210140,2691920,.*"));
  EXPECT_THAT(lines[2], MatchesRegex("malom,4v3,4v3,862980,12113640,.*"));
  EXPECT_THAT(lines[3], MatchesRegex("malom,4v3,3v4,862980,12113640,.*"));
  const auto fields = [](const std::string& line) {
    return std::count(line.begin(), line.end(), ',');
  };
  for (const std::string& line : lines) EXPECT_EQ(fields(line), fields(lines[0])) << line;

  // A line that was lost comes back, and no other.
  write_file(report, lines[0] + '\n' + lines[1] + '\n' + lines[2] + '\n');
  ASSERT_EQ(run("4v3").status, 0);
  const std::vector<std::string> again = lines_of(read_file(report));
  ASSERT_EQ(again.size(), 4u);
  EXPECT_THAT(again[3], MatchesRegex("malom,4v3,3v4,862980,12113640,.*"));

  // A report that was begun later says what there is, and nothing of the work.
  std::filesystem::remove(report);
  ASSERT_EQ(run("4v3").status, 0);
  const std::vector<std::string> later = lines_of(read_file(report));
  ASSERT_EQ(later.size(), 4u);
  EXPECT_THAT(later[1], HasSubstr(",,,,,,"));
}

TEST(Gen, RefusesAReportThatIsNoOrdinaryFile) {
  TemporaryFolder folder;
  for (const std::string& report : {std::string("/dev/null"), folder.path().string()}) {
    const Ending run = gen_small(folder / "tables", "--report " + report);
    EXPECT_EQ(run.status, 2);
    EXPECT_EQ(lines_of(run.err).size(), 1u);
    EXPECT_THAT(run.err, HasSubstr("ordinary"));
  }
}

TEST(Gen, RefusesAReportWithTheNameOfATable) {
  TemporaryFolder folder;
  const std::string report = folder / "tables/4v3.wdl";
  const Ending run = gen_small(folder / "tables", "--report " + report);
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(lines_of(run.err).size(), 1u);
  EXPECT_THAT(run.err, AllOf(HasSubstr("name of a table"), HasSubstr("another file")));
  EXPECT_FALSE(std::filesystem::exists(report));
}

TEST(Gen, TellsTheLongestWinWhereDistancesAreKnown) {
  TemporaryFolder folder;
  const Ending known = gen_small(folder / "known", "--metrics dtw");
  EXPECT_THAT(known.out, HasSubstr("longest win"));
  const Ending unknown = gen_small(folder / "unknown", "--metrics wdl");
  EXPECT_EQ(unknown.status, 0);
  EXPECT_THAT(unknown.out, Not(HasSubstr("longest win")));
}

TEST(Gen, LeavesAFileThatIsNoReportAlone) {
  TemporaryFolder folder;
  write_file(folder / "diary.txt", "a fine day\n");
  const Ending run = gen_small(folder / "tables", "--report " + (folder / "diary.txt").string());
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(lines_of(run.err).size(), 1u);
  EXPECT_EQ(read_file(folder / "diary.txt"), "a fine day\n");
}

TEST(Gen, WritesTheSameTablesWithLittleMemory) {
  TemporaryFolder folder;
  const auto run = [&](const std::string& name, const std::string& memory) {
    std::vector<std::string> arguments = words("gen --rules malom --to 4v3 --threads 2");
    arguments.insert(arguments.end(), {"--memory", memory, "--out", folder / name, "--report",
                                       folder / (name + ".csv")});
    return mtb(arguments);
  };
  ASSERT_EQ(run("much", "1G").status, 0);
  const Ending little = run("little", "44464K");
  ASSERT_EQ(little.status, 0) << little.err;
  EXPECT_THAT(read_file(folder / "little.csv"), HasSubstr(",disk,"));
  for (const std::string& name : files_in(folder / "much")) {
    EXPECT_EQ(read_file(folder / ("little/" + name)), read_file(folder / ("much/" + name))) << name;
  }
}

// ---- stats

/// The published counts of one rule set up to seven cows: `sector,win,draw,loss,longest_win,
/// longest_loss`.
std::set<std::string> reference_counts(const std::string& rules) {
  std::set<std::string> rows;
  for (const std::string& line :
       lines_of(read_file(std::string(MTB_DATA_DIR) + "/reference/counts.csv"))) {
    if (!line.starts_with(rules + ',')) continue;
    const std::string row = line.substr(rules.size() + 1);
    if (row[0] + row[2] <= '3' + '4') rows.insert(row);
  }
  EXPECT_FALSE(rows.empty()) << rules;
  return rows;
}

class Stats : public ::testing::TestWithParam<const char*> {};

TEST_P(Stats, OfGeneratedTablesAreThePublishedOnes) {
  TemporaryFolder folder;
  ASSERT_EQ(mtb({"gen", "--rules", GetParam(), "--to", "4v3", "--out", folder.path()}).status, 0);
  const Ending run = mtb({"stats", "--tables", folder.path(), "--csv"});
  EXPECT_EQ(run.status, 0);
  const std::vector<std::string> lines = lines_of(run.out);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0],
            "sector,positions,win,clock_win,draw,clock_loss,loss,longest_win,longest_loss");
  std::set<std::string> rows;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    std::vector<std::string> fields;
    std::istringstream in(lines[i]);
    for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
    ASSERT_EQ(fields.size(), 9u) << lines[i];
    const auto number = [&](std::size_t field) { return std::stoull(fields[field]); };
    EXPECT_EQ(std::stoull(fields[1]), number(2) + number(3) + number(4) + number(5) + number(6));
    // What is published is without the clock.
    rows.insert(fields[0] + ',' + std::to_string(number(2) + number(3)) + ',' + fields[4] + ',' +
                std::to_string(number(5) + number(6)) + ',' + fields[7] + ',' + fields[8]);
  }
  for (const std::string& row : reference_counts(GetParam())) {
    EXPECT_TRUE(rows.contains(row)) << row << " is published, not " << run.out;
  }
}

INSTANTIATE_TEST_SUITE_P(Of, Stats,
                         ::testing::Values("traditional", "tournament", "koti", "malom",
                                           "nine-mens-morris"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(StatsOfAFolder, AreAlignedAndSortedByTheNumberOfCows) {
  TemporaryFolder folder;
  ASSERT_EQ(mtb({"gen", "--rules", "malom", "--to", "4v3", "--out", folder.path()}).status, 0);
  const Ending run = mtb({"stats", "--tables", folder.path()});
  EXPECT_EQ(run.status, 0);
  const std::vector<std::string> lines = lines_of(run.out);
  ASSERT_EQ(lines.size(), 4u);
  for (const std::string& line : lines) EXPECT_EQ(line.size(), lines[0].size()) << line;
  EXPECT_TRUE(lines[0].starts_with("sector ")) << lines[0];
  EXPECT_TRUE(lines[1].starts_with("3v3 ")) << lines[1];
  EXPECT_TRUE(lines[2].starts_with("3v4 ")) << lines[2];
  EXPECT_TRUE(lines[3].starts_with("4v3 ")) << lines[3];
}

TEST(StatsOfAFolder, LeaveDistancesOpenWhereOnlyOutcomesAreThere) {
  TemporaryFolder folder;
  ASSERT_EQ(gen_small(folder.path()).status, 0);
  std::filesystem::remove(folder / "3v3.dtw");
  EXPECT_EQ(lines_of(mtb({"stats", "--tables", folder.path(), "--csv"}).out).at(1),
            "3v3,2691920,2240880,0,0,0,451040,,");
}

TEST(StatsOfAFolder, NameDamagedTablesAndPrintTheRest) {
  TemporaryFolder folder;
  ASSERT_EQ(gen_small(folder.path()).status, 0);
  write_file(folder / "4v3.dtw", read_file(folder / "3v3.dtw").substr(0, 300));
  const Ending run = mtb({"stats", "--tables", folder.path(), "--csv"});
  EXPECT_EQ(run.status, 3);
  EXPECT_EQ(lines_of(run.out).size(), 2u) << run.out;
  EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
  EXPECT_THAT(run.err, HasSubstr("4v3.dtw"));
}

// ---- info

TEST(Info, ShowsAHeaderOneFieldALine) {
  TemporaryFolder folder;
  ASSERT_EQ(gen_small(folder.path()).status, 0);
  const Ending run = mtb({"info", folder / "3v3.dtw"});
  EXPECT_EQ(run.status, 0);
  for (const std::string& line : lines_of(run.out)) {
    EXPECT_THAT(line, MatchesRegex("[a-z_]+: .+"));
  }
  const std::string fingerprint = mtb({"rules", "malom"}).out.substr(14, 16);
  const auto bytes = std::filesystem::file_size(folder / "3v3.dtw");
  for (const std::string& line :
       {std::string("rules: malom"), "fingerprint: " + fingerprint, std::string("sector: 3v3"),
        std::string("metric: dtw"), std::string("clock: none"), std::string("slots: 210140"),
        std::string("positions: 2691920"), std::string("win: 2240880"), std::string("draw: 0"),
        std::string("loss: 451040"), std::string("longest_win: 15"),
        std::string("longest_loss: 16"), "bytes: " + std::to_string(bytes)}) {
    EXPECT_THAT(run.out, HasSubstr(line + '\n'));
  }
}

TEST(Info, SpeaksJson) {
  TemporaryFolder folder;
  ASSERT_EQ(gen_small(folder.path()).status, 0);
  const Ending run = mtb({"info", "--json", folder / "3v3.wdl"});
  EXPECT_EQ(run.status, 0);
  const auto json = nlohmann::json::parse(run.out);
  EXPECT_EQ(json["sector"], "3v3");
  EXPECT_EQ(json["metric"], "wdl");
  EXPECT_EQ(json["loss"], 451040);
  EXPECT_TRUE(json["longest_win"].is_null());
  const double bytes = static_cast<double>(std::filesystem::file_size(folder / "3v3.wdl"));
  EXPECT_NEAR(json["bits_per_slot"].get<double>(), 8 * bytes / 210140, 1e-3);
}

TEST(Info, TellsWhatIsWrongWithAFile) {
  TemporaryFolder folder;
  write_file(folder / "3v3.dtw", "no table");
  expect_refusal(mtb({"info", folder / "3v3.dtw"}), 3);
  const Ending missing = mtb({"info", folder / "4v3.dtw"});
  expect_refusal(missing, 1);
  EXPECT_THAT(missing.err, HasSubstr("4v3.dtw"));
}

// ---- verify

TEST(Verify, SaysOkForEverySoundFile) {
  TemporaryFolder folder;
  ASSERT_EQ(gen_small(folder.path()).status, 0);
  write_file(folder / ".4v3.dtw.123.tmp", "half written");
  write_file(folder / "notes.txt", "of no interest");
  for (const char* level : {"header", "checksums"}) {
    const Ending run = mtb({"verify", "--tables", folder.path(), "--level", level});
    EXPECT_EQ(run.status, 0);
    EXPECT_EQ(run.err, "");
    EXPECT_THAT(lines_of(run.out),
                UnorderedElementsAre("3v3.dtw: ok", "3v3.wdl: ok", "2 files, 0 problems"));
  }
}

TEST(Verify, NamesDamagedAndForeignFiles) {
  TemporaryFolder folder;
  ASSERT_EQ(gen_small(folder.path()).status, 0);
  damage(folder / "3v3.dtw");
  write_file(folder / "4v4.wdl", read_file(folder / "3v3.wdl"));
  const Ending run = mtb({"verify", "--tables", folder.path()});
  EXPECT_EQ(run.status, 3);
  EXPECT_THAT(run.out, HasSubstr("3v3.wdl: ok\n"));
  EXPECT_THAT(run.out, HasSubstr("3v3.dtw: damaged: "));
  EXPECT_THAT(run.out, HasSubstr("4v4.wdl: foreign: "));
  EXPECT_THAT(run.out, HasSubstr("3 files, 2 problems\n"));
  EXPECT_EQ(lines_of(run.err).size(), 1u);
}

TEST(Verify, FindsAnyFlippedBit) {
  TemporaryFolder folder;
  ASSERT_EQ(gen_small(folder.path(), "--metrics dtw").status, 0);
  const std::string sound = read_file(folder / "3v3.dtw");
  for (std::size_t i = 0; i < 24; ++i) {
    std::string bytes = sound;
    const std::size_t place =
        i < 8 ? 37 * i : bytes.size() * i / 24;  // header first, then all over
    bytes[place] = static_cast<char>(bytes[place] ^ 1 << i % 8);
    write_file(folder / "3v3.dtw", bytes);
    EXPECT_EQ(mtb({"verify", "--tables", folder.path()}).status, 3) << "bit of byte " << place;
  }
  for (const std::size_t length : {std::size_t{0}, std::size_t{9}, sound.size() - 1}) {
    write_file(folder / "3v3.dtw", sound.substr(0, length));
    EXPECT_EQ(mtb({"verify", "--tables", folder.path()}).status, 3) << length << " bytes";
  }
}

TEST(AFolderWithoutTables, IsNamedWithStatus1) {
  TemporaryFolder folder;
  for (const char* command : {"verify", "stats"}) {
    for (const std::string& path : {folder.path().string(), (folder / "nowhere").string()}) {
      const Ending run = mtb({command, "--tables", path});
      expect_refusal(run, 1);
      EXPECT_THAT(run.err, HasSubstr(path));
    }
  }
}

}  // namespace
}  // namespace mtb::tests
