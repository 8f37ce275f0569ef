// Random rule sets and positions for tests, the same in every run. They lean towards what is rare
// in plain random positions: mills, full boards, blocked players, clocks that are about to run out.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/game/naive.h"

namespace mtb {

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}

  /// 0..n-1.
  int below(int n) { return static_cast<int>(engine_() % static_cast<std::uint32_t>(n)); }
  bool one_in(int n) { return below(n) == 0; }

  template <class Container>
  const auto& pick(const Container& container) {
    return container[static_cast<std::size_t>(below(static_cast<int>(container.size())))];
  }

 private:
  std::mt19937 engine_;
};

inline naive::Rules random_rules(Random& random) {
  using Words = std::vector<std::string>;
  const std::string trigger = random.pick(Words{"always", "either_at_three", "both_at_three"});
  naive::Rules rules = {
      {"cows", random.one_in(2) ? "12" : std::to_string(3 + random.below(10))},
      {"diagonals", random.pick(Words{"mills", "moves_only", "none"})},
      {"shots", random.pick(Words{"one", "per_mill"})},
      {"shot", random.pick(Words{"forced", "optional"})},
      {"targets", random.pick(Words{"protected", "strict", "any"})},
      {"fly_at", random.pick(Words{"0", "3", "4"})},
      {"blocked", random.pick(Words{"loss", "pass", "draw"})},
      {"full_board", random.pick(Words{"loss", "draw"})},
      {"clock", random.one_in(3) ? "off" : std::to_string(1 + random.below(99)) + "," + trigger},
      {"reform", random.pick(Words{"none", "cow_if_mill", "mill", "cow"})},
  };
  if (rules["cows"] == "3") {
    // What else there is contradicts three cows.
    if (rules["fly_at"] == "4") rules["fly_at"] = "3";
    rules["reform"] = "none";
  }
  return rules;
}

inline naive::State random_state(Random& random, const naive::Game& game) {
  const int most = std::stoi(game.rules().at("cows"));
  const bool placing = random.one_in(2);
  const bool crowded = random.one_in(4);
  naive::State state;
  std::vector<std::string> free;
  for (const auto& [point, ignored] : game.board().neighbours) free.push_back(point);
  const auto put = [&](const std::string& point, char colour) {
    state.cows[point] = colour;
    free.erase(std::find(free.begin(), free.end(), point));
  };
  // Mills through one point, all or some of them, complete or but for that point.
  const auto put_together = [&](char colour, int room) {
    const std::string& hub = random.pick(free);
    std::set<std::string> wanted;
    for (const naive::Points& line : game.board().mills) {
      if (std::find(line.begin(), line.end(), hub) == line.end()) continue;
      wanted.insert(line.begin(), line.end());
      if (random.one_in(2)) break;
    }
    if (random.one_in(2)) wanted.erase(hub);
    const bool fits = std::all_of(wanted.begin(), wanted.end(),
                                  [&](const auto& p) { return state.cows.count(p) == 0; });
    if (!fits || static_cast<int>(wanted.size()) > room) return;
    for (const std::string& point : wanted) put(point, colour);
  };
  const bool both_few = random.one_in(6);
  for (char colour : {'w', 'b'}) {
    const int total = random.one_in(30)              ? random.below(3)
                      : both_few || random.one_in(6) ? 3 + random.below(std::min(2, most - 2))
                      : crowded                      ? most - random.below(std::min(3, most - 2))
                                                     : 3 + random.below(most - 2);
    state.hand[colour] = placing ? random.below(total + 1) : 0;
    while (state.total(colour) < total) {
      if (random.one_in(3)) put_together(colour, total - state.total(colour));
      if (state.total(colour) < total) put(std::string(random.pick(free)), colour);
    }
  }
  state.side = random.one_in(2) ? 'w' : 'b';
  const std::string clock = game.rules().at("clock");
  if (!placing && random.one_in(2)) {
    const int plies = clock == "off" ? 20 : std::stoi(clock);
    state.clock = std::max(0, plies - 3 + random.below(4));
  }
  return state;
}

}  // namespace mtb
