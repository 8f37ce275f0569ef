// The oracle checked by itself: against the other naive statement of the rules, against published
// counts, and against positions that can be judged by hand.
#include "tests/oracle/oracle.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "tests/game/random.h"
#include "tests/oracle/convert.h"

namespace oracle {
namespace {

naive::Rules named(const std::string& name) {
  for (const auto& [known, words] : naive::named_rules()) {
    if (known == name) return words;
  }
  ADD_FAILURE() << "no rule set " << name;
  return {};
}

naive::Rules changed(naive::Rules words, const naive::Rules& changes) {
  for (const auto& [key, value] : changes) words[key] = value;
  return words;
}

/// White to move, from the form for people.
State state(const std::string& white, const std::string& black) {
  return state_of(mtb::parse_position("0,0 " + white + ' ' + black + " w").value());
}

State state_of_naive(const naive::State& state) {
  return state_of(mtb::parse_position(naive::text(state)).value());
}

/// Between the turns of the moving phase, with enough cows for one.
bool can_go_on(const naive::State& state) {
  return state.hand.at('w') + state.hand.at('b') == 0 && state.total('w') >= 3 &&
         state.total('b') >= 3 && state.cows.size() < 24;
}

TEST(OraclesTurns, AreThoseOfTheNaiveRulesFromAnyState) {
  mtb::Random random(1);
  std::map<std::string, int> seen;
  for (int i = 0; i < 700; ++i) {
    naive::Rules words = mtb::random_rules(random);
    words["clock"] = "off";
    const naive::Game expected(words);
    const Game game(rules_of(words));
    naive::State now = mtb::random_state(random, expected);
    for (int ply = 0; ply < 6 && can_go_on(now); ++ply) {
      const std::string where = naive::toml(words) + naive::text(now);
      std::map<std::string, State> wanted;
      std::vector<naive::State> nexts;
      std::vector<naive::State> nexts_with_ban;
      for (const auto& [token, next] : expected.turns(now)) {
        wanted[token] = state_of_naive(next);
        if (can_go_on(next)) nexts.push_back(next);
        if (can_go_on(next) && next.ban.count(now.side) != 0) nexts_with_ban.push_back(next);
        ++seen[std::to_string(std::count(token.begin(), token.end(), 'x')) + " shots or declined"];
        if (token == "--") ++seen["pass"];
        if (now.ban.count(now.side) != 0) ++seen["under a ban " + words["reform"]];
      }
      std::vector<Turn> turns;
      const Standing standing = game.list_turns(state_of_naive(now), turns);
      std::map<std::string, State> found;
      for (const Turn& turn : turns) {
        ASSERT_TRUE(found.emplace(text(turn), turn.next).second) << text(turn) << ' ' << where;
      }
      ASSERT_EQ(found, wanted) << where;
      const std::string result = expected.result(now);
      ASSERT_EQ(standing == Standing::open    ? "open"
                : standing == Standing::drawn ? "draw"
                                              : "loss",
                result)
          << where;
      ++seen[result];
      if (nexts.empty()) break;
      now = naive::State(random.pick(nexts_with_ban.empty() ? nexts : nexts_with_ban));
    }
  }
  for (const char* what :
       {"open", "draw", "loss", "pass", "1 shots or declined", "2 shots or declined",
        "under a ban cow_if_mill", "under a ban mill", "under a ban cow"}) {
    EXPECT_GT(seen[what], 0) << what;
  }
}

/// So that shots and bans are frequent.
State four_each_with_a_mill(mtb::Random& random) {
  const mtb::Board& board = mtb::board(mtb::Diagonals::mills);
  State state;
  while (state.mover.size() < 4 || state.opponent.size() < 4 ||
         state.mover.intersects(state.opponent)) {
    for (PointSet* cows : {&state.mover, &state.opponent}) {
      *cows = random.pick(board.lines).with(mtb::point(random.below(24)));
    }
  }
  return state;
}

TEST(OraclesStates, AreAllPlacementsAndEveryBanThatPlayLeavesBehind) {
  const Oracle oracle(rules_of(changed(named("gar"), {{"fly_at", "4"}, {"shot", "optional"}})),
                      {3, 3});
  std::uint64_t placements = 0;
  for (std::uint32_t i = 0; i < oracle.count({3, 3}); ++i) {
    const State state = oracle.state({3, 3}, i);
    if (!state.mover_ban && !state.opponent_ban) {
      placements += static_cast<std::uint64_t>(oracle.images({3, 3}, i));
    }
  }
  EXPECT_EQ(placements, 2024u * 1330u);

  mtb::Random random(2);
  std::vector<Turn> turns;
  int banned = 0;
  for (int game = 0; game < 20000; ++game) {
    State now = four_each_with_a_mill(random);
    for (int ply = 0; ply < 12; ++ply) {
      if (oracle.game().list_turns(now, turns) != Standing::open) break;
      std::vector<Turn> liked;
      for (const Turn& turn : turns) {
        if (turn.next.opponent_ban || turn.shot_count > 0) liked.push_back(turn);
      }
      now = random.pick(liked.empty() ? turns : liked).next;
      if (now.mover.size() < 3) break;
      if (now.mover.size() != 3 || now.opponent.size() != 3) continue;
      ASSERT_TRUE(oracle.holds(now)) << mtb::to_string(position_of(now));
      if (now.mover_ban || now.opponent_ban) ++banned;
    }
  }
  EXPECT_GT(banned, 10);
}

TEST(OraclesCounts, AreThePublishedOnes) {
  std::ifstream file(std::string(MTB_DATA_DIR) + "/reference/counts.csv");
  std::map<std::string, std::string> rows;  // by rules and sector
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::string rules, sector, counts;
    std::getline(fields, rules, ',');
    std::getline(fields, sector, ',');
    std::getline(fields, counts);
    rows[rules + ' ' + sector] = counts;
  }
  int compared = 0;
  const bool exhaustive = std::getenv("MTB_EXHAUSTIVE") != nullptr;
  for (const char* name : {"malom", "tournament"}) {
    const Oracle oracle(rules_of(named(name)), exhaustive ? Cows{4, 3} : Cows{3, 3});
    for (const Cows& cows : oracle.solved()) {
      std::uint64_t wins = 0, draws = 0, losses = 0;
      std::int32_t longest_win = 0, longest_loss = 0;
      for (std::uint32_t i = 0; i < oracle.count(cows); ++i) {
        const auto images = static_cast<std::uint64_t>(oracle.images(cows, i));
        const Distance dtw = oracle.value(cows, i).dtw;
        (dtw > 0 ? wins : dtw < 0 ? losses : draws) += images;
        if (dtw > 0) longest_win = std::max(longest_win, plies(dtw));
        if (dtw < 0) longest_loss = std::max(longest_loss, plies(dtw));
      }
      std::ostringstream counts;
      counts << wins << ',' << draws << ',' << losses << ',' << longest_win << ',' << longest_loss;
      const std::string row =
          std::string(name) + ' ' + std::to_string(cows.first) + 'v' + std::to_string(cows.second);
      EXPECT_EQ(rows[row], counts.str()) << row;
      ++compared;
    }
  }
  EXPECT_EQ(compared, exhaustive ? 6 : 2);
}

TEST(OraclesValues, FollowFromThoseOfTheStatesAfterThem) {
  const Oracle oracle(rules_of(changed(named("gar"), {{"fly_at", "4"}, {"clock", "10, always"}})),
                      {3, 3});
  mtb::Random random(3);
  for (int i = 0; i < 5000; ++i) {
    const auto index = static_cast<std::uint32_t>(random.below(1 << 30)) % oracle.count({3, 3});
    const State state = oracle.state({3, 3}, index);
    ASSERT_EQ(oracle.value_by_turns(state), oracle.value({3, 3}, index))
        << mtb::to_string(position_of(state));
  }
}

TEST(OraclesBans, NeverHelpThePlayerWhoCarriesThem) {
  const Oracle oracle(rules_of(changed(named("tournament"), {{"reform", "cow"}})), {3, 3});
  mtb::Random random(4);
  int hurt = 0;
  for (int i = 0; i < 8000; ++i) {
    const auto index = static_cast<std::uint32_t>(random.below(1 << 30)) % oracle.count({3, 3});
    const State without = oracle.state({3, 3}, index);
    const auto any_ban = [&](PointSet cows) {
      Ban ban;
      do {
        ban = {mtb::point(random.below(24)), mtb::point(random.below(24))};
      } while (!cows.contains(ban.from) || cows.contains(ban.to));
      return ban;
    };
    State bound = without;
    bound.mover_ban = any_ban(without.mover);
    State free = without;
    free.opponent_ban = any_ban(without.opponent);
    const Outcome outcome = oracle.value(without).at_zero;
    ASSERT_LE(oracle.value(bound).at_zero, outcome) << mtb::to_string(position_of(bound));
    ASSERT_GE(oracle.value(free).at_zero, outcome) << mtb::to_string(position_of(free));
    if (oracle.value(bound).at_zero != outcome || oracle.value(free).at_zero != outcome) ++hurt;
  }
  EXPECT_GT(hurt, 10);
}

/// Outcomes at the clock counts 0 to `clock`.
std::vector<Outcome> outcomes(const Oracle& oracle, const State& state, int clock) {
  std::vector<Outcome> result;
  const Cows cows{state.mover.size(), state.opponent.size()};
  for (int c = 0; c <= clock; ++c) result.push_back(oracle.outcome(oracle.value(state), cows, c));
  return result;
}

TEST(OraclesClock, LetsTheLastCountedPlyWin) {
  const Oracle oracle(
      rules_of(changed(named("nine-mens-morris"), {{"fly_at", "0"}, {"clock", "4, always"}})),
      {3, 3});
  using enum Outcome;
  // g4-g7 closes a mill and leaves Black two cows.
  const State shot = state("a7,d7,g4", "c3,d1,f2");
  EXPECT_EQ(outcomes(oracle, shot, 4), (std::vector{win, win, win, win, clock_win}));
  EXPECT_EQ(oracle.value(shot).dtc, 1);
  // b4-a4 leaves Black no turn.
  const State block = state("b4,d6,g4", "a7,d7,g7");
  EXPECT_EQ(outcomes(oracle, block, 4), (std::vector{win, win, win, win, clock_win}));
  // And without a turn, Black has lost although the clock has run out.
  const State blocked = state("a7,d7,g7", "a4,d6,g4");
  EXPECT_EQ(outcomes(oracle, blocked, 4), std::vector(5, loss));
  EXPECT_EQ(plies(oracle.value(blocked).dtc), 0);
}

}  // namespace
}  // namespace oracle
