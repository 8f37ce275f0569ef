// Tables against the oracle, state by state. With MTB_EXHAUSTIVE set, more and larger sectors.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <random>
#include <string>
#include <vector>

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
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

/// Without the clock.
mtb::Outcome plain_outcome(Distance dtw) {
  return dtw > 0 ? mtb::Outcome::win : dtw < 0 ? mtb::Outcome::loss : mtb::Outcome::draw;
}

std::optional<std::uint32_t> plies_if_decided(Distance distance) {
  if (distance == 0) return std::nullopt;
  return static_cast<std::uint32_t>(plies(distance));
}

class Tables : public ::testing::TestWithParam<Case> {
 protected:
  Tables() : oracle_(rules_of(GetParam().words), GetParam().largest), base_(solve_and_open()) {}

  mtb::Tablebase solve_and_open() {
    const auto rules = mtb::parse_rule_set(naive::toml(GetParam().words), GetParam().name);
    EXPECT_TRUE(rules) << rules.error().message;
    const auto [mover, opponent] = GetParam().largest;
    mtb::tests::solve(rules.value(),
                      {static_cast<std::uint8_t>(mover), static_cast<std::uint8_t>(opponent), 0, 0},
                      folder_.path());
    auto base = mtb::Tablebase::open({&folder_.path(), 1}, rules.value());
    EXPECT_TRUE(base) << base.error().message;
    return std::move(base.value());
  }

  /// The position with the cows of either side exchanged, turned and mirrored.
  mtb::Position random_image(const mtb::Position& position) {
    const mtb::Position image =
        transformed(position, mtb::Symmetry(static_cast<int>(random_() % 16)));
    return random_() % 2 == 0 ? image : colours_swapped(image);
  }

  mtb::tests::TemporaryFolder folder_;
  Oracle oracle_;
  mtb::Tablebase base_;
  std::mt19937 random_{1};
};

TEST_P(Tables, AgreeWithTheOracleInEveryState) {
  std::uint64_t compared = 0;
  int wrong = 0;
  for (const Cows& cows : oracle_.solved()) {
    for (std::uint32_t i = 0; i < oracle_.count(cows) && wrong < 5; ++i) {
      const Value expected = oracle_.value(cows, i);
      const mtb::Position position = position_of(oracle_.state(cows, i));
      for (const mtb::Position& asked : {position, random_image(position)}) {
        const auto found = base_.probe(asked);
        ASSERT_TRUE(found) << found.error().message;
        ++compared;
        if (found->outcome == plain_outcome(expected.dtw) &&
            found->dtw == plies_if_decided(expected.dtw)) {
          continue;
        }
        ++wrong;
        ADD_FAILURE() << to_string(asked) << ": " << to_string(found->outcome) << " in "
                      << found->dtw.value_or(0) << ", the oracle says "
                      << to_string(plain_outcome(expected.dtw)) << " in "
                      << (expected.dtw == 0 ? 0 : plies(expected.dtw));
      }
    }
  }
  std::cout << GetParam().name << ": " << compared << " positions compared\n";
}

std::vector<Case> cases() {
  const bool exhaustive = std::getenv("MTB_EXHAUSTIVE") != nullptr;
  std::vector<Case> result;
  for (const auto& [name, words] : naive::named_rules()) {
    if (words.at("reform") != "none" || words.at("shot") != "forced") continue;
    const bool flies = words.at("fly_at") != "0";
    result.push_back({name, words, exhaustive ? Cows{4, 4} : flies ? Cows{3, 3} : Cows{4, 3}});
  }
  return result;
}

INSTANTIATE_TEST_SUITE_P(Oracle, Tables, ::testing::ValuesIn(cases()), [](const auto& info) {
  std::string name;
  for (const char c : info.param.name) name += std::isalnum(c) != 0 ? c : '_';
  return name;
});

}  // namespace
}  // namespace oracle
