// Solved pairs in memory, and values worked out again from the rules in game/ and the values of all
// successors.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "game/turns.h"
#include "gen/pair_solver.h"
#include "gen/plan.h"
#include "tests/rules_named.h"

namespace mtb {

using tests::rules_named;

/// The value of a position between turns that follows from its legal turns and the values behind
/// them; `value` tells those, and that of a position in which the game is over. Rules without
/// clock.
template <class Value>
Code value_from_turns(const RuleSet& rules, const Position& position, const Value& value) {
  if (verdict(rules, position) != Verdict::open) return value(position);
  std::uint32_t quickest_win = UINT32_MAX;
  std::uint32_t slowest_loss = 0;
  bool holds_draw = false;
  for (const Turn& turn : legal_turns(rules, position)) {
    const Code after = value(play(rules, position, turn));
    switch (dtw_code::outcome(after)) {
      case Outcome::loss:
        quickest_win = std::min(quickest_win, dtw_code::plies(after) + 1);
        break;
      case Outcome::win:
        slowest_loss = std::max(slowest_loss, dtw_code::plies(after) + 1);
        break;
      default:
        holds_draw = true;
    }
  }
  if (quickest_win != UINT32_MAX) return dtw_code::decided(quickest_win);
  return holds_draw ? dtw_code::draw() : dtw_code::decided(slowest_loss);
}

/// All pairs up to a sector under one rule set.
class SolvedFamily {
 public:
  SolvedFamily(const RuleSet& rules, Sector to) : rules_(rules), unclocked_(rules) {
    unclocked_.clock = {};
    const auto pairs = pairs_needed_by(to, rules);
    if (!pairs) {
      ADD_FAILURE() << pairs.error().message;
      return;
    }
    for (Pair pair : *pairs) solve(pair);
  }

  const RuleSet& rules() const { return rules_; }
  const std::map<Sector, LowerSector>& sectors() const { return sectors_; }

  /// The value of a position between turns, without the clock.
  Code value(const Position& position) const {
    switch (verdict(unclocked_, position)) {
      case Verdict::loss:
        return dtw_code::decided(0);
      case Verdict::draw:
        return dtw_code::draw();
      case Verdict::win:
        ADD_FAILURE() << "a turn cannot end with too few cows of its own player";
        return dtw_code::draw();
      case Verdict::open:
        break;
    }
    const LowerSector& sector = sectors_.at(position.sector());
    return sector.code(sector.index().slot({position.mover(), position.opponent()}));
  }

  /// The value that follows from the legal turns and the values behind them.
  Code value_from_turns(const Position& position) const {
    return mtb::value_from_turns(unclocked_, position,
                                 [&](const Position& after) { return value(after); });
  }

  static Position position_of(const LowerSector& sector, Slot slot) {
    const auto placement = sector.index().placement(slot);
    Position position;
    position.cows = {placement.mover, placement.opponent};
    return position;
  }

 private:
  void solve(Pair pair) {
    const auto lower = lower_sectors(pair, rules_);
    const auto pointer = [&](Sector sector) {
      return sector == Sector{} ? nullptr : &sectors_.at(sector);
    };
    const auto solved = solve_pair(
        rules_, pair, {Metric::dtw},
        {pointer(lower[0]), pointer(lower[1]), pointer(lower[2]), pointer(lower[3])}, cache_);
    if (!solved) {
      ADD_FAILURE() << solved.error().message;
      return;
    }
    for (const bool key_to_move : {true, false}) {
      const Sector sector = key_to_move ? pair.key_to_move() : pair.other_to_move();
      const KeySide key = key_to_move ? KeySide::mover : KeySide::opponent;
      if (sectors_.contains(sector)) continue;
      sectors_.emplace(sector, LowerSector::from_codes(SectorIndex(sector, key, cache_),
                                                       (*solved)->largest_code(key_to_move),
                                                       [&](Slot first, std::span<Code> codes) {
                                                         (*solved)->fill_codes(key_to_move, first,
                                                                               codes);
                                                       }));
    }
  }

  RuleSet rules_;
  RuleSet unclocked_;
  ClassCache cache_;
  std::map<Sector, LowerSector> sectors_;
};

}  // namespace mtb
