// Probes and rankings through the C interface say what the tablebase says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "format/table.h"
#include "tests/interface/interface.h"
#include "tests/temporary_folder.h"

namespace mtb {
namespace {

using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;
using namespace tests;

constexpr std::array kRules = {"traditional", "koti", "gar", "iggamecenter", "malom"};

Tablebase tablebase(const std::string& rules) {
  const std::filesystem::path folder = shipped(rules);
  auto base = Tablebase::open({&folder, 1});
  EXPECT_TRUE(base) << base.error().message;
  return std::move(*base);
}

int plies(const std::optional<std::uint32_t>& distance) {
  return distance ? static_cast<int>(*distance) : -1;
}

void expect_same(const mtb_value& value, const Evaluation& expected) {
  EXPECT_EQ(value.outcome, to_c(expected.outcome));
  EXPECT_EQ(value.dtw, plies(expected.dtw));
  EXPECT_EQ(value.dtc, plies(expected.dtc));
  constexpr std::array clocks = {MTB_CLOCK_NONE, MTB_CLOCK_IGNORED, MTB_CLOCK_APPLIED};
  EXPECT_EQ(value.clock, clocks[static_cast<std::size_t>(expected.clock)]);
}

TEST(Probes, SayWhatTheTablebaseSaysUnderAllRules) {
  for (const std::string rules : kRules) {
    const Tablebase expected = tablebase(rules);
    const Handle base = opened(shipped(rules));
    SmallPositions positions(5);
    int legal = 0;
    for (int i = 0; i < 400; ++i) {
      const Position asked = positions.next();
      const mtb_position position = to_c(asked);
      SCOPED_TRACE(rules + ": " + to_string(asked));
      const auto evaluation = expected.probe(asked);
      mtb_value value;
      mtb_message message;
      const mtb_status status = mtb_probe(base.get(), &position, &value, &message);
      if (!evaluation) {
        ASSERT_EQ(evaluation.error().fault, Fault::bad_input) << evaluation.error().message;
        EXPECT_EQ(status, MTB_ILLEGAL_POSITION);
        EXPECT_EQ(message.text, evaluation.error().message);
        EXPECT_TRUE(is_unknown(value));
        continue;
      }
      ++legal;
      EXPECT_EQ(status, MTB_OK) << message.text;
      expect_same(value, *evaluation);

      EXPECT_EQ(mtb_probe_wdl(base.get(), &position, &value, nullptr), MTB_OK);
      expect_same(value, {evaluation->outcome, {}, {}, evaluation->clock});

      EXPECT_EQ(mtb_probe_dtw(base.get(), &position, &value, nullptr), MTB_OK);
      expect_same(value, {evaluation->outcome, evaluation->dtw, {}, evaluation->clock});

      const bool counted = evaluation->dtc || evaluation->outcome == Outcome::draw;
      const mtb_status of_dtc = mtb_probe_dtc(base.get(), &position, &value, &message);
      if (counted) {
        EXPECT_EQ(of_dtc, MTB_OK) << message.text;
        expect_same(value, {evaluation->outcome, {}, evaluation->dtc, evaluation->clock});
      } else {
        EXPECT_EQ(of_dtc, MTB_NO_TABLE);
        EXPECT_THAT(message.text, HasSubstr("dtc"));
        EXPECT_TRUE(is_unknown(value));
      }
    }
    EXPECT_GT(legal, 200) << rules;
  }
}

TEST(ABatch, AnswersEachPositionAndSaysWhichFailed) {
  const Handle base = opened(shipped("gar"));
  SmallPositions positions(9);
  std::vector<mtb_position> asked;
  for (int i = 0; i < 300; ++i) asked.push_back(to_c(positions.next()));
  asked[7].side = 2;
  std::vector<mtb_value> values(asked.size());
  std::vector<mtb_status> statuses(asked.size());
  mtb_message message;
  const mtb_status status = mtb_probe_batch(base.get(), asked.data(), asked.size(), values.data(),
                                            statuses.data(), &message);
  mtb_status first = MTB_OK;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    mtb_value value;
    mtb_message of_one;
    EXPECT_EQ(mtb_probe(base.get(), &asked[i], &value, &of_one), statuses[i]) << i;
    EXPECT_EQ(value.outcome, values[i].outcome) << i;
    EXPECT_EQ(value.dtw, values[i].dtw) << i;
    EXPECT_EQ(value.dtc, values[i].dtc) << i;
    if (first == MTB_OK && statuses[i] != MTB_OK) {
      first = statuses[i];
      EXPECT_EQ(message.text, "positions[" + std::to_string(i) + "]: " + of_one.text);
    }
  }
  EXPECT_EQ(statuses[7], MTB_ILLEGAL_POSITION);
  EXPECT_EQ(status, first);
  EXPECT_EQ(mtb_probe_batch(base.get(), nullptr, 0, nullptr, nullptr, &message), MTB_OK);
}

TEST(ABatch, ReadsEachBlockOnceWithoutACache) {
  // Under a clock two metrics of a sector are asked in turns.
  const std::filesystem::path folder = shipped("traditional");
  const auto base = Tablebase::open({&folder, 1}, {.cache_bytes = 0});
  ASSERT_TRUE(base) << base.error().message;
  std::uint64_t blocks = 0;
  for (const Metric metric : {Metric::dtw, Metric::dtc}) {
    for (const Sector sector : base->sectors(metric)) {
      const auto table = TableFile::open(folder / table_file_name(sector, metric), ClassCache());
      ASSERT_TRUE(table) << table.error().message;
      blocks += table->header().blocks + 1;  // and its index
    }
  }
  SmallPositions positions(21);
  std::vector<Position> asked;
  while (asked.size() < 5000) {
    const Position position = positions.next();
    if (position.owed == 0) asked.push_back(position);
  }
  std::uint64_t reads = 0;
  const auto values = base->probe_all(asked, {.stop = [&] {
                                        ++reads;
                                        return false;
                                      }});
  EXPECT_GT(std::ranges::count_if(values, [](const auto& value) { return value.has_value(); }),
            2000);
  EXPECT_LE(reads, blocks);
}

TEST(Rankings, AreThoseOfTheTablebase) {
  for (const std::string rules : kRules) {
    const Tablebase expected = tablebase(rules);
    const Handle base = opened(shipped(rules));
    SmallPositions positions(6);
    std::vector<mtb_ranked_turn> turns(MTB_MAX_TURNS);
    for (int i = 0; i < 60; ++i) {
      const Position asked = positions.next();
      const mtb_position position = to_c(asked);
      SCOPED_TRACE(rules + ": " + to_string(asked));
      const auto ranked = expected.rank(asked);
      std::size_t count = 1;
      const mtb_status status = mtb_rank(base.get(), &position, turns.data(), turns.size(), &count,
                                         nullptr, nullptr, nullptr);
      if (!ranked) {
        EXPECT_EQ(status, MTB_ILLEGAL_POSITION);
        EXPECT_EQ(count, 0u);
        continue;
      }
      EXPECT_EQ(status, MTB_OK);
      ASSERT_EQ(count, ranked->size());
      for (std::size_t t = 0; t < count; ++t) {
        EXPECT_EQ(to_text(turns[t].turn), to_string((*ranked)[t].turn));
        ASSERT_EQ(turns[t].status, MTB_OK);
        expect_same(turns[t].value, *(*ranked)[t].value);
      }
    }
  }
}

TEST(Rankings, GiveTheBestTurnsWhereThereIsRoomForFew) {
  const Handle base = opened(shipped("traditional"));
  const mtb_position position = parsed("0,0 a7,b6,c4,c5 a4,c3,e3,g4 w");
  mtb_ranked_turn all[MTB_POINTS];
  std::size_t count = 0;
  ASSERT_EQ(mtb_rank(base.get(), &position, all, MTB_POINTS, &count, nullptr, nullptr, nullptr),
            MTB_OK);
  ASSERT_GT(count, 2u);
  mtb_ranked_turn best[3] = {};
  std::size_t all_count = 0;
  mtb_message message;
  EXPECT_EQ(mtb_rank(base.get(), &position, best, 2, &all_count, nullptr, nullptr, &message),
            MTB_TOO_SMALL);
  EXPECT_STREQ(message.text, mtb_status_text(MTB_TOO_SMALL));
  EXPECT_EQ(all_count, count);
  EXPECT_EQ(to_text(best[0].turn), to_text(all[0].turn));
  EXPECT_EQ(to_text(best[1].turn), to_text(all[1].turn));
  EXPECT_EQ(best[2].turn.to, 0) << "beyond the capacity nothing is written";
  EXPECT_EQ(mtb_rank(base.get(), &position, nullptr, 0, &all_count, nullptr, nullptr, nullptr),
            MTB_TOO_SMALL);
  EXPECT_EQ(all_count, count);
}

TEST(Rankings, StopWhenTheCallerSaysSo) {
  const Handle base = opened(shipped("traditional"));
  const mtb_position position = parsed("0,0 a7,b6,c4,c5 a4,c3,e3,g4 w");
  std::vector<mtb_ranked_turn> turns(MTB_MAX_TURNS);
  const mtb_stop stop = [](void* user) { return --*static_cast<int*>(user) == 0 ? -1 : 0; };
  std::size_t count = 0;
  int left = -1;
  ASSERT_EQ(
      mtb_rank(base.get(), &position, turns.data(), turns.size(), &count, stop, &left, nullptr),
      MTB_OK);
  EXPECT_GE(-1 - left, static_cast<int>(count)) << "it is asked before each turn";
  for (const int when : {1, 2, static_cast<int>(count)}) {
    left = when;
    std::size_t none = 1;
    EXPECT_EQ(
        mtb_rank(base.get(), &position, turns.data(), turns.size(), &none, stop, &left, nullptr),
        MTB_ABORTED);
    EXPECT_EQ(none, 0u);
    EXPECT_EQ(left, 0) << "it is not asked again";
  }
}

TEST(ASoftProbe, AnswersWhatAnotherProbeHasBroughtIntoTheCache) {
  const Handle base = opened(shipped("traditional"));
  SmallPositions positions(41);
  int not_cached = 0;
  for (int i = 0; i < 300; ++i) {
    const mtb_position position = to_c(positions.next());
    mtb_value before;
    const mtb_status first = mtb_probe_soft(base.get(), &position, &before, nullptr);
    mtb_value value;
    const mtb_status status = mtb_probe_wdl(base.get(), &position, &value, nullptr);
    if (first == MTB_NOT_CACHED) {
      ++not_cached;
      EXPECT_TRUE(is_unknown(before));
      EXPECT_EQ(status, MTB_OK);
    } else {
      EXPECT_EQ(first, status);
      EXPECT_EQ(before.outcome, value.outcome);
    }
    mtb_value after;
    EXPECT_EQ(mtb_probe_soft(base.get(), &position, &after, nullptr), status);
    EXPECT_EQ(after.outcome, value.outcome);
    EXPECT_EQ(after.clock, value.clock);
  }
  EXPECT_GT(not_cached, 10);
}

TEST(ASoftProbe, NeverReads) {
  mtb_options options = defaults();
  options.cache_bytes = 0;
  const Handle base = opened(shipped("traditional"), &options);
  const mtb_position position = parsed("0,0 a7,b6,c4,c5 a4,c3,e3,g4 w");
  mtb_value value;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(mtb_prefetch(base.get(), &position), MTB_OK);
    EXPECT_EQ(mtb_probe_soft(base.get(), &position, &value, nullptr), MTB_NOT_CACHED);
    EXPECT_TRUE(is_unknown(value));
    EXPECT_EQ(mtb_probe_wdl(base.get(), &position, &value, nullptr), MTB_OK);
  }
}

TEST(MappedTables, AndFewDescriptorsMakeNoDifference) {
  mtb_options mapped = defaults();
  mapped.access = MTB_MAP;
  mtb_options few = defaults();
  few.open_files = 1;
  for (const mtb_options& options : {mapped, few}) {
    const Handle base = opened(shipped("iggamecenter"), &options);
    const Handle plain = opened(shipped("iggamecenter"));
    SmallPositions positions(51);
    for (int i = 0; i < 200; ++i) {
      const mtb_position position = to_c(positions.next());
      mtb_value value;
      mtb_value expected;
      EXPECT_EQ(mtb_probe(base.get(), &position, &value, nullptr),
                mtb_probe(plain.get(), &position, &expected, nullptr));
      EXPECT_EQ(value.outcome, expected.outcome);
      EXPECT_EQ(value.dtw, expected.dtw);
      EXPECT_EQ(value.dtc, expected.dtc);
    }
  }
}

std::vector<std::string> dependencies_of(const Handle& base, mtb_sector sector, mtb_metric metric) {
  mtb_table tables[MTB_POINTS];
  std::size_t count = 0;
  mtb_message message;
  EXPECT_EQ(mtb_dependencies(base.get(), sector, metric, tables, MTB_POINTS, &count, &message),
            MTB_OK)
      << message.text;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) {
    names.push_back(std::to_string(tables[i].sector.mover) + "v" +
                    std::to_string(tables[i].sector.opponent) + "." +
                    std::array{"wdl", "dtw", "dtc"}[static_cast<std::size_t>(tables[i].metric)]);
  }
  return names;
}

TEST(Dependencies, AreWhereTurnsLead) {
  const Handle one_shot = opened(shipped("malom"));
  EXPECT_THAT(dependencies_of(one_shot, {6, 6, 0, 0}, MTB_WDL),
              UnorderedElementsAre("6v6.wdl", "5v6.wdl"));
  EXPECT_THAT(dependencies_of(one_shot, {5, 4, 0, 0}, MTB_DTW),
              UnorderedElementsAre("5v4.dtw", "4v5.dtw", "3v5.dtw"));
  // A shot at three cows ends the game.
  EXPECT_THAT(dependencies_of(one_shot, {5, 3, 0, 0}, MTB_DTW),
              UnorderedElementsAre("5v3.dtw", "3v5.dtw"));
  // Two mills closed at once, for which five cows are needed, shoot two.
  const Handle per_mill = opened(shipped("traditional"));
  EXPECT_THAT(dependencies_of(per_mill, {6, 6, 0, 0}, MTB_DTC),
              UnorderedElementsAre("6v6.dtc", "5v6.dtc", "4v6.dtc"));
  EXPECT_THAT(dependencies_of(per_mill, {4, 6, 0, 0}, MTB_DTC),
              UnorderedElementsAre("4v6.dtc", "6v4.dtc", "5v4.dtc"));
}

TEST(Dependencies, AreEnoughForRanking) {
  for (const std::string rules : {"traditional", "iggamecenter"}) {
    const Handle all = opened(shipped(rules));
    TemporaryFolder folder;
    for (const mtb_metric metric : {MTB_WDL, MTB_DTW, MTB_DTC}) {
      for (const std::string& name : dependencies_of(all, {4, 4, 0, 0}, metric)) {
        std::filesystem::copy_file(shipped(rules) + "/" + name, folder / name);
      }
    }
    const Handle base = opened(folder.path().string());
    SmallPositions positions(61);
    int ranked = 0;
    for (int i = 0; i < 300; ++i) {
      const Position asked = positions.next();
      if (asked.sector() != Sector{4, 4} || asked.owed != 0) continue;
      const mtb_position position = to_c(asked);
      mtb_ranked_turn turns[256];
      std::size_t count = 0;
      if (mtb_rank(base.get(), &position, turns, 256, &count, nullptr, nullptr, nullptr) !=
          MTB_OK) {
        continue;
      }
      ++ranked;
      for (std::size_t t = 0; t < count; ++t) {
        EXPECT_EQ(turns[t].status, MTB_OK) << to_string(asked) << ' ' << to_text(turns[t].turn);
      }
    }
    EXPECT_GT(ranked, 20);
  }
}

TEST(Dependencies, AreOnlyOfSectorsThatCanBe) {
  const Handle base = opened(shipped("nine-mens-morris"));
  mtb_table table;
  std::size_t count = 7;
  EXPECT_EQ(mtb_dependencies(base.get(), {10, 4, 0, 0}, MTB_WDL, &table, 1, &count, nullptr),
            MTB_BAD_ARGUMENT);
  EXPECT_EQ(count, 0u);
  EXPECT_EQ(mtb_dependencies(base.get(), {4, 2, 0, 0}, MTB_WDL, &table, 1, &count, nullptr),
            MTB_BAD_ARGUMENT);
  EXPECT_EQ(mtb_dependencies(base.get(), {255, 255, 1, 1}, MTB_WDL, &table, 1, &count, nullptr),
            MTB_BAD_ARGUMENT);
  EXPECT_EQ(mtb_dependencies(base.get(), {4, 4, 0, 0}, 3, &table, 1, &count, nullptr),
            MTB_BAD_ARGUMENT);
  mtb_message message;
  EXPECT_EQ(mtb_dependencies(base.get(), {4, 4, 1, 1}, MTB_WDL, &table, 1, &count, &message),
            MTB_OUT_OF_SCOPE);
  EXPECT_THAT(message.text, HasSubstr("4v4+1v1"));
  EXPECT_EQ(mtb_dependencies(base.get(), {4, 4, 0, 0}, MTB_WDL, &table, 1, &count, &message),
            MTB_TOO_SMALL);
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(table.sector.mover, 4) << "its own table comes first";
}

TEST(AGameThatIsOver, HasNoTurnsAndNeedsNoTable) {
  const Handle base = opened(shipped("traditional"));
  const mtb_position position = parsed("0,0 a7,d7 c4,c5,d3 b");
  mtb_value value;
  EXPECT_EQ(mtb_probe(base.get(), &position, &value, nullptr), MTB_OK);
  EXPECT_EQ(value.outcome, MTB_WIN);
  EXPECT_EQ(value.dtw, 0);
  std::size_t count = 9;
  EXPECT_EQ(mtb_rank(base.get(), &position, nullptr, 0, &count, nullptr, nullptr, nullptr), MTB_OK);
  EXPECT_EQ(count, 0u);
}

TEST(WhatIsMissing, IsNamedBySectorAndMetric) {
  TemporaryFolder folder;
  for (const char* name : {"4v3.wdl", "3v4.wdl", "3v4.dtw"}) {
    std::filesystem::copy_file(shipped("malom") + "/" + name, folder / name);
  }
  const Handle base = opened(folder.path().string());
  mtb_value value;
  mtb_message message;

  const mtb_position small = parsed("0,0 a7,b6,c4 a4,c3,e3 w");
  EXPECT_EQ(mtb_probe(base.get(), &small, &value, &message), MTB_NO_TABLE);
  EXPECT_THAT(message.text, HasSubstr("3v3"));
  EXPECT_THAT(message.text, HasSubstr("wdl"));
  EXPECT_TRUE(is_unknown(value));

  // Won by closing a7-d7-g7, which the table of outcomes knows; there is none of its distance.
  const mtb_position outcome_only = parsed("0,0 a7,d7,g4,b6 a4,c3,e3 w");
  EXPECT_EQ(mtb_probe(base.get(), &outcome_only, &value, &message), MTB_OK);
  EXPECT_EQ(value.outcome, MTB_WIN);
  EXPECT_EQ(value.dtw, -1);
  EXPECT_EQ(mtb_probe_dtw(base.get(), &outcome_only, &value, &message), MTB_NO_TABLE);
  EXPECT_THAT(message.text, HasSubstr("4v3"));
  EXPECT_THAT(message.text, HasSubstr("dtw"));
  EXPECT_TRUE(is_unknown(value));

  const mtb_position in_hand = parsed("1,1 a7,b6,c4 a4,c3,e3 w");
  EXPECT_EQ(mtb_probe(base.get(), &in_hand, &value, &message), MTB_OUT_OF_SCOPE);
  EXPECT_THAT(message.text, HasSubstr("3v3+1v1"));
  EXPECT_EQ(mtb_probe_wdl(base.get(), &in_hand, &value, &message), MTB_OUT_OF_SCOPE);
  EXPECT_TRUE(is_unknown(value));
}

TEST(ATurnWithoutATable, SaysSoAndLeavesTheOthers) {
  TemporaryFolder folder;
  for (const char* name : {"4v4.dtw", "4v4.wdl"}) {
    std::filesystem::copy_file(shipped("malom") + "/" + name, folder / name);
  }
  const Handle base = opened(folder.path().string());
  // Closing the mill a7-d7-g7 shoots into 4v3, which is missing; the other moves stay in 4v4.
  const mtb_position position = parsed("0,0 a7,d7,g4,c3 a1,b2,d3,f6 w");
  std::vector<mtb_ranked_turn> turns(MTB_MAX_TURNS);
  std::size_t count = 0;
  EXPECT_EQ(mtb_rank(base.get(), &position, turns.data(), turns.size(), &count, nullptr, nullptr,
                     nullptr),
            MTB_OK);
  std::size_t unknown = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const bool shoots = turns[i].turn.shots[0] != -1;
    EXPECT_EQ(turns[i].status, shoots ? MTB_NO_TABLE : MTB_OK) << to_text(turns[i].turn);
    EXPECT_EQ(is_unknown(turns[i].value), shoots);
    unknown += shoots ? 1 : 0;
  }
  EXPECT_EQ(unknown, 4u);
  EXPECT_EQ(turns[count - 1].status, MTB_NO_TABLE) << "turns without a value come last";
}

TEST(TwoHandles, OfDifferentRulesAnswerEachByItsOwn) {
  const Handle traditional = opened(shipped("traditional"));
  const Handle malom = opened(shipped("malom"));
  // Far from the end: nothing is left of it when all but one ply of the clock have gone.
  const mtb_position position = parsed("0,0 a7,b6,c4,c5 a4,c3,e3,g4 w - - 49");
  mtb_value value;
  EXPECT_EQ(mtb_probe(traditional.get(), &position, &value, nullptr), MTB_OK);
  EXPECT_EQ(value.outcome, MTB_CLOCK_WIN);
  EXPECT_EQ(value.clock, MTB_CLOCK_APPLIED);
  EXPECT_EQ(mtb_probe(malom.get(), &position, &value, nullptr), MTB_OK);
  EXPECT_EQ(value.outcome, MTB_WIN);
  EXPECT_EQ(value.clock, MTB_CLOCK_NONE);
}

/// A copy of malom's 4v4 of which one block is damaged, and nothing else.
class ADamagedBlock : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::copy_file(shipped("malom") + "/4v4.wdl", path_);
    std::string bytes = read_file(path_);
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    write_file(path_, bytes);
    const auto table = TableFile::open(path_, ClassCache());
    ASSERT_TRUE(table) << table.error().message;
    std::uint64_t block = 0;
    while (block < table->header().blocks && table->check_block(block)) ++block;
    ASSERT_LT(block, table->header().blocks);
    const Slot first = block * block_slots(table->header().coding);
    for (std::size_t place = 0; place < table->block_slots(block); ++place) {
      const auto [mover, opponent] = table->index().placement(first + place);
      Position position;
      position.cows = {mover, opponent};
      if (verdict(rules_named("malom"), position) == Verdict::open) {
        within_.push_back(to_c(position));
      }
    }
    options_.log = [](void* user, mtb_status status, const char* text) {
      static_cast<ADamagedBlock*>(user)->logged_.emplace_back(status, text);
    };
    options_.log_user = this;
  }

  TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_ / "4v4.wdl";
  std::vector<mtb_position> within_;  ///< the damaged block
  mtb_options options_ = defaults();
  std::vector<std::pair<mtb_status, std::string>> logged_;
};

TEST_F(ADamagedBlock, IsNamedAndLoggedOnceHoweverManyThreadsMeetIt) {
  const Handle base = opened(folder_.path().string(), &options_);
  EXPECT_TRUE(logged_.empty());
  EXPECT_GT(within_.size(), 1000u);
  std::atomic<std::size_t> corrupt = 0;
  const auto probe_all = [&] {
    for (std::size_t i = 0; i < within_.size(); i += 10) {
      mtb_value value;
      mtb_message message;
      if (mtb_probe_wdl(base.get(), &within_[i], &value, &message) != MTB_CORRUPT) continue;
      ++corrupt;
      EXPECT_TRUE(is_unknown(value));
      EXPECT_THAT(message.text, HasSubstr(path_.string()));
      EXPECT_THAT(message.text, HasSubstr("block"));
    }
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) threads.emplace_back(probe_all);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(corrupt, 4 * ((within_.size() + 9) / 10));
  ASSERT_EQ(logged_.size(), 1u);
  EXPECT_EQ(logged_[0].first, MTB_CORRUPT);
  EXPECT_THAT(logged_[0].second, HasSubstr("block"));
}

TEST_F(ADamagedBlock, LeavesAllOthersAsTheyWere) {
  const Handle sound = opened(shipped("malom"));
  const Handle damaged = opened(folder_.path().string());
  SmallPositions positions(17);
  int answered = 0;
  for (int i = 0; i < 2000; ++i) {
    const mtb_position position = to_c(positions.next());
    mtb_value value;
    mtb_value expected;
    if (mtb_probe_wdl(damaged.get(), &position, &value, nullptr) != MTB_OK) continue;
    ++answered;
    EXPECT_EQ(mtb_probe_wdl(sound.get(), &position, &expected, nullptr), MTB_OK);
    EXPECT_EQ(value.outcome, expected.outcome);
  }
  EXPECT_GT(answered, 200);
}

}  // namespace
}  // namespace mtb
