// Probing tables whose values are made up, so that every answer can be told apart.
#include "probe/tablebase.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "game/notation.h"
#include "tests/probe/made_up_table.h"
#include "tests/temporary_folder.h"

namespace mtb {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using tests::rules_named;
using tests::TemporaryFolder;
using tests::write_made_up_table;

constexpr Code kLargest = 240;

/// Some value for every slot, so that neighbours differ.
Code made_up_distance(Slot slot) { return static_cast<Code>(slot * 7919 % (kLargest + 1)); }

Position position(const std::string& text) {
  const auto parsed = parse_position(text);
  EXPECT_TRUE(parsed) << parsed.error().message;
  return parsed.value_or(Position{});
}

Tablebase open(const std::filesystem::path& folder,
               const std::optional<RuleSet>& expected = std::nullopt) {
  auto base = Tablebase::open({&folder, 1}, {.expected = expected});
  EXPECT_TRUE(base) << base.error().message;
  return std::move(*base);
}

Evaluation value_of(const Tablebase& base, const Position& asked) {
  const auto value = base.probe(asked);
  EXPECT_TRUE(value) << value.error().message << " for " << to_string(asked);
  return value.value_or(Evaluation{});
}

Error error_of(const Tablebase& base, const std::string& text) {
  const auto value = base.probe(position(text));
  EXPECT_FALSE(value) << text;
  return value ? Error{} : value.error();
}

/// Calls `check(slot, position)` for some slots of 3v3, all of them without symmetry, where every
/// position has one slot. With three cows each that may fly no position is over.
template <class Check>
void for_some_slots(Check check) {
  const ClassCache classes;
  const SectorIndex index({3, 3}, KeySide::mover, classes);
  std::mt19937_64 random(3);
  for (int i = 0; i < 500; ++i) {
    const Slot slot = random() % index.slots();
    if (index.classes().orbit(static_cast<std::uint32_t>(slot / index.columns())) != 16) continue;
    const auto [mover, opponent] = index.placement(slot);
    Position white_moves;
    white_moves.cows = {mover, opponent};
    check(slot, transformed(white_moves, Symmetry(i % 16)));
  }
}

TEST(ATableOfDistances, TellsOutcomeAndDistanceForEitherColour) {
  TemporaryFolder folder;
  write_made_up_table(folder.path(), rules_named("malom"), {3, 3}, Metric::dtw, made_up_distance,
                      kLargest);
  const Tablebase base = open(folder.path());
  for_some_slots([&](Slot slot, const Position& asked) {
    const std::uint32_t plies = made_up_distance(slot) - 1u;
    Evaluation expected;  // a draw
    if (made_up_distance(slot) != 0) {
      expected = {plies % 2 == 1 ? Outcome::win : Outcome::loss, plies, std::nullopt,
                  ClockUse::none};
    }
    EXPECT_EQ(value_of(base, asked), expected) << to_string(asked);
    EXPECT_EQ(value_of(base, colours_swapped(asked)), expected) << to_string(asked);
    EXPECT_EQ(base.probe_outcome(asked).value(), expected.outcome) << to_string(asked);
  });
}

TEST(ATableOfOutcomes, TellsTheOutcomeAndLeavesTheDistanceOpen) {
  TemporaryFolder folder;
  write_made_up_table(
      folder.path(), rules_named("malom"), {3, 3}, Metric::wdl,
      [](Slot slot) { return static_cast<Code>(slot % 3); }, 2);
  const Tablebase base = open(folder.path());
  constexpr std::array<Outcome, 3> outcomes = {Outcome::draw, Outcome::win, Outcome::loss};
  for_some_slots([&](Slot slot, const Position& asked) {
    const Evaluation expected = {outcomes[slot % 3], std::nullopt, std::nullopt, ClockUse::none};
    EXPECT_EQ(value_of(base, asked), expected) << to_string(asked);
    EXPECT_EQ(base.probe_outcome(asked).value(), expected.outcome) << to_string(asked);
  });
}

TEST(TheOutcomeAlone, IsReadFromTheTableOfOutcomesWhenBothAreThere) {
  TemporaryFolder folder;
  const RuleSet rules = rules_named("malom");
  const auto lost = [](Slot) { return wdl_code::of(Outcome::loss); };
  const auto won = [](Slot) { return dtw_code::decided(7); };
  write_made_up_table(folder.path(), rules, {3, 3}, Metric::wdl, lost, 2);
  write_made_up_table(folder.path(), rules, {3, 3}, Metric::dtw, won, 8);
  const Tablebase base = open(folder.path());
  const Position asked = position("0,0 a7,b6,d2 c3,f2,g4 w");
  EXPECT_EQ(base.probe_outcome(asked).value(), Outcome::loss);
  EXPECT_EQ(value_of(base, asked), (Evaluation{Outcome::win, 7, std::nullopt, ClockUse::none}));
}

TEST(ATableOfOneValue, TakesOneLineOfTheCacheForEachBlock) {
  // Values of a third of a byte and of two bytes, four blocks of each, and a cache of eight lines.
  for (const auto& [metric, code] : {std::pair(Metric::wdl, Code{1}), {Metric::dtw, Code{600}}}) {
    TemporaryFolder folder;
    write_made_up_table(
        folder.path(), rules_named("malom"), {3, 3}, metric, [c = code](Slot) { return c; }, code);
    const std::filesystem::path path = folder.path();
    const auto base = Tablebase::open({&path, 1}, {.cache_bytes = 9000});
    ASSERT_TRUE(base) << base.error().message;
    for_some_slots([&](Slot, const Position& asked) { ASSERT_TRUE(base->probe(asked)); });
    for_some_slots([&](Slot, const Position& asked) {
      const auto cached = base->probe_outcome(asked, {.reach = Reach::cache});
      ASSERT_TRUE(cached) << to_string(asked);
      EXPECT_EQ(*cached, Outcome::win);
      EXPECT_EQ(base->probe(asked, {.reach = Reach::cache})->dtw,
                metric == Metric::dtw ? std::optional<std::uint32_t>(599) : std::nullopt);
    });
  }
}

TEST(ATablebase, KnowsWhichTablesItHas) {
  TemporaryFolder folder;
  const RuleSet rules = rules_named("malom");
  const auto drawn = [](Slot) { return Code{0}; };
  write_made_up_table(folder.path(), rules, {4, 4}, Metric::wdl, drawn, 1);
  write_made_up_table(folder.path(), rules, {5, 3}, Metric::dtw, drawn, 1);
  write_made_up_table(folder.path(), rules, {3, 3}, Metric::dtw, drawn, 1);
  tests::write_file(folder / "6v6.dtw", "no table");
  const Tablebase base = open(folder.path());
  EXPECT_EQ(base.rules(), rules);
  EXPECT_THAT(base.sectors(Metric::wdl), ElementsAre(Sector{4, 4}));
  EXPECT_THAT(base.sectors(Metric::dtw), ElementsAre(Sector{3, 3}, Sector{5, 3}));
  EXPECT_EQ(base.largest_sector(), (Sector{5, 3}));
  ASSERT_EQ(base.refused().size(), 1u);
  EXPECT_EQ(base.refused()[0].path, folder / "6v6.dtw");
}

TEST(ATablebase, MayBeEmptyWhenItsRulesAreGiven) {
  TemporaryFolder folder;
  const Tablebase base = open(folder.path(), rules_named("malom"));
  EXPECT_EQ(base.largest_sector(), std::nullopt);
  EXPECT_EQ(error_of(base, "0,0 a7,b6,d2 c3,f2,g4 w").fault, Fault::not_found);

  const auto without_rules = Tablebase::open({&folder.path(), 1});
  ASSERT_FALSE(without_rules);
  EXPECT_EQ(without_rules.error().fault, Fault::not_found);
  EXPECT_THAT(without_rules.error().message, HasSubstr(folder.path().string()));
}

TEST(ATablebase, OfDamagedFilesAloneSaysWhatIsWrong) {
  TemporaryFolder folder;
  tests::write_file(folder / "3v3.dtw", "no table");
  const auto base = Tablebase::open({&folder.path(), 1});
  ASSERT_FALSE(base);
  EXPECT_EQ(base.error().fault, Fault::damaged);
  EXPECT_THAT(base.error().message, HasSubstr("3v3.dtw"));
}

TEST(AMissingTable, IsNamedWithItsFolder) {
  TemporaryFolder folder;
  const Tablebase base = open(folder.path(), rules_named("malom"));
  const Error four = error_of(base, "0,0 a7,b6,d2,d1 c3,f2,g4 b");
  EXPECT_EQ(four.fault, Fault::not_found);
  EXPECT_THAT(four.message,
              AllOf(HasSubstr("3v4 "), HasSubstr("dtw"), HasSubstr(folder.path().string())));
  const Error placing = error_of(base, "2,3 a7,b6,d2,d1 c3,f2,g4 w");
  EXPECT_EQ(placing.fault, Fault::not_found);
  EXPECT_THAT(placing.message, HasSubstr("4v3+2v3 "));
}

TEST(ARefusedTable, IsNamedWhenItIsWanted) {
  TemporaryFolder folder;
  const RuleSet rules = rules_named("malom");
  const auto drawn = [](Slot) { return Code{0}; };
  write_made_up_table(folder.path(), rules, {3, 3}, Metric::dtw, drawn, 1);
  write_made_up_table(folder.path(), rules_named("koti"), {4, 3}, Metric::dtw, drawn, 1);
  tests::write_file(folder / "3v4.dtw", "no table");
  const Tablebase base = open(folder.path());
  EXPECT_EQ(value_of(base, position("0,0 a7,b6,d2 c3,f2,g4 w")).outcome, Outcome::draw);
  EXPECT_EQ(error_of(base, "0,0 a7,b6,d2,d1 c3,f2,g4 w").fault, Fault::foreign);
  EXPECT_EQ(error_of(base, "0,0 a7,b6,d2,d1 c3,f2,g4 b").fault, Fault::damaged);
}

TEST(APositionThatIsOver, NeedsNoTable) {
  TemporaryFolder folder;
  struct Case {
    const char* rules;
    const char* text;
    Outcome outcome;
  };
  // White's four cows stand in the corners of the outer ring, hemmed in by eight black ones.
  const std::string hemmed_in = "0,0 a1,a7,g1,g7 a4,b2,b6,d1,d7,f2,f6,g4 w";
  for (const Case& c : {
           Case{"malom", "0,0 a7,b6 c3,f2,g4 w", Outcome::loss},
           Case{"malom", "0,0 a7,b6,d2 c3,f2 w", Outcome::win},
           Case{"malom", hemmed_in.c_str(), Outcome::loss},
           // 24 cows, hands empty
           Case{"malom",
                "0,0 a1,a4,a7,b2,b4,b6,c3,c4,c5,d1,d2,d3 "
                "d5,d6,d7,e3,e4,e5,f2,f4,f6,g1,g4,g7 w",
                Outcome::draw},
           Case{"sanmill",
                "0,0 a1,a4,a7,b2,b4,b6,c3,c4,c5,d1,d2,d3 "
                "d5,d6,d7,e3,e4,e5,f2,f4,f6,g1,g4,g7 w",
                Outcome::loss},
       }) {
    const Tablebase base = open(folder.path(), rules_named(c.rules));
    const Evaluation value = value_of(base, position(c.text));
    EXPECT_EQ(value.outcome, c.outcome) << c.rules << ": " << c.text;
    EXPECT_EQ(value.dtw.has_value(), c.outcome != Outcome::draw);
    EXPECT_EQ(value.dtw.value_or(0), 0u);
    EXPECT_TRUE(base.rank(position(c.text)).value().empty());
    EXPECT_TRUE(base.best_line(position(c.text)).value().empty());
  }
}

TEST(OwedShots, ThatEndTheGameWinInOnePly) {
  TemporaryFolder folder;
  const Tablebase base = open(folder.path(), rules_named("malom"));
  // White has closed a7-d7-g7; Black has three cows, none of them in a mill.
  Position asked = position("0,0 a7,d7,g7 b4,e3,f2 w");
  asked.owed = 1;
  EXPECT_EQ(value_of(base, asked), (Evaluation{Outcome::win, 1, std::nullopt, ClockUse::none}));
  const auto ranked = base.rank(asked).value();
  ASSERT_EQ(ranked.size(), 3u);
  EXPECT_EQ(to_string(ranked[0].turn), "xf2");  // in the order of points: the middle ring first
  EXPECT_EQ(to_string(ranked[1].turn), "xb4");
  EXPECT_EQ(to_string(ranked[2].turn), "xe3");
  EXPECT_THAT(base.best_line(asked).value(), ElementsAre(ranked[0].turn));
}

TEST(OwedShots, AreChosenByTheDistancesBehindThem) {
  TemporaryFolder folder;
  // White has closed a7-d7-g7 and shoots one of four; Black, to move with three, is lost in the
  // given number of plies (an even one) or wins (an odd one), by the cow that was shot.
  const ClassCache classes;
  const SectorIndex index({3, 3}, KeySide::mover, classes);
  const PointSet white = position("0,0 a7,d7,g7 - w").mover();
  const auto slot_after = [&](const std::string& left) {
    return index.slot({position("0,0 " + left + " - w").mover(), white});
  };
  const Slot without_b4 = slot_after("e3,f2,d1");
  const Slot without_e3 = slot_after("b4,f2,d1");
  const auto code_of = [&](Slot slot) {
    return dtw_code::decided(slot == without_b4 ? 8 : slot == without_e3 ? 6 : 5);
  };
  write_made_up_table(folder.path(), rules_named("malom"), {3, 3}, Metric::dtw, code_of, 9);
  const Tablebase base = open(folder.path());
  Position asked = position("0,0 a7,d7,g7 b4,d1,e3,f2 w");
  asked.owed = 1;
  EXPECT_EQ(value_of(base, asked), (Evaluation{Outcome::win, 7, std::nullopt, ClockUse::none}));
  const auto ranked = base.rank(asked).value();
  ASSERT_EQ(ranked.size(), 4u);
  EXPECT_EQ(to_string(ranked[0].turn), "xe3");
  EXPECT_EQ(ranked[0].value->dtw, 7u);
  EXPECT_EQ(to_string(ranked[1].turn), "xb4");
  EXPECT_EQ(ranked[1].value->dtw, 9u);
  EXPECT_EQ(ranked[2].value.value(), (Evaluation{Outcome::loss, 6, std::nullopt, ClockUse::none}));
}

TEST(TheDrawClock, IsLeftOutAndSaidToBe) {
  TemporaryFolder folder;
  write_made_up_table(folder.path(), rules_named("traditional"), {3, 3}, Metric::dtw,
                      made_up_distance, kLargest);
  const Tablebase base = open(folder.path());
  const Position fresh = position("0,0 a7,b6,d2 c3,f2,g4 w");
  const Position expired = position("0,0 a7,b6,d2 c3,f2,g4 w - - 50");
  EXPECT_EQ(value_of(base, fresh).clock, ClockUse::ignored);
  EXPECT_EQ(value_of(base, expired), value_of(base, fresh));
  EXPECT_EQ(base.rank(expired).value().size(), base.rank(fresh).value().size());
  EXPECT_GT(base.rank(expired).value().size(), 0u);
}

TEST(ABan, WhoseCowWasShotForbidsNothing) {
  TemporaryFolder folder;
  const auto drawn = [](Slot) { return Code{0}; };
  write_made_up_table(folder.path(), rules_named("iggamecenter"), {3, 3}, Metric::dtw, drawn, 1);
  const Tablebase base = open(folder.path());
  EXPECT_EQ(value_of(base, position("0,0 a7,b6,d2 c3,f2,g4 w d3-d1 -")).outcome, Outcome::draw);
}

TEST(AnImpossiblePosition, IsRefused) {
  TemporaryFolder folder;
  const Tablebase base = open(folder.path(), rules_named("malom"));
  Position both = position("0,0 a7,b6,d2 c3,f2,g4 w");
  both.cows[Colour::black] |= both.cows[Colour::white];
  EXPECT_EQ(base.probe(both).error().fault, Fault::bad_input);
  EXPECT_EQ(base.probe_outcome(both).error().fault, Fault::bad_input);
  EXPECT_EQ(base.rank(both).error().fault, Fault::bad_input);
  EXPECT_EQ(base.best_line(both).error().fault, Fault::bad_input);
}

TEST(Tables, ThatContradictEachOtherGiveNoLine) {
  TemporaryFolder folder;
  // No turn can be a win in 9 when every position is one.
  const auto won = [](Slot) { return dtw_code::decided(9); };
  write_made_up_table(folder.path(), rules_named("malom"), {3, 3}, Metric::dtw, won, 10);
  const Tablebase base = open(folder.path());
  const auto line = base.best_line(position("0,0 a7,b6,d2 c3,f2,g4 w"));
  ASSERT_FALSE(line);
  EXPECT_EQ(line.error().fault, Fault::damaged);
}

TEST(ABlockThatIsDamaged, IsNotAnswered) {
  TemporaryFolder folder;
  const auto path = write_made_up_table(folder.path(), rules_named("malom"), {3, 3}, Metric::dtw,
                                        made_up_distance, kLargest);
  const Tablebase base = open(folder.path());
  std::string bytes = tests::read_file(path);
  for (std::size_t i = bytes.size() / 3; i < bytes.size(); ++i) bytes[i] ^= 0x55;
  tests::write_file(path, bytes);
  int damaged = 0;
  for_some_slots([&](Slot slot, const Position& asked) {
    const auto value = base.probe(asked);
    if (!value) {
      ++damaged;
      EXPECT_EQ(value.error().fault, Fault::damaged);
      EXPECT_THAT(value.error().message, HasSubstr("3v3.dtw"));
    } else {
      EXPECT_EQ(value->dtw ? *value->dtw + 1 : 0, made_up_distance(slot));
    }
  });
  EXPECT_GT(damaged, 0);
}

}  // namespace
}  // namespace mtb
