#include "game/notation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "tests/game/naive.h"
#include "tests/game/random.h"

namespace mtb {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr std::array<Coordinates, 3> kAllCoordinates = {Coordinates::standard, Coordinates::mssa,
                                                        Coordinates::numbers};

// The points clockwise from the top left, outer ring first, as the notation text lists them.
const std::vector<std::string> kPoints = {"a7", "d7", "g7", "g4", "g1", "d1", "a1", "a4",
                                          "b6", "d6", "f6", "f4", "f2", "d2", "b2", "b4",
                                          "c5", "d5", "e5", "e4", "e3", "d3", "c3", "c4"};
// The nodes of the engines' form, 0..23.
const std::vector<std::string> kNodes = {"d5", "e5", "e4", "e3", "d3", "c3", "c4", "c5",
                                         "d6", "f6", "f4", "f2", "d2", "b2", "b4", "b6",
                                         "d7", "g7", "g4", "g1", "d1", "a1", "a4", "a7"};

const std::string kFen = "*****@**/***@O**O/**@****O w m s 3 0 3 0 0 0 -1 -1 -1 -1 0 0 1 ids:nodes";

template <class T>
std::string error_of(const Result<T>& result) {
  if (result) return "(accepted)";
  EXPECT_EQ(result.error().fault, Fault::bad_input);
  EXPECT_THAT(result.error().message, Not(HasSubstr("\n")));
  EXPECT_LT(result.error().message.size(), 250u);
  return result.error().message;
}

std::string position_error(const std::string& text) { return error_of(parse_position(text)); }

/// The second FEN of the notation text with one of its 17 fields written differently.
std::string fen_with(std::size_t field, const std::string& value) {
  std::istringstream fields(kFen);
  std::string result;
  std::size_t at = 0;
  for (std::string old; fields >> old; ++at) result += (at == field ? value : old) + ' ';
  return result;
}

// ---- Points

TEST(Points, HaveTheNamesOfTheNotationTextInAllThreeSystems) {
  for (int i = 0; i < kPointCount; ++i) {
    const std::string ring(1, "EAR"[i / 8]);
    EXPECT_EQ(to_string(point(i)), kPoints[static_cast<std::size_t>(i)]);
    EXPECT_EQ(to_string(point(i), Coordinates::mssa), ring + std::to_string(i % 8 + 1));
    const std::string number = std::to_string(i + 1);
    EXPECT_EQ(to_string(point(i), Coordinates::numbers),
              std::string(2 - number.size(), '0') + number);
  }
}

TEST(Points, AreReadBackInAllThreeSystems) {
  for (Coordinates coordinates : kAllCoordinates) {
    for (Point p : PointSet::all()) {
      EXPECT_EQ(parse_point(to_string(p, coordinates), coordinates).value(), p);
    }
  }
}

TEST(Points, OfOtherSystemsOrOfNoneAreRefused) {
  for (const char* text : {"", "a", "a2", "d4", "h1", "a8", "A7", "a7 ", "E1", "01", "b3"}) {
    EXPECT_THAT(error_of(parse_point(text)), HasSubstr("a1..g7")) << text;
  }
  for (const char* text : {"a7", "E0", "E9", "e1", "B1", "E1x"}) {
    EXPECT_THAT(error_of(parse_point(text, Coordinates::mssa)), HasSubstr("E1..E8")) << text;
  }
  for (const char* text : {"00", "25", "1", "+1", "001", "a7"}) {
    EXPECT_THAT(error_of(parse_point(text, Coordinates::numbers)), HasSubstr("01..24")) << text;
  }
}

TEST(Points, SystemsAreKnownByName) {
  EXPECT_EQ(parse_coordinates("standard").value(), Coordinates::standard);
  EXPECT_EQ(parse_coordinates("mssa").value(), Coordinates::mssa);
  EXPECT_EQ(parse_coordinates("numbers").value(), Coordinates::numbers);
  EXPECT_THAT(error_of(parse_coordinates("Mssa")),
              AllOf(HasSubstr("standard"), HasSubstr("mssa"), HasSubstr("numbers")));
}

// ---- Turns

TEST(TurnTokens, SayWhatTheNotationTextSays) {
  const auto read = [](const char* text) { return parse_turn(text).value(); };
  const auto at = [](const char* text) { return parse_point(text).value(); };
  EXPECT_EQ(read("d6"), (Turn{.kind = Turn::Kind::place, .to = at("d6")}));
  EXPECT_EQ(
      read("d6xb4"),
      (Turn{.kind = Turn::Kind::place, .to = at("d6"), .shot_count = 1, .shots = {at("b4")}}));
  EXPECT_EQ(read("d6-d5xb4xg7"), (Turn{.kind = Turn::Kind::move,
                                       .from = at("d6"),
                                       .to = at("d5"),
                                       .shot_count = 2,
                                       .shots = {at("b4"), at("g7")}}));
  EXPECT_EQ(read("d6-d5x-"),
            (Turn{.kind = Turn::Kind::move, .from = at("d6"), .to = at("d5"), .declined = true}));
  EXPECT_EQ(read("--"), Turn{});
  EXPECT_EQ(read("xb4"), (Turn{.kind = Turn::Kind::shoot, .shot_count = 1, .shots = {at("b4")}}));
  EXPECT_EQ(read("x-"), (Turn{.kind = Turn::Kind::shoot, .declined = true}));
}

TEST(TurnTokens, AreWrittenAsTheyAreRead) {
  for (const char* text :
       {"d6", "d6xb4", "d6xb4xg7", "d6xb4xg7xa1", "d6-d5", "d6-d5xb4", "d6-d5xb4xg7", "d6-d5x-",
        "d6xb4x-", "d6x-", "--", "xb4", "xb4xg7", "x-", "xb4x-"}) {
    EXPECT_EQ(to_string(parse_turn(text).value()), text);
  }
}

TEST(TurnTokens, OfOtherSystemsMeanTheSame) {
  EXPECT_EQ(to_string(parse_turn("A2-R2xA8", Coordinates::mssa).value()), "d6-d5xb4");
  EXPECT_EQ(to_string(parse_turn("10-18x16x03", Coordinates::numbers).value()), "d6-d5xb4xg7");
  EXPECT_EQ(to_string(parse_turn("d6-d5x-").value(), Coordinates::mssa), "A2-R2x-");
  EXPECT_EQ(to_string(parse_turn("d6xb4").value(), Coordinates::numbers), "10x16");
}

TEST(TurnTokens, AreRefusedWithThePlaceOfTheMistake) {
  const std::vector<std::pair<std::string, int>> wrong = {
      {"", 1},
      {"d", 1},
      {"d4", 1},
      {"D6", 1},
      {"-", 1},
      {"---", 1},
      {"d6-", 4},
      {"d6-h5", 4},
      {"d6d5", 3},
      {"d6 ", 3},
      {"d6x", 4},
      {"d6xb9", 4},
      {"d6-d5-d6", 6},
      {"d6-d5xb4-", 9},
      {"d6x-xb4", 4},
      {"d6x--", 4},
      {"x", 2},
      {"xx", 2},
      {"xb4xg7xa1xd1", 10},
      {"--xb4", 1},
  };
  for (const auto& [text, place] : wrong) {
    EXPECT_THAT(error_of(parse_turn(text)),
                AllOf(HasSubstr("turn '" + text + "'"),
                      HasSubstr("character " + std::to_string(place) + ":")));
  }
}

TEST(TurnTokens, AreReadBackForAllTurnsOfRandomPositions) {
  Random random(21);
  for (int i = 0; i < 200; ++i) {
    const naive::Game game(random_rules(random));
    const RuleSet rules = parse_rule_set(naive::toml(game.rules()), "random").value();
    const Position position = parse_position(naive::text(random_state(random, game))).value();
    for (const Turn& turn : legal_turns(rules, position)) {
      for (Coordinates coordinates : kAllCoordinates) {
        ASSERT_EQ(parse_turn(to_string(turn, coordinates), coordinates).value(), turn);
      }
    }
  }
}

// ---- Positions for people

TEST(PositionText, OfTheNotationTextIsWrittenAsItIsRead) {
  for (const char* text :
       {"12,12 - - w", "0,0 a7,b6,d2 c3,f2,g4 w", "0,0 a7,b6,d2,d6 c3,f2,g4 b - d6-d7 7",
        "3,2 a7 - b", "0,0 a7,b6,d2 c3,f2,g4 w a7-d7 -", "0,0 a7,b6,d2 c3,f2,g4 w - - 50"}) {
    EXPECT_EQ(to_string(parse_position(text).value()), text);
  }
}

TEST(PositionText, SaysWhatTheNotationTextSays) {
  const Position position = parse_position("3,2 a7,b6,d2,d6 c3,f2,g4 b - d6-d7 7").value();
  EXPECT_EQ(position.hand, (PerColour<std::uint8_t>{3, 2}));
  EXPECT_EQ(position.cows[Colour::white], PointSet(1u << 0 | 1u << 8 | 1u << 9 | 1u << 13));
  EXPECT_EQ(position.cows[Colour::black], PointSet(1u << 22 | 1u << 12 | 1u << 3));
  EXPECT_EQ(position.side, Colour::black);
  EXPECT_FALSE(position.ban[Colour::white].has_value());
  EXPECT_EQ(*position.ban[Colour::black], (Ban{point(9), point(1)}));
  EXPECT_EQ(position.clock, 7);
  EXPECT_EQ(position.owed, 0);
}

TEST(PositionText, MayLeaveOutTheLastFieldsAndSpreadItsBlanks) {
  const Position plain = parse_position("0,0 a7,b6,d2 c3,f2,g4 w").value();
  EXPECT_EQ(parse_position("0,0 a7,b6,d2 c3,f2,g4 w - -").value(), plain);
  EXPECT_EQ(parse_position("0,0 a7,b6,d2 c3,f2,g4 w - - 0").value(), plain);
  EXPECT_EQ(parse_position("  0,0\ta7,b6,d2   c3,f2,g4 w\r\n").value(), plain);
}

TEST(PositionText, MayUseTheOtherSystems) {
  const Position position = parse_position("0,0 a7,b6,d2,d6 c3,f2,g4 b - d6-d7 7").value();
  EXPECT_EQ(parse_position("0,0 E1,A1,A6,A2 R7,A5,E4 b - A2-E2 7", Coordinates::mssa).value(),
            position);
  EXPECT_EQ(parse_position("0,0 01,09,14,10 23,13,04 b - 10-02 7", Coordinates::numbers).value(),
            position);
}

TEST(PositionText, IsRefusedWithTheNameOfTheField) {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"", "0 fields"},
      {"12,12 - -", "3 fields"},
      {"12,12 - - w -", "5 fields"},
      {"12,12 - - w - - 0 0", "8 fields"},
      {"12 - - w", "field hand"},
      {"12,12,12 - - w", "field hand"},
      {"12,13 - - w", "field hand"},
      {"-1,0 a7,b6,d2 c3,f2,g4 w", "field hand"},
      {"0, a7,b6,d2 c3,f2,g4 w", "field hand"},
      {"0,0 a7,b6,d2, c3,f2,g4 w", "field white"},
      {"0,0 a7,h6,d2 c3,f2,g4 w", "field white: 'h6'"},
      {"0,0 A7,b6,d2 c3,f2,g4 w", "field white: 'A7'"},
      {"0,0 a7,b6,a7 c3,f2,g4 w", "field white: 'a7' is there twice"},
      {"0,0 a7,b6,d2 c3,c3,g4 w", "field black: 'c3' is there twice"},
      {"0,0 a7,b6,d2 c3,b6,g4 w", "field black: a cow of White"},
      {"0,0 a7,b6,d2 c3;f2;g4 w", "field black"},
      {"0,0 a7,b6,d2 c3,f2,g4 W", "field side"},
      {"0,0 a7,b6,d2 c3,f2,g4 white", "field side"},
      {"0,0 a7,b6,d2 c3,f2,g4 w a7 -", "field white ban"},
      {"0,0 a7,b6,d2 c3,f2,g4 w - a7-", "field black ban"},
      {"0,0 a7,b6,d2 c3,f2,g4 w - a7-a7", "field black ban"},
      {"0,0 a7,b6,d2 c3,f2,g4 w - a7-b6xc3", "field black ban"},
      {"0,0 a7,b6,d2 c3,f2,g4 w - a7xb6", "field black ban"},
      {"0,0 a7,b6,d2 c3,f2,g4 w - - -1", "field clock"},
      {"0,0 a7,b6,d2 c3,f2,g4 w - - 65536", "field clock"},
      {"0,0 a7,b6,d2 c3,f2,g4 w - - 7x", "field clock"},
  };
  for (const auto& [text, field] : wrong) {
    EXPECT_THAT(position_error(text), HasSubstr(field)) << text;
  }
}

// ---- Positions for engines

TEST(Fen, OfTheNotationTextIsTheSamePositionAsItsTextForm) {
  const Position start = parse_position("12,12 - - w").value();
  const std::string start_fen =
      "********/********/******** w p p 0 12 0 12 0 0 -1 -1 -1 -1 0 0 1 ids:nodes";
  EXPECT_EQ(parse_position(start_fen).value(), start);
  EXPECT_EQ(to_fen(start), start_fen);
  const Position three_each = parse_position("0,0 a7,b6,d2 c3,f2,g4 w").value();
  EXPECT_EQ(parse_position(kFen).value(), three_each);
  EXPECT_EQ(to_fen(three_each), kFen);
}

TEST(Fen, NumbersItsNodesFromTheInnerRingOutwardsClockwiseFromTheTop) {
  for (std::size_t node = 0; node < 24; ++node) {
    std::string board = "********/********/********";
    board[node + node / 8] = 'O';
    const Position position =
        parse_position(board + " w p p 1 11 0 12 0 0 -1 -1 -1 -1 0 0 1").value();
    EXPECT_EQ(to_string(position), "11,12 " + kNodes[node] + " - w");
    const std::string to = std::to_string(node);
    const std::string from = std::to_string((node + 5) % 24);
    const Position moved = parse_position("********/********/******** w p p 0 12 0 12 0 0 -1 -1 " +
                                          from + ' ' + to + " 0 0 1")
                               .value();
    EXPECT_EQ(to_string(moved), "12,12 - - w - " + kNodes[node] + '-' + kNodes[(node + 5) % 24]);
  }
}

TEST(Fen, CarriesBansAsTheMillMovesThatLeftThemAndTheClock) {
  // White's last mill move was a7-b6 (nodes 23 and 15), so that White may not go back b6-a7.
  const std::string fen = "*****@**/***@O**O/**@***** w m s 2 0 3 0 0 0 23 15 -1 -1 0 7 1";
  const Position position = parse_position(fen).value();
  EXPECT_EQ(to_string(position), "0,0 b6,d2 c3,f2,g4 w b6-a7 - 7");
  EXPECT_EQ(to_fen(position), fen + " ids:nodes");
}

TEST(Fen, CarriesShotsThatAreOwed) {
  const std::string fen =
      "*****@**/***@O***/O*@****O w p r 3 2 3 2 2 0 -1 -1 -1 -1 0 0 1 ids:nodes";
  const Position position = parse_position(fen).value();
  EXPECT_EQ(position.owed, 2);
  EXPECT_EQ(to_fen(position), fen);
  EXPECT_EQ(to_string(position), fen);  // the form for people has no word for it
}

TEST(Fen, IgnoresUnknownExtensionsMillsAndMoveNumber) {
  const Position position = parse_position(kFen).value();
  EXPECT_EQ(parse_position(kFen + " c:12 whatever:x/y").value(), position);
  EXPECT_EQ(parse_position(fen_with(14, "18446744073709551615")).value(), position);
  EXPECT_EQ(parse_position(fen_with(16, "250")).value(), position);
  EXPECT_EQ(parse_position("  " + fen_with(17, "") + "\n").value(), position);
}

TEST(Fen, KnowsThePhasesReadyAndOver) {
  EXPECT_TRUE(parse_position("********/********/******** w r p 0 12 0 12 0 0 -1 -1 -1 -1 0 0 1"));
  EXPECT_TRUE(parse_position(fen_with(2, "o")));
}

TEST(Fen, AcceptsTheShotForTheLastPlacedCowInEitherPhase) {
  for (const char* phase : {"p", "m"}) {
    const std::string fen =
        "*****@**/***@O***/O*@****O w " + std::string(phase) + " r 3 0 3 0 1 0 -1 -1 -1 -1 0 0 1";
    EXPECT_EQ(parse_position(fen).value().owed, 1);
  }
}

TEST(Fen, IsRefusedWithTheNameOfTheField) {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"*****@**/***@O**O/**@****O w m s 3 0 3 0 0 0 -1 -1 -1 -1 0 0", "16 fields"},
      {"/", "1 fields"},
      {fen_with(0, "*****@**/***@O**O"), "field board"},
      {fen_with(0, "*****@**/***@O**O/**@****O/"), "field board"},
      {fen_with(0, "*****@*/***@O**O/**@****O"), "field board"},
      {fen_with(0, "*****@***/***@O**O/**@****O"), "field board"},
      {fen_with(0, "*****@**/***@o**O/**@****O"), "field board"},
      {fen_with(1, "-"), "field side"},
      {fen_with(2, "x"), "field phase"},
      {fen_with(3, "?"), "field action"},
      {fen_with(4, "4"), "field wOn: 4 cows, but the board has 3"},
      {fen_with(6, "2"), "field bOn: 2 cows, but the board has 3"},
      {fen_with(4, "three"), "field wOn"},
      {fen_with(5, "13"), "field wHand"},
      {fen_with(7, "-1"), "field bHand"},
      {fen_with(5, "1"), "field action"},
      {fen_with(7, "1"), "field phase"},
      {fen_with(2, "p"), "field phase"},
      {fen_with(3, "p"), "field action"},
      {fen_with(3, "r"), "field action"},
      {fen_with(8, "1"), "field action"},
      {fen_with(8, "4"), "field wRemove"},
      {fen_with(9, "1"), "field bRemove"},
      {fen_with(9, "-1"), "field bRemove"},
      {fen_with(10, "3"), "only one of wFrom and wTo"},
      {fen_with(13, "3"), "only one of bFrom and bTo"},
      {fen_with(10, "24"), "field wFrom"},
      {fen_with(12, "-2"), "field bFrom"},
      {fen_with(14, "x"), "field mills"},
      {fen_with(15, "65536"), "field rule50"},
      {fen_with(16, "1.5"), "field fullmove"},
  };
  for (const auto& [text, field] : wrong) {
    EXPECT_THAT(position_error(text), HasSubstr(field)) << text;
  }
  EXPECT_THAT(position_error("*****@**/***@O**O/**@****O w m s 3 0 3 0 0 0 5 5 -1 -1 0 0 1"),
              HasSubstr("field wTo"));
}

// ---- Both forms

Position random_position(Random& random) {
  const naive::Game game(random_rules(random));
  Position position = parse_position(naive::text(random_state(random, game))).value();
  for (Colour c : {Colour::white, Colour::black}) {
    const int from = random.below(kPointCount);
    const int to = random.below(kPointCount);
    if (random.one_in(3) && from != to) position.ban[c] = Ban{point(from), point(to)};
  }
  return position;
}

TEST(Positions, AreReadBackFromEveryForm) {
  Random random(22);
  for (int i = 0; i < 3000; ++i) {
    Position position = random_position(random);
    for (Coordinates coordinates : kAllCoordinates) {
      const std::string text = to_string(position, coordinates);
      ASSERT_EQ(parse_position(text, coordinates).value(), position) << text;
    }
    if (random.one_in(3)) position.owed = static_cast<std::uint8_t>(1 + random.below(3));
    const auto read = parse_position(to_fen(position));
    ASSERT_TRUE(read.has_value()) << to_fen(position) << ": " << read.error().message;
    ASSERT_EQ(*read, position) << to_fen(position);
    ASSERT_EQ(parse_position(to_string(position)).value(), position);
  }
}

/// Some bytes changed, taken out, doubled or exchanged.
std::string damaged(std::string text, Random& random) {
  for (int n = random.below(4); n >= 0 && !text.empty(); --n) {
    const auto size = static_cast<int>(text.size());
    const auto at = static_cast<std::size_t>(random.below(size));
    const auto length = static_cast<std::size_t>(random.below(6));
    switch (random.below(5)) {
      case 0:
        text[at] = static_cast<char>(random.below(256));
        break;
      case 1:
        text[at] = "0123456789abcdefgwbx-,/@O* "[random.below(27)];
        break;
      case 2:
        text.erase(at, length);
        break;
      case 3:
        text.insert(at, text.substr(at, length));
        break;
      default:
        std::swap(text[at], text[static_cast<std::size_t>(random.below(size))]);
    }
  }
  return text;
}

TEST(Positions, ThatAreDamagedAreRefusedOrMeanWhatTheyAreWrittenBackAs) {
  Random random(23);
  int accepted = 0;
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    const Coordinates coordinates = random.pick(kAllCoordinates);
    const Position position = random_position(random);
    const std::string text =
        damaged(random.one_in(2) ? to_fen(position) : to_string(position, coordinates), random);
    const auto read = parse_position(text, coordinates);
    if (!read) {
      ++refused;
      error_of(read);
      continue;
    }
    ++accepted;
    ASSERT_EQ(parse_position(to_string(*read, coordinates), coordinates).value(), *read) << text;
    ASSERT_EQ(parse_position(to_fen(*read)).value(), *read) << text;
    // Whatever was accepted can be looked at without harm.
    if (validate(*read, RuleSet{})) legal_turns(RuleSet{}, *read);
  }
  EXPECT_GT(accepted, 1000);
  EXPECT_GT(refused, 1000);
}

TEST(TurnTokens, ThatAreDamagedAreRefusedOrMeanWhatTheyAreWrittenBackAs) {
  Random random(24);
  const std::vector<std::string> tokens = {"d6", "d6xb4",  "d6xb4xg7xa1", "d6-d5xb4xg7", "d6x-",
                                           "--", "xb4xg7", "xb4x-",       "d6-d5"};
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::string text = damaged(random.pick(tokens), random);
    const auto read = parse_turn(text);
    if (!read) {
      error_of(read);
      continue;
    }
    ++accepted;
    ASSERT_EQ(to_string(*read), text);
  }
  EXPECT_GT(accepted, 1000);
}

}  // namespace
}  // namespace mtb
