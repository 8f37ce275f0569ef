#include "engine/search.h"

#include <algorithm>
#include <utility>

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

/// How many positions are looked at between two looks at the clock: well below a millisecond.
constexpr std::uint64_t kNodesPerLook = 64;

class Search {
 public:
  Search(const RuleSet& rules, SearchLimits limits) : rules_(rules), limits_(std::move(limits)) {}

  std::uint64_t nodes() const { return nodes_; }
  /// Whether the limits have cut short what was searched last.
  bool is_cut() const { return cut_; }

  /// Exact scores, unless cut.
  std::vector<SearchedTurn> turns(const Position& position, int depth) {
    std::vector<SearchedTurn> result;
    may_be_cut_ = depth > 1;
    for (const Turn& turn : legal_turns(rules_, position)) {
      const Position after = play(rules_, position, turn);
      result.push_back({turn, -score(after, depth - 1, 1, -kEnd, kEnd)});
    }
    return result;
  }

 private:
  /// `plies` have been played since the root: nearer ends count more.
  int score(const Position& position, int depth, int plies, int alpha, int beta) {
    if (look_at_limits()) return 0;
    switch (verdict(rules_, position)) {
      case Verdict::win:
        return kEnd - plies;
      case Verdict::loss:
        return plies - kEnd;
      case Verdict::draw:
        return 0;
      case Verdict::open:
        break;
    }
    if (depth == 0) return count(rules_, position);
    std::vector<Turn> turns = legal_turns(rules_, position);
    // Shots first: they are most often what refutes a turn.
    std::ranges::stable_sort(turns, std::ranges::greater(), &Turn::shot_count);
    for (const Turn& turn : turns) {
      alpha = std::max(alpha,
                       -score(play(rules_, position, turn), depth - 1, plies + 1, -beta, -alpha));
      if (alpha >= beta || cut_) break;
    }
    return alpha;
  }

  /// Whether the search is to end here.
  bool look_at_limits() {
    ++nodes_;
    if (!may_be_cut_ || cut_) return cut_;
    cut_ = nodes_ > limits_.nodes || limits_.stop.stop_requested() ||
           (limits_.deadline && nodes_ % kNodesPerLook == 0 &&
            std::chrono::steady_clock::now() >= *limits_.deadline);
    return cut_;
  }

  const RuleSet& rules_;
  const SearchLimits limits_;
  std::uint64_t nodes_ = 0;
  bool may_be_cut_ = false;
  bool cut_ = false;
};

}  // namespace

std::vector<SearchedTurn> search_turns(const RuleSet& rules, const Position& position, int depth) {
  return Search(rules, {}).turns(position, depth);
}

DeepenedSearch deepen(const RuleSet& rules, const Position& position, int depth,
                      const SearchLimits& limits) {
  Search search(rules, limits);
  DeepenedSearch result;
  for (int plies = 1; plies <= limits.depth.value_or(depth); ++plies) {
    std::vector<SearchedTurn> turns = search.turns(position, plies);
    if (search.is_cut()) break;
    result.turns = std::move(turns);
    result.depth = plies;
  }
  result.nodes = search.nodes();
  return result;
}

}  // namespace mtb
