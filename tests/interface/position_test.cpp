// Positions and turns of the C interface, and arguments that are wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "tests/interface/interface.h"
#include "tests/random_placement.h"

extern "C" std::size_t mtb_test_sizes(std::size_t* sizes);  // tests/interface/header.c

namespace mtb {
namespace {

using ::testing::HasSubstr;
using namespace tests;

std::string formatted(const mtb_position& position) {
  char text[MTB_TEXT_BYTES];
  EXPECT_EQ(mtb_position_format(&position, text, sizeof text), MTB_OK);
  return text;
}

TEST(TheHeader, MeansTheSameInCAndCpp) {
  std::size_t sizes[11] = {};
  ASSERT_EQ(mtb_test_sizes(sizes), 11u);
  EXPECT_THAT(sizes,
              ::testing::ElementsAre(sizeof(mtb_status), sizeof(mtb_message), sizeof(mtb_table),
                                     sizeof(mtb_options), sizeof(mtb_report), sizeof(mtb_refusal),
                                     sizeof(mtb_file_info), sizeof(mtb_position), sizeof(mtb_turn),
                                     sizeof(mtb_value), sizeof(mtb_ranked_turn)));
}

TEST(TheLibrary, HasTheVersionOfItsHeaderAndOfTheProject) {
  EXPECT_STREQ(mtb_version(), MTB_VERSION_TEXT);
  EXPECT_STREQ(mtb_version(), MTB_PROJECT_VERSION);
}

TEST(EachStatus, HasASentenceOfItsOwn) {
  std::set<std::string> sentences;
  for (mtb_status status = MTB_OK; status <= MTB_INTERNAL; ++status) {
    const std::string sentence = mtb_status_text(status);
    EXPECT_EQ(sentence.back(), '.') << status;
    EXPECT_TRUE(sentences.insert(sentence).second) << sentence;
  }
  EXPECT_TRUE(sentences.insert(mtb_status_text(-1)).second);
  EXPECT_STREQ(mtb_status_text(MTB_INTERNAL + 1), mtb_status_text(-1));
}

TEST(EachOutcome, HasAName) {
  EXPECT_STREQ(mtb_outcome_text(MTB_WIN), "win");
  EXPECT_STREQ(mtb_outcome_text(MTB_CLOCK_WIN), "clock_win");
  EXPECT_STREQ(mtb_outcome_text(MTB_DRAW), "draw");
  EXPECT_STREQ(mtb_outcome_text(MTB_CLOCK_LOSS), "clock_loss");
  EXPECT_STREQ(mtb_outcome_text(MTB_LOSS), "loss");
  EXPECT_STREQ(mtb_outcome_text(MTB_UNKNOWN), "unknown");
}

TEST(ThePointsOfASet, AreInTheOrderOfTheHeader) {
  const char* const names[] = {"a7", "d7", "g7", "g4", "g1", "d1", "a1", "a4",   // outer
                               "b6", "d6", "f6", "f4", "f2", "d2", "b2", "b4",   // middle
                               "c5", "d5", "e5", "e4", "e3", "d3", "c3", "c4"};  // inner
  for (int i = 0; i < MTB_POINTS; ++i) {
    const mtb_position position =
        parsed(std::string("0,0 ") + names[i] + " " + names[(i + 1) % MTB_POINTS] + " w");
    EXPECT_EQ(position.cows[MTB_WHITE], 1u << i);
    EXPECT_EQ(position.cows[MTB_BLACK], 1u << (i + 1) % MTB_POINTS);
  }
}

TEST(APosition, IsTheSameInPlainIntegersAndAsText) {
  SmallPositions positions(11);
  for (int i = 0; i < 2000; ++i) {
    Position position = positions.next();
    position.hand = {static_cast<std::uint8_t>(i % 5), static_cast<std::uint8_t>(i % 9)};
    SCOPED_TRACE(to_string(position));
    const mtb_position in_c = to_c(position);
    EXPECT_EQ(formatted(in_c), to_string(position));
    char fen[MTB_TEXT_BYTES];
    EXPECT_EQ(mtb_position_fen(&in_c, fen, sizeof fen), MTB_OK);
    EXPECT_EQ(fen, to_fen(position));
    const mtb_position read = parsed(fen);
    EXPECT_EQ(std::memcmp(&read, &in_c, sizeof read), 0);
    if (position.owed == 0) {
      const mtb_position again = parsed(formatted(in_c));
      EXPECT_EQ(std::memcmp(&again, &in_c, sizeof again), 0);
    }
  }
}

TEST(AText, ThatIsNoPositionIsRefusedByItsField) {
  mtb_position position;
  mtb_message message;
  EXPECT_EQ(mtb_position_parse("0,0 a7,b6 a9 w", &position, &message), MTB_BAD_ARGUMENT);
  EXPECT_THAT(message.text, HasSubstr("a9"));
  mtb_position empty;
  mtb_position_init(&empty);
  EXPECT_EQ(std::memcmp(&position, &empty, sizeof position), 0);
  EXPECT_EQ(empty.ban_from[0], -1);
  EXPECT_EQ(mtb_position_parse("", &position, nullptr), MTB_BAD_ARGUMENT);
}

TEST(ATextBuffer, ThatIsTooSmallHoldsNothing) {
  const mtb_position position = parsed("0,0 a7,b6,c4,c5 a4,c3,e3,g4 w");
  const std::string expected = "0,0 a7,b6,c4,c5 a4,c3,e3,g4 w";
  std::vector<char> text(expected.size() + 1, '?');
  EXPECT_EQ(mtb_position_format(&position, text.data(), expected.size()), MTB_TOO_SMALL);
  EXPECT_STREQ(text.data(), "");
  EXPECT_EQ(text.back(), '?') << "beyond the capacity nothing is written";
  EXPECT_EQ(mtb_position_format(&position, text.data(), text.size()), MTB_OK);
  EXPECT_EQ(text.data(), expected);
  EXPECT_EQ(mtb_position_format(&position, text.data(), 0), MTB_TOO_SMALL);
}

TEST(ALongestText, FitsTheBuffer) {
  mtb_position position;
  mtb_position_init(&position);
  position.cows[MTB_WHITE] = 0x555555;
  position.cows[MTB_BLACK] = 0xAAAAAA;
  position.hand[MTB_WHITE] = position.hand[MTB_BLACK] = 12;
  position.owed = 3;
  position.clock = 65535;
  position.ban_from[0] = position.ban_from[1] = 22;
  position.ban_to[0] = position.ban_to[1] = 23;
  char text[MTB_TEXT_BYTES];
  EXPECT_EQ(mtb_position_format(&position, text, sizeof text), MTB_OK);
  EXPECT_EQ(mtb_position_fen(&position, text, sizeof text), MTB_OK);
  position.owed = 0;
  EXPECT_EQ(mtb_position_format(&position, text, sizeof text), MTB_OK);
}

/// Random places for so many cows of each colour, white to move.
mtb_position with_cows(int white, int black, std::mt19937& random) {
  const Sector sector{static_cast<std::uint8_t>(white), static_cast<std::uint8_t>(black)};
  const auto placement = random_placement(sector, random);
  mtb_position position;
  mtb_position_init(&position);
  position.cows[MTB_WHITE] = placement.mover.bits();
  position.cows[MTB_BLACK] = placement.opponent.bits();
  return position;
}

TEST(MoreCowsThanTheRulesHave, AreRefusedWhateverTheCacheHolds) {
  for (const std::string rules : {"traditional", "malom"}) {
    const Handle base = opened(shipped(rules));
    std::mt19937 random(12);
    mtb_value value = {};
    for (const auto& [white, black] : {std::pair(3, 3), {3, 4}, {4, 3}, {4, 4}}) {
      for (int i = 0; i < 3000; ++i) {
        const mtb_position position = with_cows(white, black, random);
        ASSERT_EQ(mtb_probe(base.get(), &position, &value, nullptr), MTB_OK);
        ASSERT_EQ(mtb_probe_wdl(base.get(), &position, &value, nullptr), MTB_OK);
      }
    }
    for (int white = 0; white <= 24; ++white) {
      for (int black = 0; white + black <= 24; ++black) {
        if (white <= 12 && black <= 12) continue;
        SCOPED_TRACE(std::to_string(white) + "v" + std::to_string(black));
        for (int i = 0; i < 100; ++i) {
          const mtb_position position = with_cows(white, black, random);
          for (const auto probe : {mtb_probe_wdl, mtb_probe_soft, mtb_probe}) {
            ASSERT_EQ(probe(base.get(), &position, &value, nullptr), MTB_ILLEGAL_POSITION);
            ASSERT_TRUE(is_unknown(value));
          }
        }
      }
    }
  }
}

TEST(NumbersOutOfRange, MakeNoPosition) {
  using Change = void (*)(mtb_position&);
  constexpr Change changes[] = {
      [](mtb_position& p) { p.cows[0] |= 1u << 24; },
      [](mtb_position& p) { p.cows[1] |= 1u << 31; },
      [](mtb_position& p) { p.cows[1] |= p.cows[0]; },
      [](mtb_position& p) { p.hand[0] = 13; },
      [](mtb_position& p) { p.hand[1] = 255; },
      [](mtb_position& p) { p.side = 2; },
      [](mtb_position& p) { p.owed = 4; },
      [](mtb_position& p) { p.ban_from[0] = 24, p.ban_to[0] = 3; },
      [](mtb_position& p) { p.ban_from[0] = 3, p.ban_to[0] = -2; },
      [](mtb_position& p) { p.ban_from[1] = -1, p.ban_to[1] = 3; },
      [](mtb_position& p) { p.ban_from[1] = 3, p.ban_to[1] = -1; },
      [](mtb_position& p) { p.ban_from[1] = p.ban_to[1] = 3; },
      [](mtb_position& p) { std::memset(&p, 0xFF, sizeof p); },
      [](mtb_position& p) { std::memset(&p, 0, sizeof p); },
  };
  const Handle base = opened(shipped("traditional"));
  const mtb_position sound = parsed("0,0 a7,b6,c4,c5 a4,c3,e3,g4 w");
  for (const Change& change : changes) {
    mtb_position position = sound;
    change(position);
    SCOPED_TRACE(&change - changes);
    mtb_value value = {};
    mtb_message message = {};
    EXPECT_EQ(mtb_probe(base.get(), &position, &value, &message), MTB_ILLEGAL_POSITION);
    EXPECT_STRNE(message.text, "");
    EXPECT_TRUE(is_unknown(value));
    EXPECT_EQ(mtb_probe_wdl(base.get(), &position, &value, nullptr), MTB_ILLEGAL_POSITION);
    EXPECT_EQ(mtb_probe_soft(base.get(), &position, &value, nullptr), MTB_ILLEGAL_POSITION);
    EXPECT_EQ(mtb_prefetch(base.get(), &position), MTB_ILLEGAL_POSITION);
    EXPECT_EQ(mtb_probe_batch(base.get(), &position, 1, &value, nullptr, nullptr),
              MTB_ILLEGAL_POSITION);
    std::size_t count = 7;
    EXPECT_EQ(mtb_turns(base.get(), &position, nullptr, 0, &count, nullptr), MTB_ILLEGAL_POSITION);
    EXPECT_EQ(mtb_rank(base.get(), &position, nullptr, 0, &count, nullptr, nullptr, nullptr),
              MTB_ILLEGAL_POSITION);
    EXPECT_EQ(count, 0u);
    char text[MTB_TEXT_BYTES] = "?";
    EXPECT_EQ(mtb_position_format(&position, text, sizeof text), MTB_ILLEGAL_POSITION);
    EXPECT_STREQ(text, "");
  }
}

TEST(Turns, AreThoseOfTheRulesAndLeadWhereTheyLead) {
  for (const std::string rules : {"traditional", "koti", "gar", "iggamecenter"}) {
    const RuleSet rule_set = rules_named(rules);
    const Handle base = opened(shipped(rules));
    SmallPositions positions(21);
    std::vector<mtb_turn> turns(MTB_MAX_TURNS);
    for (int i = 0; i < 200; ++i) {
      Position asked = positions.next();
      if (i % 4 == 0 && asked.owed == 0) asked.hand = {3, 4};
      const mtb_position position = to_c(asked);
      SCOPED_TRACE(rules + ": " + to_string(asked));
      std::size_t count = 5;
      const mtb_status status =
          mtb_turns(base.get(), &position, turns.data(), turns.size(), &count, nullptr);
      if (!validate(asked, rule_set)) {
        EXPECT_EQ(status, MTB_ILLEGAL_POSITION);
        continue;
      }
      EXPECT_EQ(status, MTB_OK);
      const std::vector<Turn> legal = legal_turns(rule_set, asked);
      ASSERT_EQ(count, legal.size());
      for (std::size_t t = 0; t < count; ++t) {
        EXPECT_EQ(to_text(turns[t]), to_string(legal[t]));
        mtb_position after = position;  // played in place
        EXPECT_EQ(mtb_play(base.get(), &after, &turns[t], &after, nullptr), MTB_OK);
        const mtb_position expected = to_c(play(rule_set, asked, legal[t]));
        EXPECT_EQ(std::memcmp(&after, &expected, sizeof after), 0);
      }
    }
  }
}

TEST(ATurn, ThatIsNotLegalIsNotPlayed) {
  const Handle base = opened(shipped("traditional"));
  const mtb_position position = parsed("0,0 a7,b6,c4,c5 a4,c3,e3,g4 w");
  const mtb_turn sound = {MTB_MOVE, 0, 1, {-1, -1, -1}, 0, 0};  // a7-d7
  mtb_position after = position;
  EXPECT_EQ(mtb_play(base.get(), &position, &sound, &after, nullptr), MTB_OK);
  EXPECT_NE(std::memcmp(&after, &position, sizeof after), 0);
  using Change = void (*)(mtb_turn&);
  constexpr Change changes[] = {
      [](mtb_turn& t) { t.to = 7; },           // a black cow is there
      [](mtb_turn& t) { t.to = 12; },          // too far
      [](mtb_turn& t) { t.shots[0] = 3; },     // no mill
      [](mtb_turn& t) { t.shots[2] = 3; },     // no first and second shot
      [](mtb_turn& t) { t.declined = 1; },     //
      [](mtb_turn& t) { t.declined = 2; },     //
      [](mtb_turn& t) { t.kind = MTB_PASS; },  // with points
      [](mtb_turn& t) {
        t = {MTB_PASS, -1, -1, {-1, -1, -1}, 0, 0};
      },
      [](mtb_turn& t) {
        t = {MTB_SHOOT, -1, -1, {7, -1, -1}, 0, 0};
      },
      [](mtb_turn& t) {
        t = {MTB_PLACE, -1, 1, {-1, -1, -1}, 0, 0};
      },
      [](mtb_turn& t) { t.kind = 4; },
      [](mtb_turn& t) { t.from = 24; },
      [](mtb_turn& t) { t.to = -128; },
      [](mtb_turn& t) { std::memset(&t, 0xFF, sizeof t); },
  };
  for (const Change& change : changes) {
    mtb_turn turn = sound;
    change(turn);
    after = position;
    mtb_message message;
    EXPECT_EQ(mtb_play(base.get(), &position, &turn, &after, &message), MTB_ILLEGAL_TURN)
        << &change - changes;
    EXPECT_STRNE(message.text, "");
    EXPECT_EQ(std::memcmp(&after, &position, sizeof after), 0);
  }
}

TEST(ATurnAtAClockThatHasRunOut, IsPlayedThoughTheGameIsOver) {
  const Handle base = opened(shipped("traditional"));
  const mtb_position position = parsed("0,0 a7,b6,c4,c5 a4,c3,e3,g4 w - - 50");
  std::size_t count = 7;
  EXPECT_EQ(mtb_turns(base.get(), &position, nullptr, 0, &count, nullptr), MTB_OK);
  EXPECT_EQ(count, 0u);
  const mtb_turn turn = {MTB_MOVE, 0, 1, {-1, -1, -1}, 0, 0};
  mtb_position after;
  EXPECT_EQ(mtb_play(base.get(), &position, &turn, &after, nullptr), MTB_OK);
  EXPECT_EQ(after.clock, 51);
}

TEST(ThePositionWithManyTurns, HasNoMoreThanTheHeaderSays) {
  // Two corners close three mills each at once, for three shots in any order at twelve cows, which
  // may also be declined; the two free points are all there is.
  const std::string rules =
      "cows = 12\ndiagonals = \"mills\"\nshots = \"per_mill\"\nshot = \"optional\"\n"
      "targets = \"any\"\nfly_at = 3\nblocked = \"loss\"\nfull_board = \"draw\"\n"
      "clock = \"off\"\nreform = \"none\"\n";
  mtb_options options = defaults();
  options.rules = rules.c_str();
  options.without_tables = 1;
  const Handle base = opened("", &options);
  mtb_position position = parsed("0,0 b6,c5,d7,g7,a4,a1,f2,e3,g4,d1 d6 w");
  position.hand[MTB_WHITE] = 2;
  const std::uint32_t free = 1u << 0 | 1u << 4;  // a7 and g1
  position.cows[MTB_BLACK] = 0xFFFFFF & ~position.cows[MTB_WHITE] & ~free;
  std::size_t count = 0;
  EXPECT_EQ(mtb_turns(base.get(), &position, nullptr, 0, &count, nullptr), MTB_TOO_SMALL);
  EXPECT_EQ(count, 2u * (1 + 12 + 12 * 11 + 12 * 11 * 10));
  EXPECT_LE(count, std::size_t{MTB_MAX_TURNS});
}

TEST(NullPointers, AreBadArguments) {
  const Handle base = opened(shipped("traditional"));
  const mtb_position position = parsed("0,0 a7,b6,c4,c5 a4,c3,e3,g4 w");
  const mtb_turn turn = {MTB_MOVE, 0, 1, {-1, -1, -1}, 0, 0};
  const std::string file = shipped("malom") + "/3v3.wdl";
  const char* const folders[] = {nullptr};
  mtb_tablebase* opened = nullptr;
  mtb_message message;
  mtb_report report;
  mtb_sector sector;
  mtb_refusal refusal;
  mtb_file_info info;
  mtb_position after;
  mtb_value value;
  mtb_ranked_turn ranked;
  mtb_turn turns;
  std::size_t count;
  char text[MTB_TEXT_BYTES];
  const mtb_tablebase* const b = base.get();
  const auto refused = [&](mtb_status status) { return status == MTB_BAD_ARGUMENT; };
  for (mtb_message* m : {&message, static_cast<mtb_message*>(nullptr)}) {
    EXPECT_TRUE(refused(mtb_open("", nullptr, nullptr, m)));
    EXPECT_TRUE(refused(mtb_open_folders(nullptr, 1, nullptr, &opened, m)));
    EXPECT_TRUE(refused(mtb_open_folders(folders, 1, nullptr, &opened, m)));
    EXPECT_TRUE(refused(mtb_open_folders(folders, SIZE_MAX, nullptr, &opened, m)));
    EXPECT_TRUE(refused(mtb_open_folders(folders, 0, nullptr, nullptr, m)));
    EXPECT_TRUE(refused(mtb_identify(nullptr, &info, m)));
    EXPECT_TRUE(refused(mtb_identify(file.c_str(), nullptr, m)));
    EXPECT_TRUE(refused(mtb_position_parse(nullptr, &after, m)));
    EXPECT_TRUE(refused(mtb_position_parse("0,0 a7 b6 w", nullptr, m)));
    EXPECT_TRUE(refused(mtb_turns(nullptr, &position, &turns, 1, &count, m)));
    EXPECT_TRUE(refused(mtb_turns(b, nullptr, &turns, 1, &count, m)));
    EXPECT_TRUE(refused(mtb_turns(b, &position, nullptr, 1, &count, m)));
    EXPECT_TRUE(refused(mtb_turns(b, &position, &turns, 1, nullptr, m)));
    EXPECT_TRUE(refused(mtb_play(nullptr, &position, &turn, &after, m)));
    EXPECT_TRUE(refused(mtb_play(b, nullptr, &turn, &after, m)));
    EXPECT_TRUE(refused(mtb_play(b, &position, nullptr, &after, m)));
    EXPECT_TRUE(refused(mtb_play(b, &position, &turn, nullptr, m)));
    for (const auto probe :
         {mtb_probe, mtb_probe_wdl, mtb_probe_dtw, mtb_probe_dtc, mtb_probe_soft}) {
      EXPECT_TRUE(refused(probe(nullptr, &position, &value, m)));
      EXPECT_TRUE(refused(probe(b, nullptr, &value, m)));
      EXPECT_TRUE(refused(probe(b, &position, nullptr, m)));
    }
    EXPECT_TRUE(refused(mtb_probe_batch(nullptr, &position, 1, &value, nullptr, m)));
    EXPECT_TRUE(refused(mtb_probe_batch(b, nullptr, 1, &value, nullptr, m)));
    EXPECT_TRUE(refused(mtb_probe_batch(b, &position, 1, nullptr, nullptr, m)));
    EXPECT_TRUE(refused(mtb_probe_batch(b, &position, SIZE_MAX, &value, nullptr, m)));
    EXPECT_TRUE(refused(mtb_rank(nullptr, &position, &ranked, 1, &count, nullptr, nullptr, m)));
    EXPECT_TRUE(refused(mtb_rank(b, nullptr, &ranked, 1, &count, nullptr, nullptr, m)));
    EXPECT_TRUE(refused(mtb_rank(b, &position, nullptr, 1, &count, nullptr, nullptr, m)));
    EXPECT_TRUE(refused(mtb_rank(b, &position, &ranked, 1, nullptr, nullptr, nullptr, m)));
  }
  EXPECT_STRNE(message.text, "");
  EXPECT_TRUE(refused(mtb_get_report(nullptr, &report)));
  EXPECT_TRUE(refused(mtb_get_report(b, nullptr)));
  EXPECT_TRUE(refused(mtb_get_sector(nullptr, MTB_WDL, 0, &sector)));
  EXPECT_TRUE(refused(mtb_get_sector(b, MTB_WDL, 0, nullptr)));
  EXPECT_TRUE(refused(mtb_get_refused(nullptr, 0, &refusal)));
  EXPECT_TRUE(refused(mtb_get_refused(b, 0, nullptr)));
  EXPECT_TRUE(refused(mtb_prefetch(nullptr, &position)));
  mtb_table table;
  EXPECT_TRUE(
      refused(mtb_dependencies(nullptr, {4, 4, 0, 0}, MTB_WDL, &table, 1, &count, nullptr)));
  EXPECT_TRUE(refused(mtb_dependencies(b, {4, 4, 0, 0}, MTB_WDL, nullptr, 1, &count, nullptr)));
  EXPECT_TRUE(refused(mtb_dependencies(b, {4, 4, 0, 0}, MTB_WDL, &table, 1, nullptr, nullptr)));
  EXPECT_TRUE(refused(mtb_prefetch(b, nullptr)));
  EXPECT_TRUE(refused(mtb_position_format(nullptr, text, sizeof text)));
  EXPECT_TRUE(refused(mtb_position_format(&position, nullptr, sizeof text)));
  EXPECT_TRUE(refused(mtb_position_fen(nullptr, text, sizeof text)));
  EXPECT_TRUE(refused(mtb_position_fen(&position, nullptr, sizeof text)));
  EXPECT_TRUE(refused(mtb_turn_format(nullptr, text, sizeof text)));
  EXPECT_TRUE(refused(mtb_turn_format(&turn, nullptr, sizeof text)));
  EXPECT_EQ(mtb_get_rules(nullptr), nullptr);
  EXPECT_EQ(mtb_get_duplicate(nullptr, 0), nullptr);
  mtb_position_init(nullptr);
  mtb_options_init(nullptr, sizeof(mtb_options));
  mtb_close(nullptr);
}

}  // namespace
}  // namespace mtb
