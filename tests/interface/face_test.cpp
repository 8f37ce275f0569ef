// The C++ face gives what the C interface gives. It is compiled without the library's own headers,
// as an engine does.
#include "probe/mtb.hpp"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

const std::string kFolder = std::string(MTB_DATA_DIR) + "/tables/traditional";
const std::string kText = "0,0 a7,b6,c4,c5 a4,c3,e3,g4 w";

static_assert(std::is_nothrow_move_constructible_v<mtb::Tables>);
static_assert(!std::is_copy_constructible_v<mtb::Tables>);

TEST(TheCppFace, AnswersAsTheCInterface) {
  const auto tables = mtb::Tables::open(kFolder);
  ASSERT_TRUE(tables);
  EXPECT_STREQ(tables->report().rules, "traditional");
  EXPECT_EQ(tables->sectors(MTB_WDL).size(), 4u);
  EXPECT_TRUE(tables->refused().empty());
  const auto position = mtb::parse_position(kText);
  ASSERT_TRUE(position);
  EXPECT_EQ(mtb::to_string(*position), kText);

  mtb_value expected;
  ASSERT_EQ(mtb_probe(tables->handle(), &*position, &expected, nullptr), MTB_OK);
  const auto value = tables->probe(*position);
  ASSERT_TRUE(value);
  EXPECT_EQ(value->outcome, expected.outcome);
  EXPECT_EQ(value->dtw, expected.dtw);
  EXPECT_EQ(value->dtc, expected.dtc);
  EXPECT_EQ(tables->probe_wdl(*position)->outcome, expected.outcome);
  EXPECT_EQ(tables->probe_dtw(*position)->dtw, expected.dtw);
  EXPECT_EQ(tables->probe_dtc(*position)->dtc, expected.dtc);
  EXPECT_EQ(tables->prefetch(*position), MTB_OK);
  EXPECT_EQ(tables->probe_soft(*position)->outcome, expected.outcome) << "it was probed before";
  EXPECT_EQ(tables->dependencies({4, 4, 0, 0}, MTB_WDL)->size(), 2u);
  const auto batch = tables->probe_batch({*position, mtb_position{}});
  ASSERT_EQ(batch.size(), 2u);
  EXPECT_EQ(batch[0]->outcome, expected.outcome);
  EXPECT_EQ(batch[1].status, MTB_ILLEGAL_POSITION);

  const auto ranked = tables->rank(*position);
  const auto turns = tables->turns(*position);
  ASSERT_TRUE(ranked);
  ASSERT_TRUE(turns);
  EXPECT_EQ(ranked->size(), turns->size());
  const auto after = tables->play(*position, ranked->front().turn);
  ASSERT_TRUE(after);
  EXPECT_EQ(tables->probe(*after)->outcome, -expected.outcome);
}

TEST(TheCppFace, AsksAgainForListsThatDoNotFit) {
  mtb_options options = mtb::default_options();
  options.rules =
      "cows = 12\ndiagonals = \"mills\"\nshots = \"per_mill\"\nshot = \"forced\"\n"
      "targets = \"any\"\nfly_at = 3\nblocked = \"loss\"\nfull_board = \"draw\"\n"
      "clock = \"off\"\nreform = \"none\"\n";
  options.without_tables = 1;
  const auto tables = mtb::Tables::open("", options);
  ASSERT_TRUE(tables);
  // A cow on a7 closes three mills and shoots three of eleven cows, in any order.
  const auto position =
      *mtb::parse_position("1,0 b6,c5,d7,g7,a4,a1 g4,g1,d1,d6,f6,f4,f2,d2,b2,b4,d5 w");
  const auto turns = tables->turns(position);
  ASSERT_TRUE(turns);
  std::size_t count = 0;
  EXPECT_EQ(mtb_turns(tables->handle(), &position, nullptr, 0, &count, nullptr), MTB_TOO_SMALL);
  EXPECT_GT(count, 990u);
  EXPECT_EQ(turns->size(), count);
  for (const mtb_turn& turn : *turns) EXPECT_NE(mtb::to_string(turn), "");
}

TEST(TheCppFace, StopsARankingWhenAskedTo) {
  const auto tables = mtb::Tables::open(std::vector<std::string>{kFolder});
  ASSERT_TRUE(tables);
  const auto ranked = tables->rank(*mtb::parse_position(kText), [] { return true; });
  EXPECT_EQ(ranked.status, MTB_ABORTED);
  EXPECT_TRUE(ranked->empty());
}

TEST(TheCppFace, HasStatusesAndMessagesForFailures) {
  mtb_message message;
  const auto nowhere = mtb::Tables::open("/nowhere at all", mtb::default_options(), &message);
  EXPECT_FALSE(nowhere);
  EXPECT_EQ(nowhere.status, MTB_NO_TABLE);
  EXPECT_NE(std::string(message.text).find("/nowhere at all"), std::string::npos);
  EXPECT_FALSE(*nowhere) << "no handle came of it";
  EXPECT_EQ(nowhere->probe(mtb_position{}).status, MTB_BAD_ARGUMENT);
  EXPECT_EQ(nowhere->probe(mtb_position{}).value.outcome, MTB_UNKNOWN);
  EXPECT_EQ(nowhere->report().tables[MTB_WDL], 0u);
  EXPECT_EQ(mtb::parse_position("?").status, MTB_BAD_ARGUMENT);
  EXPECT_EQ(mtb::Answer<mtb_value>().value.outcome, MTB_UNKNOWN);
  EXPECT_EQ(mtb::Answer<mtb_position>().value.ban_from[0], -1);
  EXPECT_EQ(mtb::identify(kFolder + "/3v3.wdl")->table.metric, MTB_WDL);
  EXPECT_EQ(mtb::identify(kFolder + "/none.wdl").status, MTB_NO_TABLE);
}

TEST(TheCppFace, TakesNoTextOfWhichCWouldSeeAPart) {
  const std::string zero("\0", 1);
  EXPECT_EQ(mtb::parse_position(kText + zero + "?").status, MTB_BAD_ARGUMENT);
  EXPECT_EQ(mtb::identify(kFolder + "/3v3.wdl" + zero).status, MTB_BAD_ARGUMENT);
  EXPECT_EQ(mtb::Tables::open(kFolder + zero).status, MTB_BAD_ARGUMENT);
  mtb_message message;
  EXPECT_EQ(
      mtb::Tables::open(std::vector<std::string>{kFolder + zero}, mtb::default_options(), &message)
          .status,
      MTB_BAD_ARGUMENT);
  EXPECT_STRNE(message.text, "");
}

TEST(TheCppFace, ClosesWhatItOwnsOnce) {
  auto first = std::move(*mtb::Tables::open(kFolder));
  mtb::Tables second = std::move(first);
  EXPECT_FALSE(first);
  EXPECT_TRUE(second);
  second = mtb::Tables();
  EXPECT_FALSE(second);
}

}  // namespace
