// The rules of the library against a second, naive statement of them.
#include "tests/game/naive.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "game/notation.h"
#include "game/turns.h"
#include "tests/game/random.h"

namespace mtb {
namespace {

/// Both statements of one rule set.
struct Pair {
  naive::Game naive;
  RuleSet rules;

  explicit Pair(const naive::Rules& parameters)
      : naive(parameters), rules(parse_rule_set(naive::toml(parameters), "test").value()) {}
};

std::string verdict_text(Verdict v) {
  const std::map<Verdict, std::string> names = {{Verdict::open, "open"},
                                                {Verdict::win, "win"},
                                                {Verdict::draw, "draw"},
                                                {Verdict::loss, "loss"}};
  return names.at(v);
}

/// What the comparisons have come across, so that none of it is missing without anybody noticing.
using Seen = std::map<std::string, int>;

void note(const Pair& pair, const naive::State& state, const std::string& token, Seen& seen) {
  ++seen[token.find('-') == 2 ? "move" : "other"];
  if (token == "--") ++seen["pass"];
  if (token.ends_with("x-")) ++seen["declined"];
  const auto shots = std::count(token.begin(), token.end(), 'x');
  ++seen[std::to_string(shots) + " shots"];
  if (state.ban.count(state.side) != 0)
    ++seen["turn under a ban " + pair.naive.rules().at("reform")];
}

/// Compares standing, turns and what they lead to; both positions must be the same one.
void expect_agreement(const Pair& pair, const naive::State& state, const Position& position,
                      Seen& seen) {
  const std::string where = naive::toml(pair.naive.rules()) + naive::text(state);
  ASSERT_EQ(to_string(position), naive::text(state)) << where;
  const std::string result = pair.naive.result(state);
  ASSERT_EQ(verdict_text(verdict(pair.rules, position)), result) << where;
  ++seen[result];

  std::map<std::string, std::string> expected;
  for (const auto& [token, next] : pair.naive.turns(state)) {
    expected[token] = naive::text(next);
    note(pair, state, token, seen);
  }
  std::map<std::string, std::string> actual;
  for (const Turn& turn : legal_turns(pair.rules, position)) {
    const bool is_new =
        actual.emplace(to_string(turn), to_string(play(pair.rules, position, turn))).second;
    ASSERT_TRUE(is_new) << to_string(turn) << " is listed twice: " << where;
  }
  ASSERT_EQ(actual, expected) << where;
}

/// Random positions, each played on for some turns with a liking for mills.
void expect_agreement_on_random_games(const Pair& pair, Random& random, int games, Seen& seen) {
  for (int game = 0; game < games; ++game) {
    naive::State state = random_state(random, pair.naive);
    Position position = parse_position(naive::text(state)).value();
    for (int ply = 0; ply < 5; ++ply) {
      expect_agreement(pair, state, position, seen);
      if (testing::Test::HasFatalFailure()) return;
      const auto turns = pair.naive.turns(state);
      if (turns.empty()) break;
      std::vector<std::string> tokens;
      for (const auto& turn : turns) {
        // Turns that leave a ban behind come first, then turns with shots, then all.
        if (turn.second.ban.count(state.side) != 0) tokens.push_back(turn.first);
      }
      if (tokens.empty() || random.one_in(4)) {
        for (const auto& turn : turns) {
          if (turn.first.find('x') != std::string::npos) tokens.push_back(turn.first);
        }
      }
      if (tokens.empty() || random.one_in(4)) {
        for (const auto& turn : turns) tokens.push_back(turn.first);
      }
      const std::string token = random.pick(tokens);
      for (const auto& turn : turns) {
        if (turn.first == token) state = naive::State(turn.second);
      }
      position = play(pair.rules, position, parse_turn(token).value());
    }
  }
}

TEST(NaiveBoard, HasTheNeighboursAndTheMillsOfTheLibrarysBoard) {
  for (const std::string diagonals : {"mills", "moves_only", "none"}) {
    const naive::Board expected(diagonals);
    const Board& actual = board(diagonals == "mills"  ? Diagonals::mills
                                : diagonals == "none" ? Diagonals::none
                                                      : Diagonals::moves_only);
    std::map<std::string, std::set<std::string>> neighbours;
    for (Point p : PointSet::all()) {
      for (Point q : actual.neighbours[static_cast<std::size_t>(index(p))]) {
        neighbours[to_string(p)].insert(to_string(q));
      }
    }
    EXPECT_EQ(neighbours, expected.neighbours) << diagonals;

    std::set<std::set<std::string>> mills;
    for (int i = 0; i < actual.line_count; ++i) {
      std::set<std::string> mill;
      for (Point p : actual.lines[static_cast<std::size_t>(i)]) mill.insert(to_string(p));
      mills.insert(mill);
    }
    std::set<std::set<std::string>> expected_mills;
    for (const auto& mill : expected.mills) expected_mills.emplace(mill.begin(), mill.end());
    EXPECT_EQ(mills, expected_mills) << diagonals;
  }
}

TEST(NaiveRules, AgreeOnRandomGamesUnderEveryNamedRuleSet) {
  Random random(1);
  for (const auto& [name, parameters] : naive::named_rules()) {
    SCOPED_TRACE(name);
    Seen seen;
    expect_agreement_on_random_games(Pair(parameters), random, 400, seen);
    EXPECT_GT(seen["move"], 0);
    EXPECT_GT(seen["1 shots"], 0);
    EXPECT_GT(seen["win"], 0);
    EXPECT_GT(seen["loss"], 0);
    const auto expect_if = [&](bool condition, const std::string& what) {
      EXPECT_TRUE(!condition || seen[what] > 0) << what;
    };
    const std::string reform = parameters.at("reform");
    expect_if(parameters.at("shots") == "per_mill", "2 shots");
    expect_if(parameters.at("shot") == "optional", "declined");
    expect_if(parameters.at("blocked") == "pass", "pass");
    expect_if(parameters.at("clock") != "off", "draw");
    expect_if(reform != "none", "turn under a ban " + reform);
  }
}

TEST(NaiveRules, AgreeOnRandomGamesUnderRandomRuleSets) {
  Random random(2);
  Seen seen;
  for (int i = 0; i < 150 && !HasFatalFailure(); ++i) {
    expect_agreement_on_random_games(Pair(random_rules(random)), random, 25, seen);
  }
  for (const char* what :
       {"open", "win", "draw", "loss", "move", "pass", "declined", "0 shots", "1 shots", "2 shots",
        "turn under a ban cow_if_mill", "turn under a ban mill", "turn under a ban cow"}) {
    EXPECT_GT(seen[what], 10) << what;
  }
}

TEST(NaiveRules, AgreeOnRarePositionsUnderRandomRuleSets) {
  const std::vector<naive::State> states = {
      // A cow on a7 closes three mills; the opponent has many cows, a mill among them, few, or
      // none.
      naive::state(6, 6, "d7,g7,a4,a1,b6,c5", "d2,f2,f4,e4,d1", 'w'),
      naive::state(6, 6, "d7,g7,a4,a1,b6,c5", "e5,e4,e3,f4,g4", 'w'),
      naive::state(6, 6, "d7,g7,a4,a1,b6,c5", "e4,g4", 'w'),
      naive::state(6, 1, "d7,g7,a4,a1,b6,c5", "e5,e4,e3", 'w'),
      naive::state(6, 6, "d7,g7,a4,a1,b6,c5", "", 'w'),
      // The last cow of all goes on the last point but one, or on the last.
      naive::state(0, 1, "a7,b6,d6,f6,g4,f4,e4,g1,d1,b2,c3", "d7,g7,c5,d5,e5,a4,b4,c4,e3,d3,f2",
                   'b'),
      naive::state(0, 1, "a7,b6,d6,f6,g4,f4,e4,g1,d1,b2,c3,d2", "d7,g7,c5,d5,e5,a4,b4,c4,e3,d3,f2",
                   'b'),
      // A full board.
      naive::state(0, 0, "a7,b6,d6,f6,g4,f4,e4,g1,d1,b2,c3,d2",
                   "d7,g7,c5,d5,e5,a4,b4,c4,e3,d3,f2,a1", 'w'),
      // White is enclosed in a corner; then Black is, too.
      naive::state(0, 0, "a7,d7,a4,b6", "g7,d6,b4,a1,c5", 'w'),
      naive::state(0, 0, "a7,d7,a4,b6,c5,d5,c4,g4,e3", "g7,d6,b4,a1,e5,c3", 'w'),
      naive::state(0, 0, "a7,d7,a4,b6", "g7,d6,b4,a1,c5", 'b'),
      // One player has placed all cows, the other has not.
      naive::state(0, 3, "a7,d7,a4", "g7,d6,b4", 'w'),
      naive::state(0, 3, "a7,d7,a4", "g7,d6,b4", 'b'),
      naive::state(0, 3, "a7,d7,a4,b6", "g7,d6,b4,a1,c5", 'w'),
  };
  Random random(4);
  Seen seen;
  for (int i = 0; i < 200 && !HasFatalFailure(); ++i) {
    const Pair pair(random_rules(random));
    for (const naive::State& state : states) {
      expect_agreement(pair, state, parse_position(naive::text(state)).value(), seen);
    }
  }
  for (const char* what : {"3 shots", "2 shots", "pass", "draw", "loss"}) {
    EXPECT_GT(seen[what], 10) << what;
  }
}

TEST(NaiveRules, AgreeOnTheNumberOfTurnSequencesFromTheStart) {
  for (const auto& [name, parameters] : naive::named_rules()) {
    if (name != "malom" && name != "nine-mens-morris") continue;
    const Pair pair(parameters);
    const Position start = start_position(pair.rules);
    // Nobody has three cows on the board yet: every turn is a choice of one of the free points.
    const std::uint64_t choices[] = {1, 24, 24 * 23, 24 * 23 * 22, 24 * 23 * 22 * 21};
    for (int depth = 0; depth <= 4; ++depth) {
      EXPECT_EQ(perft(pair.rules, start, depth), choices[depth]) << name << ' ' << depth;
      EXPECT_EQ(pair.naive.perft(pair.naive.start(), depth), choices[depth])
          << name << ' ' << depth;
    }
  }
}

TEST(NaiveRules, AgreeOnTheNumberOfTurnSequencesFromTheMiddleOfTheGame) {
  Random random(3);
  for (const auto& [name, parameters] : naive::named_rules()) {
    const Pair pair(parameters);
    for (int i = 0; i < 12; ++i) {
      const naive::State state = random_state(random, pair.naive);
      const Position position = parse_position(naive::text(state)).value();
      for (int depth = 1; depth <= 2; ++depth) {
        EXPECT_EQ(perft(pair.rules, position, depth), pair.naive.perft(state, depth))
            << name << ' ' << naive::text(state) << ' ' << depth;
      }
    }
  }
}

}  // namespace
}  // namespace mtb
