#include "engine/player.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/search.h"

namespace mtb {
namespace {

/// The same numbers on every system, which the distributions of the standard library do not
/// promise.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}

  /// 0 .. count - 1. The bias is below 2^-40 for all counts of turns.
  std::size_t below(std::size_t count) { return random_() % count; }
  /// True with that chance.
  bool hits(double chance) { return static_cast<double>(random_() >> 11) * 0x1p-53 < chance; }

 private:
  std::mt19937_64 random_;
};

class RandomPlayer : public Player {
 public:
  RandomPlayer(const RuleSet& rules, std::uint64_t seed) : rules_(rules), dice_(seed) {}

  Result<Choice> choose(const Position& position, const SearchLimits&) override {
    const std::vector<Turn> turns = legal_turns(rules_, position);
    return Choice{turns[dice_.below(turns.size())], ""};
  }

 private:
  RuleSet rules_;
  Dice dice_;
};

/// One of the turns with the largest value, at random.
template <class Range, class Value>
const auto& any_best(const Range& turns, Dice& dice, Value value) {
  const auto best = std::invoke(value, *std::ranges::max_element(turns, {}, value));
  std::vector<std::size_t> equal;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    if (std::invoke(value, turns[i]) == best) equal.push_back(i);
  }
  return turns[equal[dice.below(equal.size())]];
}

class GreedyPlayer : public Player {
 public:
  GreedyPlayer(const RuleSet& rules, std::uint64_t seed) : rules_(rules), dice_(seed) {}

  Result<Choice> choose(const Position& position, const SearchLimits&) override {
    const std::vector<Turn> turns = legal_turns(rules_, position);
    return Choice{any_best(turns, dice_, &Turn::shot_count), ""};
  }

 private:
  RuleSet rules_;
  Dice dice_;
};

class SearchingPlayer : public Player {
 public:
  SearchingPlayer(const RuleSet& rules, int depth, std::uint64_t seed)
      : rules_(rules), depth_(depth), dice_(seed) {}

  Result<Choice> choose(const Position& position, const SearchLimits& limits) override {
    const DeepenedSearch search = deepen(rules_, position, depth_, limits);
    const SearchedTurn& best = any_best(search.turns, dice_, &SearchedTurn::score);
    return Choice{best.turn, "depth " + std::to_string(search.depth) + " score " +
                                 std::to_string(best.score) + " nodes " +
                                 std::to_string(search.nodes)};
  }

 private:
  RuleSet rules_;
  int depth_;
  Dice dice_;
};

class TablePlayer : public Player {
 public:
  TablePlayer(const Tablebase& base, double error_rate, int depth, std::uint64_t seed)
      : base_(base), error_rate_(error_rate), dice_(seed), beyond_(base.rules(), depth, ~seed) {}

  Result<Choice> choose(const Position& position, const SearchLimits& limits) override {
    const Result<std::vector<RankedTurn>> ranked = base_.rank(position);
    if (!ranked) return tl::unexpected(ranked.error());
    for (const RankedTurn& turn : *ranked) {
      if (turn.value) continue;
      const Error& error = turn.value.error();
      // Tables of other rules are no tables.
      if (error.fault != Fault::not_found && error.fault != Fault::not_supported &&
          error.fault != Fault::foreign) {
        return tl::unexpected(error);
      }
      Result<Choice> searched = beyond_.choose(position, limits);
      if (searched) {
        searched->remark = "beyond the tables (" + error.message + "): " + searched->remark;
      }
      return searched;
    }
    const Outcome best = ranked->front().value->outcome;
    std::vector<const RankedTurn*> errors;
    for (const RankedTurn& turn : *ranked) {
      if (turn.value->outcome != best) errors.push_back(&turn);
    }
    if (!errors.empty() && dice_.hits(error_rate_)) {
      const RankedTurn& error = *errors[dice_.below(errors.size())];
      return Choice{error.turn, std::string(to_string(error.value->outcome))};
    }
    return Choice{ranked->front().turn, std::string(to_string(best))};
  }

 private:
  const Tablebase& base_;
  double error_rate_;
  Dice dice_;
  SearchingPlayer beyond_;
};

}  // namespace

std::unique_ptr<Player> random_player(const RuleSet& rules, std::uint64_t seed) {
  return std::make_unique<RandomPlayer>(rules, seed);
}

std::unique_ptr<Player> greedy_player(const RuleSet& rules, std::uint64_t seed) {
  return std::make_unique<GreedyPlayer>(rules, seed);
}

std::unique_ptr<Player> searching_player(const RuleSet& rules, int depth, std::uint64_t seed) {
  return std::make_unique<SearchingPlayer>(rules, depth, seed);
}

std::unique_ptr<Player> table_player(const Tablebase& base, double error_rate, int depth,
                                     std::uint64_t seed) {
  return std::make_unique<TablePlayer>(base, error_rate, depth, seed);
}

}  // namespace mtb
