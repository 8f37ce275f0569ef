// Opening folders through the C interface, and what it says it found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <utility>
#include <vector>

#include "format/table.h"
#include "tests/interface/interface.h"
#include "tests/temporary_folder.h"

namespace mtb {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using namespace tests;

mtb_report report_of(const Handle& base) {
  mtb_report report;
  EXPECT_EQ(mtb_get_report(base.get(), &report), MTB_OK);
  return report;
}

/// The status, and the message.
std::pair<mtb_status, std::string> failure_of(const char* path_list,
                                              const mtb_options* options = nullptr) {
  int somewhere = 0;
  auto* base = reinterpret_cast<mtb_tablebase*>(&somewhere);
  mtb_message message;
  const mtb_status status = mtb_open(path_list, options, &base, &message);
  EXPECT_EQ(base, nullptr);
  return {status, message.text};
}

void copy_table(const std::string& rules, const std::string& name,
                const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  std::filesystem::copy_file(shipped(rules) + "/" + name, folder / name);
}

TEST(TheReport, CountsTablesByMetricAndNamesTheLargest) {
  const Handle base = opened(shipped("traditional"));
  const mtb_report report = report_of(base);
  EXPECT_STREQ(report.rules, "traditional");
  EXPECT_EQ(report.fingerprint, fingerprint(rules_named("traditional")));
  EXPECT_EQ(report.clock_plies, 50u);
  EXPECT_EQ(report.clock, MTB_CLOCK_APPLIED);
  EXPECT_THAT(report.tables, ElementsAre(4u, 4u, 4u));
  EXPECT_EQ(report.refused, 0u);
  EXPECT_EQ(report.duplicates, 0u);
  EXPECT_EQ(report.largest.mover, 4);
  EXPECT_EQ(report.largest.opponent, 4);
  EXPECT_EQ(mtb_get_rules(base.get()), canonical_text(rules_named("traditional")));

  std::vector<std::pair<int, int>> sectors;
  mtb_sector sector;
  for (std::size_t i = 0; mtb_get_sector(base.get(), MTB_DTC, i, &sector) == MTB_OK; ++i) {
    sectors.emplace_back(sector.mover, sector.opponent);
  }
  EXPECT_THAT(sectors, ElementsAre(Pair(3, 3), Pair(3, 4), Pair(4, 3), Pair(4, 4)));
  EXPECT_EQ(mtb_get_sector(base.get(), 3, 0, &sector), MTB_BAD_ARGUMENT);
}

TEST(TheReport, SaysThatTheClockIsIgnoredWhereTablesLeaveItOut) {
  TemporaryFolder folder;
  copy_table("traditional", "3v3.dtw", folder.path());
  EXPECT_EQ(report_of(opened(folder.path().string())).clock, MTB_CLOCK_IGNORED);
  EXPECT_EQ(report_of(opened(shipped("malom"))).clock, MTB_CLOCK_NONE);
  EXPECT_EQ(report_of(opened(shipped("malom"))).clock_plies, 0u);
}

TEST(RefusedFiles, AreListedWithTheirReasonsAndLogged) {
  TemporaryFolder folder;
  copy_table("malom", "3v3.wdl", folder.path());
  copy_table("traditional", "3v4.wdl", folder.path());
  write_file(folder / "4v4.wdl", "no table");
  mtb_options options = defaults();
  std::vector<std::pair<mtb_status, std::string>> logged;
  options.log_user = &logged;
  options.log = [](void* user, mtb_status status, const char* text) {
    static_cast<decltype(logged)*>(user)->emplace_back(status, text);
  };
  const Handle base = opened(folder.path().string(), &options);
  ASSERT_EQ(report_of(base).refused, 2u);
  mtb_refusal refusal;
  ASSERT_EQ(mtb_get_refused(base.get(), 0, &refusal), MTB_OK);
  EXPECT_EQ(refusal.status, MTB_WRONG_RULES);
  EXPECT_EQ(refusal.path, folder / "3v4.wdl");
  EXPECT_THAT(refusal.reason, HasSubstr("traditional"));
  EXPECT_EQ(logged.at(0), std::pair(refusal.status, std::string(refusal.reason)));
  ASSERT_EQ(mtb_get_refused(base.get(), 1, &refusal), MTB_OK);
  EXPECT_EQ(refusal.status, MTB_CORRUPT);
  EXPECT_EQ(refusal.path, folder / "4v4.wdl");
  EXPECT_EQ(logged.size(), 2u);
  EXPECT_EQ(mtb_get_refused(base.get(), 2, &refusal), MTB_BAD_ARGUMENT);
  EXPECT_EQ(refusal.path, nullptr);

  // A probe that would need a refused file says why there is none.
  const mtb_position position = parsed("0,0 a4,c3,e3 a7,b6,c4,c5 w");
  mtb_value value;
  mtb_message message;
  EXPECT_EQ(mtb_probe_wdl(base.get(), &position, &value, &message), MTB_WRONG_RULES);
  EXPECT_THAT(message.text, HasSubstr("3v4.wdl"));
  EXPECT_EQ(logged.size(), 2u) << "the reason is known already";
}

TEST(Duplicates, AreTheFilesWhoseTableAnEarlierFolderHas) {
  TemporaryFolder folder;
  copy_table("malom", "3v3.wdl", folder / "a");
  copy_table("malom", "3v3.wdl", folder / "b");
  copy_table("malom", "3v4.wdl", folder / "b");
  write_file(folder / "a" / "3v4.wdl", "no table");
  const std::string a = (folder / "a").string();
  const std::string b = (folder / "b").string();
  const Handle base = opened(a + ":" + b);
  const mtb_report report = report_of(base);
  EXPECT_THAT(report.tables, ElementsAre(2u, 0u, 0u));
  EXPECT_EQ(report.refused, 1u);
  EXPECT_EQ(report.duplicates, 1u) << "a refused file is in nobody's way";
  EXPECT_EQ(mtb_get_duplicate(base.get(), 0), b + "/3v3.wdl");
  EXPECT_EQ(mtb_get_duplicate(base.get(), 1), nullptr);
}

TEST(APathList, MayHaveEmptyQuotedSpacedAndAccentedElements) {
  TemporaryFolder folder;
  copy_table("malom", "3v3.wdl", folder / "with: colon");
  copy_table("malom", "3v4.wdl", folder / " Tables d\xc3\xa9j\xc3\xa0 vues ");
  copy_table("malom", "4v3.wdl", folder / "plain");
  const std::string in = folder.path().string();
  const std::string list = "::" + in + "/plain:\"" + in + "/with: colon\":" + in +
                           "/ Tables d\xc3\xa9j\xc3\xa0 vues ::\"\":";
  EXPECT_THAT(report_of(opened(list)).tables, ElementsAre(3u, 0u, 0u));
  // Quotes may begin anywhere in an element.
  EXPECT_THAT(report_of(opened(in + "/with\":\" colon")).tables, ElementsAre(1u, 0u, 0u));

  const auto [status, text] = failure_of((in + "/plain:\"" + in).c_str());
  EXPECT_EQ(status, MTB_BAD_ARGUMENT);
  EXPECT_THAT(text, HasSubstr("quote"));

  // An array takes each folder as it is.
  const std::string colon = in + "/with: colon";
  const char* const folders[] = {colon.c_str()};
  mtb_tablebase* base = nullptr;
  EXPECT_EQ(mtb_open_folders(folders, 1, nullptr, &base, nullptr), MTB_OK);
  EXPECT_THAT(report_of(Handle(base)).tables, ElementsAre(1u, 0u, 0u));
}

TEST(Opening, SaysWhatIsNotThere) {
  TemporaryFolder folder;
  const std::string nowhere = (folder / "nowhere").string();
  EXPECT_EQ(failure_of(nowhere.c_str()).first, MTB_NO_TABLE);
  EXPECT_THAT(failure_of(nowhere.c_str()).second, HasSubstr(nowhere));
  EXPECT_EQ(failure_of(folder.path().c_str()).first, MTB_NO_TABLE);
  EXPECT_EQ(failure_of("").first, MTB_NO_TABLE);
  EXPECT_EQ(failure_of("<empty>").first, MTB_NO_TABLE);
  EXPECT_EQ(failure_of(nullptr).first, MTB_NO_TABLE);
  write_file(folder / "3v3.wdl", "no table");
  EXPECT_EQ(failure_of(folder.path().c_str()).first, MTB_CORRUPT);
}

TEST(ExpectedRules, ComeByNameOrAsText) {
  mtb_options options = defaults();
  options.rules = "traditional";
  EXPECT_STREQ(report_of(opened(shipped("traditional"), &options)).rules, "traditional");
  EXPECT_EQ(failure_of(shipped("malom").c_str(), &options).first, MTB_WRONG_RULES);

  const std::string text = read_file(std::string(MTB_DATA_DIR) + "/rules/malom.toml");
  options.rules = text.c_str();
  const Handle base = opened(shipped("malom"), &options);
  EXPECT_STREQ(report_of(base).rules, "malom");
  // What the handle says of its rules can be given back.
  options.rules = mtb_get_rules(base.get());
  EXPECT_STREQ(report_of(opened(shipped("malom"), &options)).rules, "malom");

  options.rules = "morabaraba";
  EXPECT_EQ(failure_of(shipped("malom").c_str(), &options).first, MTB_BAD_ARGUMENT);
  options.rules = "cows = many";
  EXPECT_EQ(failure_of(shipped("malom").c_str(), &options).first, MTB_BAD_ARGUMENT);
}

TEST(AHandleWithoutTables, PlaysByItsRulesAndAnswersThatTheTableIsMissing) {
  mtb_options options = defaults();
  options.without_tables = 1;
  options.rules = "gar";
  const Handle base = opened("<empty>", &options);
  const mtb_report report = report_of(base);
  EXPECT_STREQ(report.rules, "gar");
  EXPECT_THAT(report.tables, ElementsAre(0u, 0u, 0u));
  EXPECT_EQ(report.largest.mover, 0);
  // White's cows have no line in common, and so close no mill.
  const mtb_position position = parsed("0,0 a7,b4,e5 a4,c3,e3 w");
  mtb_value value;
  mtb_message message;
  EXPECT_EQ(mtb_probe(base.get(), &position, &value, &message), MTB_NO_TABLE);
  EXPECT_THAT(message.text, HasSubstr("3v3"));
  EXPECT_TRUE(is_unknown(value));
  mtb_turn turns[MTB_MAX_TURNS];
  std::size_t count = 0;
  ASSERT_EQ(mtb_turns(base.get(), &position, turns, MTB_MAX_TURNS, &count, nullptr), MTB_OK);
  EXPECT_EQ(count, 3u * 18u) << "three cows that may fly to 18 free points";
  mtb_position after;
  EXPECT_EQ(mtb_play(base.get(), &position, &turns[0], &after, nullptr), MTB_OK);
  EXPECT_EQ(after.side, MTB_BLACK);
}

TEST(AHandleWithoutTables, MayNameFoldersThatAreNotThere) {
  TemporaryFolder folder;
  copy_table("malom", "3v3.wdl", folder.path());
  const std::string nowhere = (folder / "nowhere").string();
  mtb_options options = defaults();
  options.without_tables = 1;
  const Handle base = opened(nowhere + ":" + folder.path().string(), &options);
  const mtb_report report = report_of(base);
  EXPECT_STREQ(report.rules, "malom");
  EXPECT_EQ(report.tables[MTB_WDL], 1u);
  ASSERT_EQ(report.refused, 1u);
  mtb_refusal refusal;
  EXPECT_EQ(mtb_get_refused(base.get(), 0, &refusal), MTB_OK);
  EXPECT_EQ(refusal.path, nowhere);
  EXPECT_EQ(refusal.status, MTB_NO_TABLE);
}

TEST(AHandleWithoutTablesOrRules, SaysThatItKnowsNoRules) {
  mtb_options options = defaults();
  options.without_tables = 1;
  const Handle base = opened("", &options);
  const mtb_report report = report_of(base);
  EXPECT_STREQ(report.rules, "");
  EXPECT_EQ(report.fingerprint, 0u);
  EXPECT_STREQ(mtb_get_rules(base.get()), "");
  const mtb_position position = parsed("0,0 a7,b6,c4 a4,c3,e3 w");
  mtb_value value;
  EXPECT_EQ(mtb_probe(base.get(), &position, &value, nullptr), MTB_NO_TABLE);
  EXPECT_EQ(mtb_probe_wdl(base.get(), &position, &value, nullptr), MTB_NO_TABLE);
  EXPECT_EQ(mtb_probe_soft(base.get(), &position, &value, nullptr), MTB_NO_TABLE);
  std::size_t count = 9;
  mtb_message message;
  EXPECT_EQ(mtb_turns(base.get(), &position, nullptr, 0, &count, &message), MTB_NO_TABLE);
  EXPECT_THAT(message.text, HasSubstr("rules"));
  EXPECT_EQ(count, 0u);
}

TEST(Options, OfAnOlderHeaderAreEnough) {
  mtb_options options;
  std::memset(&options, 0x5A, sizeof options);
  const std::size_t older = offsetof(mtb_options, rules);
  mtb_options_init(&options, older);
  EXPECT_EQ(options.size, older);
  EXPECT_EQ(options.cache_bytes, std::uint64_t{64} << 20);
  EXPECT_EQ(reinterpret_cast<unsigned char*>(&options)[older], 0x5A);
  // What lies behind is not looked at.
  EXPECT_NE(opened(shipped("malom"), &options), nullptr);
}

TEST(Options, OutOfRangeAreRefused) {
  const std::string folder = shipped("malom");
  mtb_options options = defaults();
  const auto is_refused_for = [&](const char* option) {
    const auto [status, text] = failure_of(folder.c_str(), &options);
    EXPECT_EQ(status, MTB_BAD_ARGUMENT);
    EXPECT_THAT(text, HasSubstr(option));
    options = defaults();
  };
  options.size = 0;
  is_refused_for("size");
  options.access = 2;
  is_refused_for("access");
  options.open_files = 0;
  is_refused_for("open_files");
  options.reserved = 1;
  is_refused_for("reserved");
}

TEST(Identify, SaysWhatTheHeaderSays) {
  const std::string path = shipped("traditional") + "/4v3.dtc";
  const auto table = TableFile::open(path, ClassCache());
  ASSERT_TRUE(table) << table.error().message;
  const TableHeader& header = table->header();
  mtb_file_info info;
  mtb_message message;
  ASSERT_EQ(mtb_identify(path.c_str(), &info, &message), MTB_OK) << message.text;
  EXPECT_STREQ(info.rules, "traditional");
  EXPECT_EQ(info.fingerprint, header.fingerprint);
  EXPECT_EQ(info.table.metric, MTB_DTC);
  EXPECT_EQ(info.table.sector.mover, 4);
  EXPECT_EQ(info.table.sector.opponent, 3);
  EXPECT_EQ(info.clock, MTB_CLOCK_APPLIED);
  EXPECT_EQ(info.slots, header.slots);
  EXPECT_EQ(info.bytes, std::filesystem::file_size(path));
  EXPECT_EQ(info.longest_win, static_cast<int>(header.longest_win));
  EXPECT_EQ(info.longest_loss, static_cast<int>(header.longest_loss));
  EXPECT_EQ(info.generator, header.generator);
  for (const Outcome outcome : {Outcome::win, Outcome::draw, Outcome::clock_loss, Outcome::loss}) {
    EXPECT_EQ(info.counts[to_c(outcome) - MTB_LOSS],
              header.counts[static_cast<std::size_t>(outcome)]);
  }
  ASSERT_EQ(mtb_identify((shipped("malom") + "/3v3.wdl").c_str(), &info, nullptr), MTB_OK);
  EXPECT_EQ(info.longest_win, -1) << "outcomes have no distance";
}

TEST(Identify, SaysWhatIsWrong) {
  TemporaryFolder folder;
  const std::string path = (folder / "3v3.wdl").string();
  mtb_file_info info;
  mtb_message message;
  EXPECT_EQ(mtb_identify(path.c_str(), &info, &message), MTB_NO_TABLE);
  EXPECT_THAT(message.text, HasSubstr(path));
  write_file(path, "no table");
  EXPECT_EQ(mtb_identify(path.c_str(), &info, &message), MTB_CORRUPT);
  EXPECT_EQ(info.slots, 0u);
  EXPECT_EQ(mtb_identify(folder.path().c_str(), &info, &message), MTB_IO_ERROR);
}

TEST(LongMessages, AreCutBetweenCharacters) {
  // Two bytes a character: whichever way the cut falls, one of the two paths would be cut in two.
  for (const std::string first : {"", "x"}) {
    std::string path = "/" + first;
    for (int i = 0; i < 700; ++i) path += i % 100 == 99 ? "/" : "\xc3\xa9";
    const auto [status, text] = failure_of(path.c_str());
    EXPECT_NE(status, MTB_OK);
    EXPECT_GE(text.size(), MTB_MESSAGE_BYTES - 2u);
    EXPECT_LT(text.size(), std::size_t{MTB_MESSAGE_BYTES});
    const auto last = static_cast<unsigned char>(text.back());
    EXPECT_TRUE(last < 0x80 || last == 0xA9) << "the message ends within a character";
  }
}

}  // namespace
}  // namespace mtb
