#include "engine/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "tests/rules_named.h"

namespace mtb {
namespace {

bool same(const std::vector<SearchedTurn>& a, const std::vector<SearchedTurn>& b) {
  return std::ranges::equal(a, b, [](const SearchedTurn& x, const SearchedTurn& y) {
    return x.turn == y.turn && x.score == y.score;
  });
}

/// However a search is cut short, what it gives are the scores of a whole depth.
TEST(ADeepenedSearch, GivesTheScoresOfTheLastDepthThatWasNotCut) {
  const RuleSet rules = tests::rules_named("traditional");
  const Position start = start_position(rules);
  int shallowest = 4;
  for (std::uint64_t nodes = 0; nodes <= 6000; nodes += 500) {
    SearchLimits limits;
    limits.nodes = nodes;
    const DeepenedSearch search = deepen(rules, start, 3, limits);
    ASSERT_GE(search.depth, 1);
    ASSERT_LE(search.depth, 3);
    EXPECT_TRUE(same(search.turns, search_turns(rules, start, search.depth))) << nodes;
    shallowest = std::min(shallowest, search.depth);
  }
  EXPECT_EQ(shallowest, 1);
  EXPECT_EQ(deepen(rules, start, 3, {}).depth, 3);
  EXPECT_EQ(deepen(rules, start, 3, {.depth = 2}).depth, 2);
}

TEST(ADeepenedSearch, LooksOnePlyAheadWhateverTheLimits) {
  const RuleSet rules = tests::rules_named("traditional");
  const Position start = start_position(rules);
  std::stop_source stopped;
  stopped.request_stop();
  for (const SearchLimits& limits :
       {SearchLimits{.nodes = 0}, SearchLimits{.deadline = std::chrono::steady_clock::now()},
        SearchLimits{.stop = stopped.get_token()}}) {
    const DeepenedSearch search = deepen(rules, start, 12, limits);
    EXPECT_LE(search.depth, 2);
    EXPECT_EQ(search.turns.size(), legal_turns(rules, start).size());
  }
}

}  // namespace
}  // namespace mtb
