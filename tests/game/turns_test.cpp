// The rules, one statement a test. The naive comparison in naive_test.cpp is the broad net; here
// each parameter has a position in which its values differ.
#include "game/turns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "game/notation.h"

namespace mtb {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;
using testing::UnorderedElementsAre;

using Tokens = std::vector<std::string>;

Position at(const std::string& text) { return parse_position(text).value(); }

Tokens turns(const RuleSet& rules, const Position& position) {
  Tokens tokens;
  for (const Turn& turn : legal_turns(rules, position)) tokens.push_back(to_string(turn));
  return tokens;
}
Tokens turns(const RuleSet& rules, const std::string& position) {
  return turns(rules, at(position));
}

/// The legal turns that begin with `start`.
Tokens turns_from(const RuleSet& rules, const std::string& position, const std::string& start) {
  Tokens tokens;
  for (const std::string& token : turns(rules, position)) {
    if (token.starts_with(start)) tokens.push_back(token);
  }
  return tokens;
}

/// Plays turns, each of which must be legal.
Position played(const RuleSet& rules, const std::string& position, const Tokens& tokens) {
  Position now = at(position);
  for (const std::string& token : tokens) {
    EXPECT_THAT(turns(rules, now), Contains(token));
    now = play(rules, now, parse_turn(token).value());
  }
  return now;
}
std::string after(const RuleSet& rules, const std::string& position, const Tokens& tokens) {
  return to_string(played(rules, position, tokens));
}

Verdict verdict_of(const RuleSet& rules, const std::string& position) {
  return verdict(rules, at(position));
}

// ---- Placing

TEST(Placing, StartsWithAllCowsInHandAndWhiteToMove) {
  EXPECT_EQ(to_string(start_position(RuleSet{})), "12,12 - - w");
  EXPECT_EQ(to_string(start_position(RuleSet{.cows = 9})), "9,9 - - w");
}

TEST(Placing, IsAllowedOnEveryEmptyPoint) {
  EXPECT_EQ(turns({}, "12,12 - - w").size(), 24u);
  EXPECT_EQ(turns({}, "11,11 a7 b6 w").size(), 22u);
  EXPECT_THAT(turns({}, "11,11 a7 b6 w"), Not(Contains("a7")));
}

TEST(Placing, TakesACowOutOfTheHand) {
  EXPECT_EQ(after({}, "12,12 - - w", {"d6", "f4"}), "11,11 d6 f4 w");
}

TEST(Placing, IsADutyWhileThereAreCowsInHand) {
  for (const std::string& token : turns({}, "1,0 a7,d7,b6 g1,d1,f2 w")) {
    EXPECT_EQ(token.find('-'), std::string::npos) << token;
  }
}

TEST(Placing, IsOverForThePlayerWhoseHandIsEmptyEvenWhenTheOthersIsNot) {
  EXPECT_THAT(
      turns({.fly_at = 0}, "0,2 a7,g7,b6 g1,d1,f2 w"),
      UnorderedElementsAre("a7-a4", "a7-d7", "g7-d7", "g7-g4", "g7-f6", "b6-b4", "b6-d6", "b6-c5"));
}

// ---- Mills and shots

TEST(Mills, EarnAShotWhenClosedByAPlacement) {
  EXPECT_THAT(turns_from({}, "9,9 a7,d7 b2,f4,g1 w", "g7"), ElementsAre("g7xg1", "g7xf4", "g7xb2"));
  EXPECT_EQ(after({}, "9,9 a7,d7 b2,f4,g1 w", {"g7xf4"}), "8,9 a7,d7,g7 b2,g1 b");
}

TEST(Mills, EarnAShotWhenClosedByAMove) {
  EXPECT_EQ(after({.fly_at = 0}, "0,0 a7,d7,g4,c3 b2,f4,g1,e3 w", {"g4-g7xf4"}),
            "0,0 a7,c3,d7,g7 b2,e3,g1 b");
}

TEST(Mills, LeftStandingEarnNothing) {
  EXPECT_THAT(turns({.fly_at = 0}, "0,0 a7,d7,g7,c3 b2,f4,g1,e3 w"), Contains("c3-c4"));
}

TEST(Mills, EarnAgainWhenOpenedAndClosedAgain) {
  EXPECT_EQ(after({.fly_at = 0}, "0,0 a7,d7,g7,c3 b2,f4,g1,e3 w",
                  {"g7-g4", "e3-e4", "g4-g7xb2", "e4-e5"}),
            "0,0 a7,c3,d7,g7 e5,f4,g1 w - - 1");
}

TEST(Mills, AreNoRowsThatTurnACorner) {
  EXPECT_THAT(turns({}, "9,9 d7,a4 b2,f4,g1 w"), Contains("a7"));
}

TEST(Mills, AreOnCornerDiagonalsOnlyWhereTheRulesSayMills) {
  const std::string position = "9,9 a7,b6 b2,f4,g1 w";
  EXPECT_THAT(turns_from({.diagonals = Diagonals::mills}, position, "c5"),
              ElementsAre("c5xg1", "c5xf4", "c5xb2"));
  EXPECT_THAT(turns_from({.diagonals = Diagonals::moves_only}, position, "c5"), ElementsAre("c5"));
  EXPECT_THAT(turns_from({.diagonals = Diagonals::none}, position, "c5"), ElementsAre("c5"));
}

TEST(Moving, FollowsCornerDiagonalsUnlessThereAreNone) {
  const std::string position = "0,0 a7,d1,g4,f4 b2,d2,g1,e3 w";
  EXPECT_THAT(turns({.diagonals = Diagonals::mills}, position), Contains("a7-b6"));
  EXPECT_THAT(turns({.diagonals = Diagonals::moves_only}, position), Contains("a7-b6"));
  EXPECT_THAT(turns({.diagonals = Diagonals::none}, position), Not(Contains("a7-b6")));
}

// A cow on d7 closes a7-d7-g7 and d7-d6-d5 at once.
TEST(TwoMillsAtOnce, EarnOneShotOrTwo) {
  const std::string position = "6,6 a7,g7,d6,d5 b2,f4,e3 w";
  EXPECT_THAT(turns_from({.shots = Shots::one}, position, "d7"),
              ElementsAre("d7xf4", "d7xb2", "d7xe3"));
  EXPECT_THAT(turns_from({.shots = Shots::per_mill}, position, "d7"),
              ElementsAre("d7xf4xb2", "d7xf4xe3", "d7xb2xf4", "d7xb2xe3", "d7xe3xf4", "d7xe3xb2"));
}

TEST(TwoMillsAtOnce, JudgeProtectionAfreshBeforeEveryShot) {
  const RuleSet rules{.shots = Shots::per_mill};
  // The only free cow goes first; then all that are left stand in a mill.
  EXPECT_THAT(turns_from(rules, "6,6 a7,g7,d6,d5 a1,d1,g1,f4 w", "d7"),
              UnorderedElementsAre("d7xf4xa1", "d7xf4xd1", "d7xf4xg1"));
  // All stand in a mill; after the first shot two are free.
  EXPECT_THAT(turns_from(rules, "6,6 a7,g7,d6,d5 a1,d1,g1 w", "d7xa1"),
              UnorderedElementsAre("d7xa1xd1", "d7xa1xg1"));
}

TEST(TwoMillsAtOnce, EndTheGameAsSoonAsTheOpponentIsBelowThree) {
  const RuleSet rules{.shots = Shots::per_mill};
  EXPECT_THAT(turns_from(rules, "6,0 a7,g7,d6,d5 b2,f4,e3 w", "d7"),
              UnorderedElementsAre("d7xb2", "d7xf4", "d7xe3"));
  EXPECT_EQ(verdict(rules, played(rules, "6,0 a7,g7,d6,d5 b2,f4,e3 w", {"d7xb2"})), Verdict::loss);
}

TEST(TwoMillsAtOnce, LoseTheShotsForWhichThereAreNoTargets) {
  EXPECT_THAT(turns_from({.shots = Shots::per_mill}, "6,6 a7,g7,d6,d5 b2 w", "d7"),
              ElementsAre("d7xb2"));
  // Under `strict` the mill is left alone once the free cow is shot.
  EXPECT_THAT(turns_from({.shots = Shots::per_mill, .targets = Targets::strict},
                         "6,6 a7,g7,d6,d5 a1,d1,g1,f4 w", "d7"),
              ElementsAre("d7xf4"));
}

TEST(ThreeMillsAtOnce, EarnThreeShots) {
  EXPECT_EQ(
      turns_from({.shots = Shots::per_mill}, "6,6 d7,g7,a4,a1,b6,c5 d2,f2,f4,e4,d1 w", "a7").size(),
      5u * 4 * 3);
}

TEST(Shots, AreNotEarnedWhileTheOpponentHasNoCowOnTheBoard) {
  for (Shooting shot : {Shooting::forced, Shooting::optional}) {
    EXPECT_THAT(turns_from({.shot = shot}, "6,6 a7,g7 - w", "d7"), ElementsAre("d7"));
  }
}

TEST(Shots, MayBeDeclinedOnlyWhereTheyAreOptional) {
  const std::string position = "6,6 a7,g7,d6,d5 b2,f4 w";
  EXPECT_THAT(turns_from({.shot = Shooting::forced}, position, "d7"),
              UnorderedElementsAre("d7xb2", "d7xf4"));
  EXPECT_THAT(turns_from({.shot = Shooting::optional}, position, "d7"),
              UnorderedElementsAre("d7x-", "d7xb2", "d7xf4"));
  EXPECT_THAT(turns_from({.shots = Shots::per_mill, .shot = Shooting::optional}, position, "d7"),
              UnorderedElementsAre("d7x-", "d7xb2x-", "d7xb2xf4", "d7xf4x-", "d7xf4xb2"));
  EXPECT_EQ(after({.shot = Shooting::optional}, position, {"d7x-"}), "5,6 a7,d5,d6,d7,g7 b2,f4 b");
}

TEST(Targets, InMillsAreProtectedOrNeverOrAlwaysFair) {
  const std::string some_free = "6,6 a7,g7 a1,d1,g1,f4 w";
  const std::string none_free = "6,6 a7,g7 a1,d1,g1 w";
  const RuleSet guarded{.targets = Targets::free_first};
  const RuleSet strict{.targets = Targets::strict};
  const RuleSet any{.targets = Targets::any};
  EXPECT_THAT(turns_from(guarded, some_free, "d7"), ElementsAre("d7xf4"));
  EXPECT_THAT(turns_from(strict, some_free, "d7"), ElementsAre("d7xf4"));
  EXPECT_THAT(turns_from(any, some_free, "d7"),
              UnorderedElementsAre("d7xa1", "d7xd1", "d7xg1", "d7xf4"));
  EXPECT_THAT(turns_from(guarded, none_free, "d7"),
              UnorderedElementsAre("d7xa1", "d7xd1", "d7xg1"));
  EXPECT_THAT(turns_from(strict, none_free, "d7"), ElementsAre("d7"));
  EXPECT_THAT(turns_from(any, none_free, "d7"), UnorderedElementsAre("d7xa1", "d7xd1", "d7xg1"));
}

TEST(Targets, AreNotProtectedByDiagonalsThatAreNoMills) {
  const std::string position = "6,6 a7,g7 c3,b2,a1,f4 w";
  EXPECT_THAT(turns_from({.diagonals = Diagonals::mills}, position, "d7"), ElementsAre("d7xf4"));
  EXPECT_EQ(turns_from({.diagonals = Diagonals::moves_only}, position, "d7").size(), 4u);
}

TEST(OwedShots, AreTheWholeTurn) {
  Position position = at("6,6 a7,d7,g7 b2,f4,e3 w");
  position.owed = 1;
  EXPECT_EQ(verdict({}, position), Verdict::open);
  EXPECT_THAT(turns({}, position), UnorderedElementsAre("xb2", "xf4", "xe3"));
  EXPECT_THAT(turns({.shot = Shooting::optional}, position),
              UnorderedElementsAre("x-", "xb2", "xf4", "xe3"));
  EXPECT_EQ(to_string(play({}, position, parse_turn("xf4").value())), "6,6 a7,d7,g7 b2,e3 b");
  position.owed = 2;
  EXPECT_THAT(turns({.shots = Shots::per_mill}, position),
              UnorderedElementsAre("xb2xf4", "xb2xe3", "xf4xb2", "xf4xe3", "xe3xb2", "xe3xf4"));
}

// ---- Flying

TEST(Flying, IsForPlayersWithFewCowsLeft) {
  const std::string three = "0,0 a7,g1,d2 b2,f4,e3,c5 w";
  const std::string four = "0,0 a7,g1,d2,e5 b2,f4,e3,c5 w";
  EXPECT_THAT(turns({.fly_at = 0}, three), Not(Contains("a7-g7")));
  EXPECT_THAT(turns({.fly_at = 3}, three), Contains("a7-g7"));
  EXPECT_EQ(turns({.fly_at = 3}, three).size(), 3u * 17);
  EXPECT_THAT(turns({.fly_at = 3}, four), Not(Contains("a7-g7")));
  EXPECT_THAT(turns({.fly_at = 4}, four), Contains("a7-g7"));
}

TEST(Flying, DependsOnThePlayersOwnCowsAlone) {
  EXPECT_THAT(turns({}, "0,0 a7,g1,d2,e5 b2,f4,c5 w"), Not(Contains("a7-g7")));
  EXPECT_THAT(turns({}, "0,0 a7,g1,d2 b2,f4,e3,c5 b"), Not(Contains("b2-g7")));
}

// ---- The end of the game

TEST(End, IsWhenAPlayerHasFewerThanThreeCows) {
  EXPECT_EQ(verdict_of({}, "0,0 a7,b6,c3 d7,d6 b"), Verdict::loss);
  EXPECT_EQ(verdict_of({}, "0,0 a7,b6,c3 d7,d6 w"), Verdict::win);
  EXPECT_THAT(turns({}, "0,0 a7,b6,c3 d7,d6 w"), IsEmpty());
  EXPECT_THAT(turns({}, "0,0 a7,b6,c3 d7,d6 b"), IsEmpty());
}

TEST(End, CountsCowsInHand) {
  EXPECT_EQ(verdict_of({}, "1,1 a7,b6 d7,d6 w"), Verdict::open);
  EXPECT_EQ(verdict_of({}, "1,0 a7,b6 d7,d6 w"), Verdict::win);
  EXPECT_EQ(verdict_of({}, "1,2 a7 d7,d6 w"), Verdict::loss);
}

// White's cows have no empty neighbour.
const std::string kBlocked = "0,0 a7,d7,a4,b6 g7,d6,b4,a1,c5 w";
const std::string kFull =
    "0,0 a7,b6,d6,f6,g4,f4,e4,g1,d1,b2,c3,d2 d7,g7,c5,d5,e5,a4,b4,c4,e3,d3,f2,a1 w";
// Only a7 is empty, and only White stands around it. White has just moved a7-b6, closed b6-d6-f6
// and broken a7-d7-g7 and a7-a4-a1, one of which any move to a7 would close again.
const std::string kBanned =
    "0,0 d7,g7,a4,a1,b6,d6,f6,g4,g1,d1,f4 f2,d2,b2,b4,c5,d5,e5,e4,e3,d3,c3,c4 w b6-a7 -";

TEST(End, OfABlockedPlayerIsALossOrADrawOrAPass) {
  EXPECT_EQ(verdict_of({.blocked = Blocked::loss}, kBlocked), Verdict::loss);
  EXPECT_EQ(verdict_of({.blocked = Blocked::draw}, kBlocked), Verdict::draw);
  EXPECT_EQ(verdict_of({.blocked = Blocked::pass}, kBlocked), Verdict::open);
  EXPECT_THAT(turns({.blocked = Blocked::loss}, kBlocked), IsEmpty());
  EXPECT_THAT(turns({.blocked = Blocked::draw}, kBlocked), IsEmpty());
  EXPECT_THAT(turns({.blocked = Blocked::pass}, kBlocked), ElementsAre("--"));
}

TEST(End, OfAPlayerWhoCanFlyIsNeverABlock) {
  EXPECT_EQ(verdict_of({.fly_at = 4}, kBlocked), Verdict::open);
}

TEST(Pass, GivesTheTurnToTheOpponentAndCountsAsAPly) {
  EXPECT_EQ(after({.blocked = Blocked::pass}, kBlocked, {"--"}),
            "0,0 a4,a7,b6,d7 a1,b4,c5,d6,g7 b - - 1");
}

TEST(Pass, IsOnlyForPlayersWhoCannotMove) {
  EXPECT_THAT(turns({.blocked = Blocked::pass}, "0,0 a7,d7,a4,b6 g7,d6,b4,a1,c5 b"),
              Not(Contains("--")));
}

TEST(Pass, OfBothPlayersIsADraw) {
  EXPECT_EQ(verdict_of({.blocked = Blocked::pass, .reform = Reform::mill}, kBanned), Verdict::draw);
  EXPECT_EQ(verdict_of({.blocked = Blocked::pass, .reform = Reform::none}, kBanned), Verdict::open);
}

TEST(FullBoard, IsALossForThePlayerToMoveOrADraw) {
  for (Blocked blocked : {Blocked::loss, Blocked::pass, Blocked::draw}) {
    EXPECT_EQ(verdict_of({.blocked = blocked, .full_board = FullBoard::loss}, kFull),
              Verdict::loss);
    EXPECT_EQ(verdict_of({.blocked = blocked, .full_board = FullBoard::draw}, kFull),
              Verdict::draw);
  }
}

// ---- The draw clock

const std::string kFourEach = "0,0 a7,g1,d2,e5 b2,f4,e3,c5 w";
const std::string kThreeToFour = "0,0 a7,g1,d2 b2,f4,e3,c5 w";
const std::string kThreeEach = "0,0 a7,g1,d2 b2,f4,e3 w";

TEST(DrawClock, CountsQuietPliesOfTheMovingPhase) {
  const RuleSet rules{.clock = {50, ClockTrigger::always}};
  EXPECT_EQ(played(rules, kFourEach, {"a7-d7"}).clock, 1);
  EXPECT_EQ(played(rules, kFourEach, {"a7-d7", "b2-a1"}).clock, 2);
  EXPECT_EQ(played(rules, kFourEach + " - - 41", {"a7-d7"}).clock, 42);
}

TEST(DrawClock, DoesNotCountPlacingNorThePlyThatEndsIt) {
  const RuleSet rules{.clock = {50, ClockTrigger::always}};
  EXPECT_EQ(played(rules, "1,2 a7,g1,d2 b2,f4,c5 w", {"d7"}).clock, 0);
  EXPECT_EQ(played(rules, "0,1 a7,g1,d2 b2,f4,c5 b", {"d7"}).clock, 0);
  EXPECT_EQ(played(rules, "0,1 a7,g1,d2,e3 b2,f4,c5 b", {"d7", "a7-a4"}).clock, 1);
}

TEST(DrawClock, IsSetToZeroByAShotButNotByADeclinedOne) {
  const RuleSet rules{.shot = Shooting::optional, .clock = {50, ClockTrigger::always}};
  const std::string position = "0,0 a7,d7,g4,c3 b2,f4,g1,e3 w - - 30";
  EXPECT_EQ(played(rules, position, {"g4-g7xf4"}).clock, 0);
  EXPECT_EQ(played(rules, position, {"g4-g7x-"}).clock, 31);
}

TEST(DrawClock, EndsTheGameAfterItsNumberOfPlies) {
  const RuleSet rules{.clock = {50, ClockTrigger::always}};
  EXPECT_EQ(verdict_of(rules, kFourEach + " - - 49"), Verdict::open);
  EXPECT_EQ(verdict(rules, played(rules, kFourEach + " - - 49", {"a7-d7"})), Verdict::draw);
  EXPECT_THAT(turns(rules, kFourEach + " - - 50"), IsEmpty());
  EXPECT_EQ(verdict_of({}, kFourEach + " - - 50"), Verdict::open);
}

TEST(DrawClock, LetsTheLastCountedPlyWin) {
  const RuleSet rules{.fly_at = 0, .clock = {50, ClockTrigger::always}};
  EXPECT_EQ(verdict_of(rules, kBlocked + " - - 50"), Verdict::loss);
  EXPECT_EQ(verdict_of(rules, "0,0 a7,b6,c3 d7,d6 b - - 50"), Verdict::loss);
}

TEST(DrawClock, RunsWhileEitherOrBothHaveThreeCows) {
  const RuleSet either{.clock = {20, ClockTrigger::either_at_three}};
  const RuleSet both{.clock = {20, ClockTrigger::both_at_three}};
  EXPECT_EQ(played(either, kFourEach + " - - 7", {"a7-d7"}).clock, 0);
  EXPECT_EQ(played(either, kThreeToFour + " - - 7", {"a7-d7"}).clock, 8);
  EXPECT_EQ(played(either, kThreeEach + " - - 7", {"a7-d7"}).clock, 8);
  EXPECT_EQ(played(both, kFourEach + " - - 7", {"a7-d7"}).clock, 0);
  EXPECT_EQ(played(both, kThreeToFour + " - - 7", {"a7-d7"}).clock, 0);
  EXPECT_EQ(played(both, kThreeEach + " - - 7", {"a7-d7"}).clock, 8);
  EXPECT_EQ(verdict_of(either, kFourEach + " - - 20"), Verdict::open);
  EXPECT_EQ(verdict_of(either, kThreeToFour + " - - 20"), Verdict::draw);
  EXPECT_EQ(verdict_of(both, kThreeToFour + " - - 20"), Verdict::open);
  EXPECT_EQ(verdict_of(both, kThreeEach + " - - 20"), Verdict::draw);
}

TEST(DrawClock, StopsCountingAtTheLargestNumberItCanHold) {
  EXPECT_EQ(played({}, kFourEach + " - - 65535", {"a7-d7"}).clock, 65535);
}

// ---- Re-forming bans

const std::vector<Reform> kBans = {Reform::cow_if_mill, Reform::mill, Reform::cow};

// White plays a7-b6, which breaks a7-d7-g7, closes b6-d6-f6, and shoots d1. The cow on a4 could
// close the broken mill, too; Black can close c3-d3-e3 and shoot.
const std::string kBeforeMillMove = "0,0 a7,d7,g7,d6,f6,a4 c3,d3,e4,g1,d1,b4 w";
const std::string kMillMove = "a7-b6xd1";

Tokens turns_after_mill_move(const RuleSet& rules, const std::string& reply) {
  return turns(rules, played(rules, kBeforeMillMove, {kMillMove, reply}));
}

TEST(Ban, IsLeftByAMoveThatBreaksOneMillAndClosesAnother) {
  for (Reform reform : kBans) {
    EXPECT_EQ(after({.reform = reform}, kBeforeMillMove, {kMillMove}),
              "0,0 a4,b6,d6,d7,f6,g7 b4,c3,d3,e4,g1 b b6-a7 -");
  }
  EXPECT_EQ(after({.reform = Reform::none}, kBeforeMillMove, {kMillMove}),
            "0,0 a4,b6,d6,d7,f6,g7 b4,c3,d3,e4,g1 b");
}

TEST(Ban, IsNotLeftByAMoveThatOnlyBreaksOrOnlyClosesAMill) {
  for (Reform reform : kBans) {
    const RuleSet rules{.reform = reform};
    EXPECT_EQ(after(rules, "0,0 a7,d7,g7,d6,a4 c3,d3,e4,g1 w", {"a7-b6"}),
              "0,0 a4,b6,d6,d7,g7 c3,d3,e4,g1 b - - 1");
    EXPECT_EQ(after(rules, "0,0 a7,d7,d6,f6,a4 c3,d3,e4,g1 w", {"a7-b6xg1"}),
              "0,0 a4,b6,d6,d7,f6 c3,d3,e4 b");
  }
}

TEST(Ban, KeepsThatCowOrAnyCowFromClosingTheBrokenMillAgain) {
  const auto next = [](Reform reform) {
    return turns_after_mill_move({.reform = reform}, "g1-d1");
  };
  EXPECT_THAT(next(Reform::none), IsSupersetOf({"b6-a7xb4", "a4-a7xb4"}));
  EXPECT_THAT(next(Reform::cow_if_mill), AllOf(Not(Contains("b6-a7xb4")), Contains("a4-a7xb4")));
  EXPECT_THAT(next(Reform::mill), AllOf(Not(Contains("b6-a7xb4")), Not(Contains("a4-a7xb4"))));
  EXPECT_THAT(next(Reform::cow), AllOf(Not(Contains("b6-a7xb4")), Contains("a4-a7xb4")));
  for (Reform reform : kBans) EXPECT_THAT(next(reform), Contains("d7-a7"));
}

TEST(Ban, KeepsTheCowFromGoingBackWithoutAMillOnlyUnderC) {
  const auto next = [](Reform reform) {
    return turns_after_mill_move({.reform = reform}, "e4-e3xg7");
  };
  EXPECT_THAT(next(Reform::cow_if_mill), IsSupersetOf({"b6-a7", "a4-a7"}));
  EXPECT_THAT(next(Reform::mill), IsSupersetOf({"b6-a7", "a4-a7"}));
  EXPECT_THAT(next(Reform::cow), AllOf(Not(Contains("b6-a7")), Contains("a4-a7")));
}

TEST(Ban, LapsesWhenTheCowIsShot) {
  for (Reform reform : kBans) {
    const RuleSet rules{.targets = Targets::any, .reform = reform};
    EXPECT_EQ(after(rules, kBeforeMillMove, {kMillMove, "e4-e3xb6"}),
              "0,0 a4,d6,d7,f6,g7 b4,c3,d3,e3,g1 w");
    EXPECT_THAT(turns_after_mill_move(rules, "e4-e3xb6"), Contains("a4-a7xb4"));
  }
}

TEST(Ban, OfACowThatIsNotThereIsIgnored) {
  for (Reform reform : kBans) {
    EXPECT_THAT(turns({.reform = reform}, "0,0 a4,d6,d7,f6,g7 b4,c3,d3,e3,g1 w b6-a7 -"),
                Contains("a4-a7xb4"));
  }
}

TEST(Ban, LastsForOneTurn) {
  for (Reform reform : kBans) {
    EXPECT_THAT(turns({.reform = reform}, played({.reform = reform}, kBeforeMillMove,
                                                 {kMillMove, "g1-d1", "f6-f4", "d1-g1"})),
                Contains("b6-a7xb4"));
  }
}

TEST(Ban, ForbidsOnlyTheMillThatWasBrokenAndNotAnotherThroughItsPoint) {
  // Y-X closes the broken mill a7-d7-g7; a4-a7 closes only a7-b6-c5, through Y, which is new.
  const std::string position = "0,0 a4,b6,c5,d7,f6,d6 b4,c3,d3,e3,g1 w b6-a7 -";
  EXPECT_THAT(turns({.reform = Reform::mill}, position), Contains("a4-a7xb4"));
}

TEST(Ban, HoldsForFlightsToo) {
  const std::string position = "0,0 b6,d6,f6 b4,c3,d3,e3 w b6-g1 -";
  EXPECT_THAT(turns({.reform = Reform::cow}, position),
              AllOf(Not(Contains("b6-g1")), Contains("d6-g1")));
}

TEST(Ban, CanLeaveItsPlayerBlocked) {
  EXPECT_EQ(verdict_of({.reform = Reform::mill}, kBanned), Verdict::loss);
  EXPECT_EQ(verdict_of({.reform = Reform::cow}, kBanned), Verdict::open);
}

}  // namespace
}  // namespace mtb
