#include "game/record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace mtb {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

std::vector<std::string> texts(const GameRecord& record) {
  std::vector<std::string> result;
  for (const RecordedTurn& turn : record.turns) result.push_back(turn.text);
  return result;
}

GameRecord only(const std::string& text) {
  std::istringstream in(text);
  RecordReader reader(in);
  const auto record = reader.next();
  if (!record || !*record) {
    ADD_FAILURE() << (record ? record->error().message : "nothing");
    return {};
  }
  EXPECT_FALSE(reader.next().has_value());
  return **record;
}

TEST(GameRecords, HaveTagsNumberedTurnsCommentsAndAResult) {
  const GameRecord record = only(
      "[Rules \"tournament\"]\n[White \"A \\\"quick\\\" player\"]\n\n"
      "{a game} 1. d6 f4 {good} {very} 2. d2\n b4xd6 3.e3 c3-c4xe3xd2 1-0\n");
  EXPECT_THAT(record.tags,
              ElementsAre(Pair("Rules", "tournament"), Pair("White", "A \"quick\" player")));
  EXPECT_EQ(record.comment, "a game");
  EXPECT_THAT(texts(record), ElementsAre("d6", "f4", "d2", "b4xd6", "e3", "c3-c4xe3xd2"));
  EXPECT_EQ(record.turns[1].comment, "good very");
  EXPECT_EQ(record.turns[3].line, 5u);
  EXPECT_EQ(record.result, "1-0");
  ASSERT_NE(record.tag("Rules"), nullptr);
  EXPECT_EQ(record.tag("Date"), nullptr);
}

TEST(GameRecords, TakeShotsThatAreTokensOfTheirOwn) {
  EXPECT_THAT(texts(only("1. d6-d5 xb4 f4 2. a1-a4 xb2 xc3 *")),
              ElementsAre("d6-d5xb4", "f4", "a1-a4xb2xc3"));
}

TEST(GameRecords, TakeDigitsWithoutAPointForPointsOfTheBoard) {
  EXPECT_THAT(texts(only("1. 01 09 2. 24 10")), ElementsAre("01", "09", "24", "10"));
}

TEST(GameRecords, GoOverManyLinesAndIgnoreRemarks) {
  const GameRecord record =
      only("1. d6 {a comment\nof two lines} f4 ; the rest is a remark 2. a1\n2. d2");
  EXPECT_THAT(texts(record), ElementsAre("d6", "f4", "d2"));
  EXPECT_EQ(record.turns[0].comment, "a comment of two lines");
  EXPECT_EQ(record.result, "");
}

TEST(GameRecords, FollowOneAnotherWithAndWithoutTags) {
  std::istringstream in("1. d6 f4 1-0\n1. d2 *\n[White \"X\"]\n1. a1\n[White \"Y\"]\n\n1. a4 0-1");
  RecordReader reader(in);
  std::vector<std::vector<std::string>> games;
  while (const auto record = reader.next()) {
    ASSERT_TRUE(*record) << record->error().message;
    games.push_back(texts(**record));
  }
  EXPECT_THAT(games, ElementsAre(ElementsAre("d6", "f4"), ElementsAre("d2"), ElementsAre("a1"),
                                 ElementsAre("a4")));
}

TEST(GameRecords, ThatAreBrokenAreNamedAndTheNextOneIsRead) {
  for (const char* damage :
       {"[White X]\n1. d6", "[White \"X]\n1. d6", "[White", "1. d6 } f4", "[\"X\"]", "1. d6 ]"}) {
    std::istringstream in(std::string("[Event \"first\"]\n1. a1 *\n\n") + damage +
                          "\n\n[Event \"last\"]\n1. g7 1-0\n");
    RecordReader reader(in);
    const auto first = reader.next();
    ASSERT_TRUE(first && *first);
    const auto second = reader.next();
    ASSERT_TRUE(second.has_value());
    ASSERT_FALSE(*second) << damage;
    EXPECT_EQ(second->error().fault, Fault::bad_input);
    EXPECT_THAT(second->error().message, HasSubstr("line 4")) << damage;
    const auto third = reader.next();
    ASSERT_TRUE(third && *third) << damage;
    EXPECT_THAT(texts(**third), ElementsAre("g7"));
    EXPECT_FALSE(reader.next().has_value());
  }
}

TEST(GameRecords, NameTheLineOfACommentWithoutEnd) {
  std::istringstream in("1. d6\n2. f4 {no end\n3. a1");
  RecordReader reader(in);
  const auto record = reader.next();
  ASSERT_TRUE(record.has_value());
  ASSERT_FALSE(*record);
  EXPECT_THAT(record->error().message, HasSubstr("line 2"));
  EXPECT_FALSE(reader.next().has_value());
}

TEST(GameRecords, WithACommentOrVariationWithoutEndTakeNoOtherWithThem) {
  for (const char* damage : {"1. d6\n2. f4 {no end\n3. a1", "1. d6\n2. f4 (2. a1 {x} (3. b2\n"}) {
    std::istringstream in(std::string(damage) + "\n\n[Event \"next\"]\n\n1. g7 *\n");
    RecordReader reader(in);
    const auto first = reader.next();
    ASSERT_TRUE(first && !*first) << damage;
    EXPECT_THAT(first->error().message, HasSubstr("line 2: "));
    const auto second = reader.next();
    ASSERT_TRUE(second && *second) << damage;
    EXPECT_THAT(texts(**second), ElementsAre("g7"));
    EXPECT_NE((*second)->tag("Event"), nullptr);
  }
}

TEST(GameRecords, WithABrokenTagAreSkippedWithTheirOtherTags) {
  std::istringstream in(
      "[White X]\n[Position \"0,0 a1 b2 w\"]\n\n1. a1-a4 *\n\n[Event \"next\"]\n1. g7 *\n");
  RecordReader reader(in);
  EXPECT_FALSE(*reader.next());
  const auto second = reader.next();
  ASSERT_TRUE(second && *second);
  EXPECT_THAT(texts(**second), ElementsAre("g7"));
  EXPECT_FALSE(reader.next().has_value());
}

TEST(GameRecords, ThatSayATagTwiceAndDifferentlyAreSkipped) {
  std::istringstream in(
      "[Rules \"malom\"]\n[Rules \"koti\"]\n\n1. a1-a4 *\n\n[White \"A\"]\n[White \"A\"]\n1. g7 "
      "*\n");
  RecordReader reader(in);
  const auto first = reader.next();
  ASSERT_TRUE(first && !*first);
  EXPECT_THAT(first->error().message, HasSubstr("Rules"));
  const auto second = reader.next();
  ASSERT_TRUE(second && *second);
  EXPECT_EQ((*second)->tags.size(), 1u);
  EXPECT_THAT(texts(**second), ElementsAre("g7"));
}

TEST(GameRecords, MayHaveMarksAndVariations) {
  const GameRecord record = only(
      "1. d6! f4?! $4 (1... a1 {a ) in a comment} (1... g7) 2. b2) 2. d2 !? xa1 (\n2. a4) b4 ; "
      "rest "
      "(\n% for other programs }\n3. a7 1-0 $1 {end}");
  EXPECT_THAT(texts(record), ElementsAre("d6", "f4", "d2xa1", "b4", "a7"));
  EXPECT_EQ(record.turns[0].asides, "!");
  EXPECT_EQ(record.turns[1].asides, "?! $4 (1... a1 {a ) in a comment} (1... g7) 2. b2)");
  EXPECT_EQ(record.result, "1-0");
  const GameRecord again = only(to_string(record));
  EXPECT_EQ(texts(again), texts(record));
  for (std::size_t i = 0; i < record.turns.size(); ++i) {
    EXPECT_EQ(again.turns[i].asides, record.turns[i].asides);
    EXPECT_EQ(again.turns[i].comment, record.turns[i].comment);
  }
}

TEST(GameRecords, AreBoundedInLength) {
  std::string many_turns;
  while (many_turns.size() < (2u << 20)) many_turns += "d6 f4 ; a line\n";
  for (const std::string& large : {"1. d6 " + std::string(3 << 20, 'a') + '\n',
                                   "1. d6 {" + std::string(3 << 20, ' ') + "}\n", many_turns}) {
    std::istringstream in("1. a1 *\n" + large + "f4 *\n\n[Event \"next\"]\n1. g7 *\n");
    RecordReader reader(in);
    EXPECT_TRUE(*reader.next());
    const auto broken = reader.next();
    ASSERT_TRUE(broken && !*broken);
    EXPECT_THAT(broken->error().message, HasSubstr("longer than"));
    const auto next = reader.next();
    ASSERT_TRUE(next && *next);
    EXPECT_THAT(texts(**next), ElementsAre("g7"));
    EXPECT_FALSE(reader.next().has_value());
  }
}

TEST(GameRecords, AreNotThereInAFileOfBlanks) {
  std::istringstream in(" \n\t\r\n\n");
  EXPECT_FALSE(RecordReader(in).next().has_value());
}

TEST(GameRecords, AreReadAsTheyWereWritten) {
  GameRecord record;
  record.tags = {{"White", "back\\slash and \"quotes\""}, {"Result", "0-1"}};
  record.comment = "before";
  for (int i = 0; i < 60; ++i)
    record.turns.push_back({"d6-d5xb4", 0, i % 7 == 0 ? "a remark of 100 % % %" : ""});
  record.result = "0-1";
  for (const bool first_black : {false, true}) {
    const std::string text = to_string(record, first_black);
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
    const GameRecord again = only(text);
    EXPECT_EQ(again.tags, record.tags);
    EXPECT_EQ(again.comment, record.comment);
    EXPECT_EQ(again.result, record.result);
    ASSERT_EQ(texts(again), texts(record));
    for (std::size_t i = 0; i < record.turns.size(); ++i) {
      EXPECT_EQ(again.turns[i].comment, record.turns[i].comment);
    }
  }
}

}  // namespace
}  // namespace mtb
