// What the deep verifier says of the tables that ship, and of tables that it cannot check.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/verify/shipped.h"

namespace mtb::tests {
namespace {

using deep::TableReport;
using ::testing::HasSubstr;

std::uint64_t sum(const std::array<std::uint64_t, 5>& counts) {
  std::uint64_t total = 0;
  for (const std::uint64_t count : counts) total += count;
  return total;
}

class EveryValue : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryValue, OfTheTablesThatShipFollowsFromThoseOfAllTurns) {
  const OpenTables tables(GetParam());
  deep::DeepVerifier verifier = tables.verifier();
  for (const deep::Facts& facts : verifier.tables()) {
    SCOPED_TRACE(facts.name);
    deep::Wanted wanted;
    if (facts.mover + facts.opponent == 8) {
      // Of the largest sector, every twentieth row.
      for (deep::Slot slot = 0; slot < facts.slots; slot += facts.slots / 38) {
        wanted.slots.push_back(slot);
      }
    }
    const auto report = verifier.check(facts.mover, facts.opponent, facts.metric, wanted);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->slots, facts.slots);
    EXPECT_EQ(report->faults, 0u) << report->first.front().position << ": "
                                  << report->first.front().reason;
    EXPECT_EQ(sum(report->outcomes), report->checked);
    if (wanted.slots.empty()) {
      EXPECT_EQ(report->checked, facts.slots);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(RuleSets, EveryValue, ::testing::ValuesIn(names_of_rule_sets()),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

/// A table whose header was changed, and nothing else.
class OtherHeader final : public deep::CodeSource {
 public:
  OtherHeader(std::unique_ptr<deep::CodeSource> table, const deep::Facts& facts)
      : table_(std::move(table)), facts_(facts) {}
  const deep::Facts& facts() const override { return facts_; }
  Result<void> read(std::uint64_t first, std::span<Code> codes) const override {
    return table_->read(first, codes);
  }

 private:
  std::unique_ptr<deep::CodeSource> table_;
  deep::Facts facts_;
};

/// What the verifier says of 3v4 of tournament when its header is changed: where something is
/// wrong, the message, otherwise nothing.
std::string said_of_header(deep::Metric metric, const std::function<void(deep::Facts&)>& change,
                           const deep::Wanted& wanted = {}) {
  const OpenTables tables("tournament");
  std::vector<std::unique_ptr<deep::CodeSource>> sources;
  for (const auto& table : tables.all()) {
    auto source = deep::source_of(*table);
    deep::Facts facts = source->facts();
    if (facts.mover == 3 && facts.opponent == 4 && facts.metric == metric) {
      change(facts);
      source = std::make_unique<OtherHeader>(std::move(source), facts);
    }
    sources.push_back(std::move(source));
  }
  deep::DeepVerifier verifier(deep::rules_of(*tables.all().front()), std::move(sources));
  const auto report = verifier.check(3, 4, metric, wanted);
  if (report) {
    EXPECT_EQ(report->faults, 0u);
    return "";
  }
  EXPECT_EQ(report.error().fault, Fault::damaged);
  return report.error().message;
}

struct HeaderChange {
  std::string name;
  std::function<void(deep::Facts&)> change;
  std::string complaint;
  bool of_outcomes_too;
  bool seen_by_samples;
};

class AHeader : public ::testing::TestWithParam<HeaderChange> {};

TEST_P(AHeader, MustTellWhatTheValuesAre) {
  const HeaderChange& test = GetParam();
  EXPECT_THAT(said_of_header(deep::Metric::dtw, test.change), HasSubstr(test.complaint));
  EXPECT_THAT(said_of_header(deep::Metric::dtc, test.change), HasSubstr(test.complaint));
  if (test.of_outcomes_too) {
    EXPECT_THAT(said_of_header(deep::Metric::wdl, test.change), HasSubstr(test.complaint));
  }
  deep::Wanted sample;
  sample.sample = 100;
  EXPECT_EQ(said_of_header(deep::Metric::dtw, test.change, sample) != "", test.seen_by_samples);
}

INSTANTIATE_TEST_SUITE_P(
    Of, AHeader,
    ::testing::Values(
        HeaderChange{"counts",
                     [](deep::Facts& facts) { ++facts.placements[0], --facts.placements[2]; },
                     "placements that are won, its values have ", true, false},
        HeaderChange{"longest_win", [](deep::Facts& facts) { facts.longest_win += 2; },
                     "plies of the longest win, its values have ", false, false},
        HeaderChange{"longest_loss", [](deep::Facts& facts) { facts.longest_loss -= 2; },
                     "plies of the longest loss, its values have ", false, false},
        HeaderChange{"content_hash", [](deep::Facts& facts) { facts.content_hash ^= 1; },
                     "content hash", true, false},
        HeaderChange{"canary_code", [](deep::Facts& facts) { ++facts.canaries[3].code; },
                     "the canary in slot ", true, true},
        HeaderChange{"canary_slot", [](deep::Facts& facts) { ++facts.canaries[0].slot; },
                     "not that of slot ", true, true},
        HeaderChange{"canary_cows",
                     [](deep::Facts& facts) { facts.canaries[1].mover = deep::kAllPoints; },
                     "not that of slot ", true, true}),
    [](const auto& test) { return test.param.name; });

TEST(ASample, IsTheSameForTheSameSeedAndChecksAsManySlotsAsWanted) {
  const OpenTables tables("iggamecenter");
  deep::DeepVerifier verifier = tables.verifier();
  const auto outcomes = [&](std::uint64_t seed) {
    deep::Wanted wanted;
    wanted.sample = 2000;
    wanted.seed = seed;
    const auto report = verifier.check(4, 4, deep::Metric::dtc, wanted);
    EXPECT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->checked, 2000u);
    EXPECT_EQ(report->faults, 0u);
    return report->outcomes;
  };
  EXPECT_EQ(outcomes(1), outcomes(1));
  EXPECT_NE(outcomes(1), outcomes(2));
}

TEST(ASample, LooksAtNoSlotTwice) {
  const OpenTables tables("iggamecenter");
  deep::DeepVerifier verifier = tables.verifier();
  const auto report_of = [&](std::optional<std::uint64_t> sample) {
    deep::Wanted wanted;
    wanted.sample = sample;
    return verifier.check(3, 3, deep::Metric::dtw, wanted).value();
  };
  const deep::TableReport all = report_of(std::nullopt);
  const deep::TableReport all_but_one = report_of(all.checked - 1);
  EXPECT_EQ(all_but_one.checked, all.checked - 1);
  for (std::size_t i = 0; i < all.outcomes.size(); ++i) {
    EXPECT_LE(all_but_one.outcomes[i], all.outcomes[i]);
  }
  EXPECT_EQ(report_of(std::uint64_t{1} << 32).outcomes, all.outcomes);
}

TEST(ASmallMemory, GivesTheSameReportAsALargeOne) {
  const OpenTables tables("gar");
  deep::DeepVerifier verifier = tables.verifier();
  const auto report_with = [&](std::optional<std::uint64_t> bytes) {
    deep::Wanted wanted;
    wanted.memory_bytes = bytes;
    const auto report = verifier.check(3, 4, deep::Metric::dtw, wanted);
    EXPECT_TRUE(report) << report.error().message;
    return std::pair(report->outcomes, report->faults);
  };
  EXPECT_EQ(report_with(std::nullopt), report_with(std::uint64_t{70} << 20));
}

TEST(TooLittleMemory, IsAnErrorThatSaysHowMuchIsNeeded) {
  const OpenTables tables("malom");
  deep::DeepVerifier verifier = tables.verifier();
  deep::Wanted wanted;
  wanted.memory_bytes = 1 << 20;
  const auto report = verifier.check(4, 3, deep::Metric::dtw, wanted);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().fault, Fault::out_of_memory);
  EXPECT_THAT(report.error().message, HasSubstr("MiB"));
}

TEST(ATable, CannotBeCheckedWithoutThoseThatItsTurnsLeadTo) {
  for (const auto& [sector, name] :
       {std::pair(Sector{3, 4}, "3v4.dtw"), std::pair(Sector{3, 3}, "3v3.dtw")}) {
    OpenTables tables("malom");
    tables.remove(sector, Metric::dtw);
    // 4v3 goes on to 3v4 without a shot, and its shots win; those of 3v4 lead to 3v3.
    deep::DeepVerifier verifier = tables.verifier();
    const int mover = sector == Sector{3, 4} ? 4 : 3;
    const auto report = verifier.check(mover, 7 - mover, deep::Metric::dtw);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().fault, Fault::not_found);
    EXPECT_THAT(report.error().message, HasSubstr(name));
  }
}

TEST(Outcomes, CannotBeCheckedWithoutDistances) {
  OpenTables tables("traditional");
  tables.remove({3, 3}, Metric::dtc);
  deep::DeepVerifier verifier = tables.verifier();
  const auto report = verifier.check(3, 3, deep::Metric::wdl);
  ASSERT_FALSE(report) << "those without the clock are no substitute for those with it";
  EXPECT_EQ(report.error().fault, Fault::not_found);
  EXPECT_THAT(report.error().message, HasSubstr("3v3.dtc"));
}

TEST(ATableOfAnotherGame, IsFullOfFaults) {
  // Malom's values under rules without flying.
  const OpenTables tables("malom");
  std::vector<std::unique_ptr<deep::CodeSource>> sources;
  for (const auto& table : tables.all()) sources.push_back(deep::source_of(*table));
  deep::Rules rules = deep::rules_of(*tables.all().front());
  rules.fly_at = 0;
  deep::DeepVerifier verifier(rules, std::move(sources));
  const auto report = verifier.check(3, 3, deep::Metric::dtw);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_GT(report->faults, report->slots / 4);
  ASSERT_EQ(report->first.size(), 10u) << "the first are described";
  for (std::size_t i = 1; i < report->first.size(); ++i) {
    EXPECT_LT(report->first[i - 1].slot, report->first[i].slot);
  }
  EXPECT_THAT(report->first.front().reason, HasSubstr("is stored, its turns give"));
}

TEST(ATableWithAnotherClock, IsRefusedByItsBound) {
  // The tables of traditional say 50 plies.
  const OpenTables tables("traditional");
  std::vector<std::unique_ptr<deep::CodeSource>> sources;
  for (const auto& table : tables.all()) sources.push_back(deep::source_of(*table));
  deep::Rules rules = deep::rules_of(*tables.all().front());
  ASSERT_EQ(rules.clock_plies, 50);
  rules.clock_plies = 20;
  deep::DeepVerifier verifier(rules, std::move(sources));
  const auto report = verifier.check(3, 3, deep::Metric::dtc);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().fault, Fault::damaged);
  EXPECT_THAT(report.error().message, HasSubstr("bound"));
}

TEST(ATableWhereTheClockDoesNotRun, HasNoBoundOfThatClock) {
  // Those of traditional say 50 plies, with four cows each as well.
  const OpenTables tables("traditional");
  std::vector<std::unique_ptr<deep::CodeSource>> sources;
  for (const auto& table : tables.all()) sources.push_back(deep::source_of(*table));
  deep::Rules rules = deep::rules_of(*tables.all().front());
  rules.trigger = deep::Trigger::either_at_three;
  deep::DeepVerifier verifier(rules, std::move(sources));
  const auto report = verifier.check(4, 4, deep::Metric::dtc);
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().message, HasSubstr("bound"));
}

}  // namespace
}  // namespace mtb::tests
