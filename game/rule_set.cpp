#include "game/rule_set.h"

#include <array>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace mtb {
namespace {

// Columns: cows, diagonals, shots, shot, targets, fly_at, blocked, full_board, clock, reform.
// clang-format off
constexpr std::array<NamedRuleSet, 9> kNamed = {{
    {"traditional",
     "the rules page Tsela ya go Tshameka Morabaraba, as played on its site and in its app",
     {12, Diagonals::mills, Shots::per_mill, Shooting::forced, Targets::free_first, 3,
      Blocked::loss, FullBoard::loss, {50, ClockTrigger::always}, Reform::none}},
    {"tournament",
     "the same page, for the over-the-board tournaments of morabaraba.co.za: no flying",
     {12, Diagonals::mills, Shots::per_mill, Shooting::forced, Targets::free_first, 0,
      Blocked::loss, FullBoard::loss, {20, ClockTrigger::always}, Reform::none}},
    {"koti",
     "the same page, Koti variant: any cow may be shot, a blocked player passes",
     {12, Diagonals::mills, Shots::per_mill, Shooting::forced, Targets::any, 3,
      Blocked::pass, FullBoard::draw, {50, ClockTrigger::always}, Reform::none}},
    {"just2easy",
     "the rules page of Just 2 Easy",
     {12, Diagonals::mills, Shots::one, Shooting::forced, Targets::free_first, 3,
      Blocked::loss, FullBoard::draw, {20, ClockTrigger::either_at_three}, Reform::none}},
    {"gar",
     "the Generally Accepted Rules of Mind Sports South Africa, as quoted by Just 2 Easy",
     {12, Diagonals::mills, Shots::one, Shooting::forced, Targets::free_first, 3,
      Blocked::loss, FullBoard::draw, {20, ClockTrigger::either_at_three}, Reform::cow_if_mill}},
    {"iggamecenter",
     "the rules page of iGGameCenter",
     {12, Diagonals::mills, Shots::one, Shooting::optional, Targets::free_first, 3,
      Blocked::loss, FullBoard::loss, {20, ClockTrigger::both_at_three}, Reform::cow}},
    {"malom",
     "the solution of the game published by Gevay and Danner",
     {12, Diagonals::mills, Shots::one, Shooting::forced, Targets::free_first, 3,
      Blocked::loss, FullBoard::draw, {0, ClockTrigger::always}, Reform::none}},
    {"sanmill",
     "the Morabaraba preset of the Sanmill program",
     {12, Diagonals::mills, Shots::per_mill, Shooting::forced, Targets::free_first, 3,
      Blocked::loss, FullBoard::loss, {100, ClockTrigger::always}, Reform::none}},
    {"nine-mens-morris",
     "the classic game of nine cows without diagonals, for checks against published results",
     {9, Diagonals::none, Shots::one, Shooting::forced, Targets::free_first, 3,
      Blocked::loss, FullBoard::loss, {0, ClockTrigger::always}, Reform::none}},
}};
// clang-format on

}  // namespace

std::span<const NamedRuleSet> named_rule_sets() { return kNamed; }

std::optional<RuleSet> rule_set_named(std::string_view name) {
  for (const NamedRuleSet& named : named_rule_sets()) {
    if (named.name == name) return named.rules;
  }
  return std::nullopt;
}

std::uint64_t fingerprint(const RuleSet& rules) {
  const std::string text = canonical_text(rules);
  return XXH64(text.data(), text.size(), 0);
}

}  // namespace mtb
