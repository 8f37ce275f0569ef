#include "engine/search.h"

#include <algorithm>

namespace mtb {
namespace {

/// A cow is worth more than any number of moves.
constexpr int kCow = 100;
constexpr int kEnd = 1'000'000;

/// Cows ahead, then freedom to move, from the view of the player to move.
int count(const RuleSet& rules, const Position& position) {
  const Colour me = position.side;
  const Colour them = other(me);
  const PointSet free = position.free_points();
  const auto freedom = [&](Colour colour) {
    return (board(rules.diagonals).reach(position.cows[colour]) & free).size();
  };
  return kCow * (position.total(me) - position.total(them)) + freedom(me) - freedom(them);
}

/// `plies` have been played since the root: nearer ends count more.
int search(const RuleSet& rules, const Position& position, int depth, int plies, int alpha,
           int beta) {
  switch (verdict(rules, position)) {
    case Verdict::win:
      return kEnd - plies;
    case Verdict::loss:
      return plies - kEnd;
    case Verdict::draw:
      return 0;
    case Verdict::open:
      break;
  }
  if (depth == 0) return count(rules, position);
  std::vector<Turn> turns = legal_turns(rules, position);
  // Shots first: they are most often what refutes a turn.
  std::ranges::stable_sort(turns, std::ranges::greater(), &Turn::shot_count);
  for (const Turn& turn : turns) {
    const int score =
        -search(rules, play(rules, position, turn), depth - 1, plies + 1, -beta, -alpha);
    alpha = std::max(alpha, score);
    if (alpha >= beta) break;
  }
  return alpha;
}

}  // namespace

std::vector<SearchedTurn> search_turns(const RuleSet& rules, const Position& position, int depth) {
  std::vector<SearchedTurn> result;
  for (const Turn& turn : legal_turns(rules, position)) {
    const Position after = play(rules, position, turn);
    result.push_back({turn, -search(rules, after, depth - 1, 1, -kEnd, kEnd)});
  }
  return result;
}

}  // namespace mtb
