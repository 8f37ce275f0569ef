// Tables against the oracle, state by state: three against three at every count of the clock,
// random states of larger sectors (and clocks beyond twenty plies) at the two counts between which
// the outcome changes, or at a random one where it does not. With MTB_EXHAUSTIVE set, all states up
// to four against four (but for four flying cows with bans), up to seven cows at every count, and
// five against three under two rule sets with bans; that takes an hour or two.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "format/table.h"
#include "game/notation.h"
#include "probe/tablebase.h"
#include "tests/oracle/convert.h"
#include "tests/oracle/oracle.h"
#include "tests/probe/solved_tables.h"
#include "tests/temporary_folder.h"

namespace oracle {
namespace {

struct Case {
  std::string name;
  naive::Rules words;
  Cows largest;
  /// Of larger sectors, about so many states are compared.
  std::uint32_t most_states = 50000;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

/// Where four cows fly bans are many, and each is a search.
constexpr std::uint32_t kFewStates = 5000;

bool exhaustive() { return std::getenv("MTB_EXHAUSTIVE") != nullptr; }

mtb::Sector sector_of(Cows cows) {
  return {static_cast<std::uint8_t>(cows.first), static_cast<std::uint8_t>(cows.second), 0, 0};
}

mtb::Outcome library_outcome(Outcome outcome) {
  return static_cast<mtb::Outcome>(2 - static_cast<int>(outcome));
}

std::optional<std::uint32_t> plies_if_decided(Distance distance) {
  if (distance == 0) return std::nullopt;
  return static_cast<std::uint32_t>(plies(distance));
}

std::string text(const mtb::Evaluation& value) {
  const auto number = [](const std::optional<std::uint32_t>& plies) {
    return plies ? std::to_string(*plies) : std::string("-");
  };
  return std::string(to_string(value.outcome)) + " dtw " + number(value.dtw) + " dtc " +
         number(value.dtc);
}

/// A table base made for one rule set, and the oracle for it.
class Tables : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    const auto rules = mtb::parse_rule_set(naive::toml(GetParam().words), GetParam().name);
    ASSERT_TRUE(rules) << rules.error().message;
    mtb::tests::solve(*rules, sector_of(GetParam().largest), folder_.path());
    if (HasFatalFailure()) return;
    auto base = mtb::Tablebase::open({&folder_.path(), 1}, {.expected = *rules});
    ASSERT_TRUE(base) << base.error().message;
    base_.emplace(std::move(*base));
    oracle_.emplace(rules_of(GetParam().words), GetParam().largest);
    has_clock_ = rules->clock.plies != 0;
    if (!has_clock_) return;
    const mtb::ClassCache classes;
    for (const Cows& cows : oracle_->solved()) {
      const auto path = folder_ / table_file_name(sector_of(cows), mtb::Metric::dtc);
      const auto table = mtb::TableFile::open(path, classes);
      ASSERT_TRUE(table) << table.error().message;
      bounds_[cows] = static_cast<int>(table->header().clock_bound);
    }
  }

  /// What the library is to answer, by the oracle's distances. The bound where the clock does not
  /// run is any that is large enough; distances beyond it are counted from it.
  mtb::Evaluation evaluation(Cows cows, Outcome outcome, Distance dtw, Distance dtc) const {
    mtb::Evaluation result;
    result.outcome = library_outcome(outcome);
    result.dtw = plies_if_decided(dtw);
    if (!has_clock_) return result;
    result.clock = mtb::ClockUse::applied;
    const int bound = oracle_->clock_bound(cows);
    if (dtc != 0 && plies(dtc) > bound) dtc -= (dtc > 0 ? 1 : -1) * (bound - bounds_.at(cows));
    result.dtc = plies_if_decided(dtc);
    return result;
  }

  /// The position turned and mirrored, or with the colours exchanged.
  mtb::Position random_image(const mtb::Position& position) {
    const mtb::Position image =
        transformed(position, mtb::Symmetry(static_cast<int>(random_() % 16)));
    return random_() % 2 == 0 ? image : colours_swapped(image);
  }

  /// The counts of the clock at which a state is compared.
  std::vector<int> counts(const Value& value, Cows cows) {
    const int last = oracle_->game().rules().clock;
    std::vector<int> all;
    const bool is_small =
        exhaustive() ? cows.first + cows.second <= 7 : cows == Cows{3, 3} && last <= 20;
    if (is_small) {
      for (int count = 0; count <= last; ++count) all.push_back(count);
    } else if (value.plies_needed != 0 && plies(value.plies_needed) > 0) {
      const int last_in_time = last - plies(value.plies_needed);
      all = {last_in_time, last_in_time + 1};
    } else {
      all = {static_cast<int>(random_() % static_cast<unsigned>(last + 1))};
    }
    return all;
  }

  void compare_counts();
  void compare_value(const mtb::Position& position, const Value& value, Cows cows);
  void compare_turns(const State& state, int count);
  Ban any_ban(PointSet own, PointSet other);
  void compare_all_states();
  void compare_turns_of_some_states();
  void compare_some_states_with_any_bans();

  mtb::tests::TemporaryFolder folder_;
  std::optional<Oracle> oracle_;
  std::optional<mtb::Tablebase> base_;
  bool has_clock_ = false;
  std::map<Cows, int> bounds_;
  std::mt19937 random_{1};
};

/// Of all placements without bans, symmetric ones counted each.
void Tables::compare_counts() {
  const mtb::ClassCache classes;
  for (const Cows& cows : oracle_->solved()) {
    std::array<std::uint64_t, mtb::kOutcomeCount> outcomes{};
    std::uint32_t longest_win = 0;
    std::uint32_t longest_loss = 0;
    for (std::uint32_t i = 0; i < oracle_->count(cows); ++i) {
      const State state = oracle_->state(cows, i);
      if (state.mover_ban || state.opponent_ban) continue;
      const Value value = oracle_->value(cows, i);
      outcomes[static_cast<std::size_t>(library_outcome(value.at_zero))] +=
          static_cast<std::uint64_t>(oracle_->images(cows, i));
      const auto distance = static_cast<std::uint32_t>(plies(value.dtw));
      if (value.dtw > 0) longest_win = std::max(longest_win, distance);
      if (value.dtw < 0) longest_loss = std::max(longest_loss, distance);
    }
    const mtb::Sector sector = sector_of(cows);
    const auto wdl =
        mtb::TableFile::open(folder_ / table_file_name(sector, mtb::Metric::wdl), classes);
    const auto dtw =
        mtb::TableFile::open(folder_ / table_file_name(sector, mtb::Metric::dtw), classes);
    ASSERT_TRUE(wdl && dtw) << to_string(sector);
    EXPECT_EQ(wdl->header().counts, outcomes) << to_string(sector);
    EXPECT_EQ(dtw->header().longest_win, longest_win) << to_string(sector);
    EXPECT_EQ(dtw->header().longest_loss, longest_loss) << to_string(sector);
  }
}

void Tables::compare_value(const mtb::Position& position, const Value& value, Cows cows) {
  const auto found = base_->probe(position);
  ASSERT_TRUE(found) << found.error().message << ": " << to_string(position);
  const mtb::Evaluation expected =
      evaluation(cows, oracle_->outcome(value, cows, position.clock), value.dtw, value.dtc);
  if (*found == expected) return;
  ADD_FAILURE() << to_string(position) << ": " << text(*found) << ", the oracle says "
                << text(expected);
}

void Tables::compare_all_states() {
  std::uint64_t states = 0;
  std::uint64_t compared = 0;
  for (const Cows& cows : oracle_->solved()) {
    const std::uint32_t one_in = exhaustive() && GetParam().most_states != kFewStates
                                     ? 1
                                     : oracle_->count(cows) / GetParam().most_states + 1;
    for (std::uint32_t i = 0; i < oracle_->count(cows) && !HasFailure(); ++i) {
      if (random_() % one_in != 0) continue;
      const Value value = oracle_->value(cows, i);
      const State state = oracle_->state(cows, i);
      ++states;
      if (exhaustive() || i % 4 == 0) {
        // At clock zero this is answered by the tables of outcomes.
        const auto found = base_->probe_outcome(position_of(state));
        ASSERT_TRUE(found) << found.error().message;
        ASSERT_EQ(*found, library_outcome(value.at_zero)) << to_string(position_of(state));
      }
      for (const int count : counts(value, cows)) {
        const mtb::Position position = position_of(state, count);
        compare_value(random_() % 4 == 0 ? random_image(position) : position, value, cows);
        ++compared;
      }
    }
  }
  std::cout << GetParam().name << ": " << states << " states, compared at " << compared
            << " clock counts\n";
}

void Tables::compare_turns(const State& state, int count) {
  const Cows cows{state.mover.size(), state.opponent.size()};
  const mtb::Position position = position_of(state, count);
  const std::string where = to_string(position);
  const auto ranked = base_->rank(position);
  ASSERT_TRUE(ranked) << ranked.error().message << ": " << where;
  const bool has_run_out = has_clock_ && oracle_->game().clock_runs(cows.first, cows.second) &&
                           count >= oracle_->game().rules().clock;
  std::vector<Turn> turns;
  oracle_->game().list_turns(state, turns);
  if (has_run_out || turns.empty()) {
    EXPECT_TRUE(ranked->empty()) << where;
    return;
  }
  std::map<std::string, std::string> expected;
  std::map<std::string, std::string> found;
  // Of the turns that keep the outcome the winner takes the nearest, the loser the farthest; by the
  // clock's distance where there is a clock.
  std::optional<Outcome> best;
  Distance nearest = 0;
  for (const Turn& turn : turns) {
    const auto [outcome, dtw, dtc] = oracle_->value_of(turn, cows, count);
    expected[text(turn)] = text(evaluation(cows, outcome, dtw, dtc));
    const Distance distance = has_clock_ ? dtc : dtw;
    if (!best || outcome > *best || (outcome == *best && distance < nearest)) {
      best = outcome;
      nearest = distance;
    }
  }
  for (const mtb::RankedTurn& turn : *ranked) {
    ASSERT_TRUE(turn.value) << turn.value.error().message << ": " << where;
    found[to_string(turn.turn)] = text(*turn.value);
  }
  ASSERT_EQ(found, expected) << where;
  const mtb::Evaluation& first = *ranked->front().value;
  const mtb::Evaluation wanted =
      evaluation(cows, *best, has_clock_ ? 0 : nearest, has_clock_ ? nearest : 0);
  ASSERT_EQ(first.outcome, wanted.outcome) << where;
  ASSERT_EQ(has_clock_ ? first.dtc : first.dtw, has_clock_ ? wanted.dtc : wanted.dtw) << where;
}

void Tables::compare_turns_of_some_states() {
  const auto& solved = oracle_->solved();
  int compared = 0;
  const int enough = static_cast<int>(GetParam().most_states / 20);
  for (; compared < enough && !HasFailure(); ++compared) {
    const Cows cows = solved[random_() % solved.size()];
    const auto index = static_cast<std::uint32_t>(random_() % oracle_->count(cows));
    const std::vector<int> possible = counts(oracle_->value(cows, index), cows);
    compare_turns(oracle_->state(cows, index), possible[random_() % possible.size()]);
  }
  std::cout << GetParam().name << ": all turns of " << compared << " states compared\n";
}

/// A ban of any cow onto any point that is not its own player's; if a few attempts find one, a ban
/// that leaves the player with fewer turns.
Ban Tables::any_ban(PointSet own, PointSet other) {
  std::vector<Turn> turns;
  oracle_->game().list_turns({own, other, {}, {}}, turns);
  const std::size_t without = turns.size();
  Ban ban;
  for (int attempt = 0; attempt < 20; ++attempt) {
    do {
      ban.from = mtb::point(static_cast<int>(random_() % mtb::kPointCount));
      ban.to = mtb::point(static_cast<int>(random_() % mtb::kPointCount));
    } while (!own.contains(ban.from) || own.contains(ban.to));
    oracle_->game().list_turns({own, other, ban, {}}, turns);
    if (turns.size() != without) break;
  }
  return ban;
}

/// Bans that no game leads to mean something all the same.
void Tables::compare_some_states_with_any_bans() {
  const auto& solved = oracle_->solved();
  int compared = 0;
  int changed = 0;
  for (; compared < 1500 && !HasFailure(); ++compared) {
    const Cows cows = solved[random_() % solved.size()];
    State state =
        oracle_->state(cows, static_cast<std::uint32_t>(random_() % oracle_->count(cows)));
    state.mover_ban.reset();
    state.opponent_ban.reset();
    const Value without = oracle_->value(state);
    if (random_() % 4 != 0) state.mover_ban = any_ban(state.mover, state.opponent);
    if (random_() % 4 != 0) state.opponent_ban = any_ban(state.opponent, state.mover);
    const Value value = oracle_->value(state);
    if (!(value == without)) ++changed;
    const std::vector<int> possible = counts(value, cows);
    const int count = possible[random_() % possible.size()];
    compare_value(random_image(position_of(state, count)), value, cows);
    if (compared % 15 == 0) compare_turns(state, count);
  }
  EXPECT_GT(changed, 0);
  std::cout << GetParam().name << ": " << compared << " states with any bans compared, " << changed
            << " of them worth something else without\n";
}

TEST_P(Tables, AgreeWithTheOracle) {
  compare_counts();
  compare_all_states();
  compare_turns_of_some_states();
  if (oracle_->game().rules().reform != Reform::free) compare_some_states_with_any_bans();
}

/// Rules that no text has, so that edges are hit: short clocks, everything else mixed.
std::vector<Case> artificial_cases() {
  const auto words = [](const char* diagonals, const char* shots, const char* shot,
                        const char* targets, const char* fly_at, const char* blocked,
                        const char* clock, const char* reform) {
    return naive::Rules{{"cows", "12"},       {"diagonals", diagonals}, {"shots", shots},
                        {"shot", shot},       {"targets", targets},     {"fly_at", fly_at},
                        {"blocked", blocked}, {"full_board", "loss"},   {"clock", clock},
                        {"reform", reform}};
  };
  return {
      {"ten plies that count at last and declined shots",
       words("none", "per_mill", "optional", "strict", "0", "pass", "10, both_at_three", "none"),
       {4, 3}},
      {"four plies and shots at any cow",
       words("mills", "one", "forced", "any", "0", "loss", "4, always", "none"),
       {3, 3}},
      {"seven plies and declined shots at any cow",
       words("moves_only", "one", "optional", "any", "0", "draw", "7, either_at_three", "none"),
       {3, 3}},
      {"seven plies and flying",
       words("none", "one", "forced", "strict", "4", "pass", "7, both_at_three", "none"),
       {3, 3}},
      {"four plies and ban A",
       words("mills", "one", "forced", "any", "4", "loss", "4, either_at_three", "cow_if_mill"),
       {3, 3}},
      {"seven plies and ban B",
       words("none", "per_mill", "forced", "protected", "0", "pass", "7, both_at_three", "mill"),
       {4, 3}},
      {"four plies and ban C",
       words("moves_only", "per_mill", "forced", "any", "0", "draw", "4, always", "cow"),
       {3, 3}},
      {"seven plies and ban B and shots at free cows",
       words("mills", "one", "forced", "strict", "0", "loss", "7, always", "mill"),
       {3, 3}},
      {"ten plies and ban C and declined shots",
       words("mills", "one", "optional", "strict", "0", "pass", "10, always", "cow"),
       {4, 3}},
      {"seven plies and ban C and declined shots and four flying cows",
       words("mills", "one", "optional", "protected", "4", "loss", "7, always", "cow"),
       {4, 3},
       kFewStates},
      {"ban B and free cows alone and four flying cows that pass",
       words("mills", "per_mill", "forced", "strict", "4", "pass", "off", "mill"),
       {4, 3},
       kFewStates},
      {"ban A and declined shots and four flying cows that draw",
       words("moves_only", "one", "optional", "strict", "4", "draw", "4, either_at_three",
             "cow_if_mill"),
       {4, 3},
       kFewStates},
  };
}

std::vector<Case> cases() {
  std::vector<Case> result;
  for (const auto& [name, words] : naive::named_rules()) {
    const bool flies = words.at("fly_at") != "0";
    result.push_back({name, words, flies ? Cows{3, 3} : Cows{4, 3}});
  }
  for (const Case& artificial : artificial_cases()) result.push_back(artificial);
  if (exhaustive()) {
    for (Case& c : result) c.largest = {4, 4};
    // The first pair in which cows that slide leave bans behind.
    for (const auto& [name, words] : naive::named_rules()) {
      if (words.at("reform") != "none") result.push_back({name + " to 5v3", words, {5, 3}});
    }
  }
  return result;
}

INSTANTIATE_TEST_SUITE_P(Oracle, Tables, ::testing::ValuesIn(cases()), [](const auto& info) {
  std::string name = info.param.name;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

}  // namespace
}  // namespace oracle
