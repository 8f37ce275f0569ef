// Tables solved for a test, and the naive rules to hold them against.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "format/index.h"
#include "game/notation.h"
#include "game/position.h"
#include "gen/generate.h"
#include "gen/plan.h"
#include "tests/game/naive.h"

namespace mtb::tests {

/// Solves the pair of a sector and all that it needs into a folder.
inline void solve(const RuleSet& rules, Sector sector, const std::filesystem::path& folder) {
  GenerateOptions options;
  options.rules = rules;
  const auto pairs = pairs_needed_by(sector, rules);
  ASSERT_TRUE(pairs) << pairs.error().message;
  options.pairs = *pairs;
  options.folder = folder;
  options.generator = "a test";
  GenerateObserver nobody;
  const auto done = generate(options, nobody);
  ASSERT_TRUE(done) << done.error().message;
}

/// The naive rules of a named rule set, without its draw clock.
inline naive::Game naive_game(std::string_view name) {
  for (auto [known, rules] : naive::named_rules()) {
    if (known != name) continue;
    rules["clock"] = "off";
    return naive::Game(rules);
  }
  ADD_FAILURE() << "no rule set " << name;
  return naive::Game(naive::named_rules().front().second);
}

/// A position between turns, without cows in hand, for the naive rules.
inline naive::State naive_state(const Position& position) {
  naive::State state;
  state.side = position.side == Colour::white ? 'w' : 'b';
  for (const Point p : position.cows[Colour::white]) state.cows[to_string(p)] = 'w';
  for (const Point p : position.cows[Colour::black]) state.cows[to_string(p)] = 'b';
  return state;
}

/// The other way round; through the form for people.
inline Position position_of(const naive::State& state) {
  const auto position = parse_position(naive::text(state));
  EXPECT_TRUE(position) << position.error().message;
  return position.value_or(Position{});
}

/// The placement of a slot with White to move.
inline Position white_to_move(const SectorIndex& index, Slot slot) {
  const auto [mover, opponent] = index.placement(slot);
  Position position;
  position.cows = {mover, opponent};
  return position;
}

}  // namespace mtb::tests
