// Probing solved tables: what they say agrees with the rules of the game.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "game/notation.h"
#include "probe/tablebase.h"
#include "tests/probe/made_up_table.h"
#include "tests/probe/solved_tables.h"
#include "tests/temporary_folder.h"

namespace mtb {
namespace {

using ::testing::HasSubstr;

/// The tables of `malom` up to four against three.
class SolvedTables : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new tests::TemporaryFolder;
    tests::solve(tests::rules_named("malom"), {4, 3}, folder_->path());
  }
  static void TearDownTestSuite() {
    delete folder_;
    folder_ = nullptr;
  }

  SolvedTables() : base_(open(folder_->path())), game_(tests::naive_game("malom")) {}

  static Tablebase open(const std::filesystem::path& folder,
                        std::size_t cache_bytes = TablebaseOptions().cache_bytes) {
    auto base = Tablebase::open({&folder, 1}, {.cache_bytes = cache_bytes});
    EXPECT_TRUE(base) << base.error().message;
    return std::move(*base);
  }

  /// Random positions of the sectors there are, White to move.
  static std::vector<Position> positions(int count, unsigned seed) {
    const ClassCache classes;
    std::mt19937_64 random(seed);
    std::vector<Position> result;
    for (int i = 0; i < count; ++i) {
      constexpr std::array<Sector, 3> sectors = {Sector{3, 3}, Sector{3, 4}, Sector{4, 3}};
      const Sector sector = sectors[static_cast<std::size_t>(i) % 3];
      const SectorIndex index(sector, default_key(sector), classes);
      const Slot slot = random() % index.slots();
      result.push_back(transformed(tests::white_to_move(index, slot),
                                   Symmetry(static_cast<int>(random() % 16))));
    }
    return result;
  }

  static tests::TemporaryFolder* folder_;
  Tablebase base_;
  naive::Game game_;
};

tests::TemporaryFolder* SolvedTables::folder_ = nullptr;

/// Outcome and distance as one number, greater for what the mover likes better.
int merit(const Evaluation& value) {
  const int plies = static_cast<int>(value.dtw.value_or(0));
  switch (value.outcome) {
    case Outcome::win:
      return 100000 - plies;
    case Outcome::loss:
      return -100000 + plies;
    default:
      return 0;
  }
}

TEST_F(SolvedTables, RankEveryLegalTurnByWhatComesAfterIt) {
  for (const Position& asked : positions(90, 1)) {
    // Naively: the successor's value, the game's end included, turned round and one ply longer.
    std::map<std::string, int> expected;
    for (const auto& [token, next] : game_.turns(tests::naive_state(asked))) {
      if (game_.result(next) == "loss") {
        expected[token] = 100000 - 1;
      } else {
        const int after = merit(base_.probe(tests::position_of(next)).value());
        expected[token] = after == 0 ? 0 : after > 0 ? -after + 1 : -after - 1;
      }
    }
    const auto ranked = base_.rank(asked).value();
    std::map<std::string, int> found;
    for (const RankedTurn& turn : ranked) found[to_string(turn.turn)] = merit(turn.value.value());
    EXPECT_EQ(found, expected) << to_string(asked);

    const auto better = [](const RankedTurn& a, const RankedTurn& b) {
      return std::tuple(-merit(*a.value), a.turn) < std::tuple(-merit(*b.value), b.turn);
    };
    EXPECT_TRUE(std::is_sorted(ranked.begin(), ranked.end(), better)) << to_string(asked);
    const int best = ranked.empty() ? -100000 : merit(*ranked.front().value);
    EXPECT_EQ(best, merit(base_.probe(asked).value())) << to_string(asked);
  }
}

TEST_F(SolvedTables, GiveABestLineOfExactlyTheDistance) {
  int decided = 0;
  std::size_t longest = 0;
  for (const Position& asked : positions(150, 2)) {
    const Evaluation value = base_.probe(asked).value();
    const std::vector<Turn> line = base_.best_line(asked).value();
    naive::State state = tests::naive_state(asked);
    for (const Turn& turn : line) {
      const auto turns = game_.turns(state);
      const auto played = std::find_if(turns.begin(), turns.end(), [&](const auto& legal) {
        return legal.first == to_string(turn);
      });
      ASSERT_NE(played, turns.end()) << to_string(turn) << " in " << naive::text(state);
      state = played->second;
    }
    if (value.outcome == Outcome::draw) {
      EXPECT_EQ(line.size(), 1u);
      EXPECT_EQ(base_.probe(tests::position_of(state)).value().outcome, Outcome::draw);
      continue;
    }
    ++decided;
    longest = std::max(longest, line.size());
    EXPECT_EQ(line.size(), value.dtw) << to_string(asked);
    EXPECT_EQ(game_.result(state), "loss") << naive::text(state);
    EXPECT_EQ(state.side == 'b', value.outcome == Outcome::win) << to_string(asked);
  }
  EXPECT_GT(decided, 50);
  EXPECT_GT(longest, 5u);
}

TEST_F(SolvedTables, GiveEquivalentPositionsOneValue) {
  for (const Position& asked : positions(60, 3)) {
    const Evaluation value = base_.probe(asked).value();
    for (int i = 0; i < Symmetry::kCount; ++i) {
      const Position image = transformed(asked, Symmetry(i));
      EXPECT_EQ(base_.probe(image).value(), value) << to_string(image);
      EXPECT_EQ(base_.probe(colours_swapped(image)).value(), value) << to_string(image);
      EXPECT_EQ(base_.probe_outcome(image).value(), value.outcome) << to_string(image);
    }
  }
}

TEST_F(SolvedTables, ValueOwedShotsLikeTheBestWayToFinishTheTurn) {
  int cases = 0;
  for (const Position& asked : positions(400, 4)) {
    // By the move that closed the mill: the best of its turns with shots.
    std::map<std::pair<Point, Point>, int> best;
    const auto turns = base_.rank(asked).value();
    for (const RankedTurn& ranked : turns) {
      if (ranked.turn.shot_count != 1) continue;
      const auto [place, is_new] =
          best.try_emplace({ranked.turn.from, ranked.turn.to}, merit(*ranked.value));
      if (!is_new) place->second = std::max(place->second, merit(*ranked.value));
    }
    for (const auto& [move, expected] : best) {
      Position owing = asked;
      owing.cows[asked.side] = asked.mover().without(move.first).with(move.second);
      owing.owed = 1;
      EXPECT_EQ(merit(base_.probe(owing).value()), expected) << to_fen(owing);
      ++cases;
    }
  }
  EXPECT_GT(cases, 100);
}

TEST_F(SolvedTables, AnswerSeveralThreadsAsTheyAnswerOne) {
  const std::vector<Position> asked = positions(600, 5);
  std::vector<Evaluation> alone;
  for (const Position& position : asked) alone.push_back(base_.probe(position).value());

  // Room for two blocks only, so that the threads push each other's out all the time.
  const Tablebase shared = open(folder_->path(), 2 * kBlockSlots);
  std::vector<std::vector<Evaluation>> found(2);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < found.size(); ++t) {
    threads.emplace_back([&, t] {
      for (const Position& position : asked) {
        found[t].push_back(shared.probe(position).value_or(Evaluation{}));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(found[0], alone);
  EXPECT_EQ(found[1], alone);
}

TEST_F(SolvedTables, LackingASectorRankTurnsIntoItLast) {
  tests::TemporaryFolder part;
  for (const char* name : {"4v3.dtw", "3v4.dtw"}) {
    std::filesystem::copy(*folder_ / name, part / name);
  }
  const Tablebase base = open(part.path());
  // A position of three against four in which, as the whole set knows, it is best to shoot.
  const std::vector<Position> some = positions(300, 7);
  const auto found = std::find_if(some.begin(), some.end(), [&](const Position& candidate) {
    return candidate.sector() == Sector{3, 4} &&
           base_.rank(candidate).value().front().turn.shot_count == 1;
  });
  ASSERT_NE(found, some.end());
  const Position& asked = *found;
  EXPECT_EQ(base.probe(asked).value(), base_.probe(asked).value());
  const auto ranked = base.rank(asked).value();
  bool unknown = false;
  for (const RankedTurn& turn : ranked) {
    EXPECT_EQ(turn.value.has_value(), turn.turn.shot_count == 0) << to_string(turn.turn);
    if (turn.value) {
      EXPECT_FALSE(unknown) << "a known turn after an unknown one";
      continue;
    }
    unknown = true;
    EXPECT_EQ(turn.value.error().fault, Fault::not_found);
    EXPECT_THAT(turn.value.error().message, HasSubstr("3v3 "));
  }
  EXPECT_TRUE(unknown);

  // Without the best turn there is no best line.
  const auto line = base.best_line(asked);
  ASSERT_FALSE(line);
  EXPECT_EQ(line.error().fault, Fault::not_found);
  EXPECT_THAT(line.error().message, HasSubstr("3v3 "));
}

TEST_F(SolvedTables, WithoutDistancesStillRankByOutcome) {
  tests::TemporaryFolder part;
  for (const char* name : {"3v3.wdl", "4v3.wdl", "3v4.wdl"}) {
    std::filesystem::copy(*folder_ / name, part / name);
  }
  const Tablebase base = open(part.path());
  for (const Position& asked : positions(60, 6)) {
    const Outcome outcome = base_.probe(asked).value().outcome;
    const Evaluation value = base.probe(asked).value();
    EXPECT_EQ(value.outcome, outcome) << to_string(asked);
    EXPECT_FALSE(value.dtw) << to_string(asked);
    const auto ranked = base.rank(asked).value();
    ASSERT_FALSE(ranked.empty());
    EXPECT_EQ(ranked.front().value->outcome, outcome) << to_string(asked);
    EXPECT_EQ(base.best_line(asked).value().size(), 1u) << to_string(asked);
  }
}

}  // namespace
}  // namespace mtb
