#include "game/rule_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "tests/game/naive.h"
#include "tests/game/random.h"

namespace mtb {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string kTraditional = R"(cows = 12
diagonals = "mills"
shots = "per_mill"
shot = "forced"
targets = "protected"
fly_at = 3
blocked = "loss"
full_board = "loss"
clock = { plies = 50, trigger = "always" }
reform = "none"
)";

const RuleSet& named(std::string_view name) {
  for (const NamedRuleSet& n : named_rule_sets()) {
    if (n.name == name) return n.rules;
  }
  throw std::invalid_argument(std::string(name));
}

/// The traditional rules with one line, found by its number from 1, written differently.
std::string with_line(int number, const std::string& line) {
  std::istringstream lines(kTraditional);
  std::string result;
  int at = 0;
  for (std::string old; std::getline(lines, old);) result += (++at == number ? line : old) + '\n';
  return result;
}

std::string error_of(const std::string& toml) {
  const auto read = parse_rule_set(toml, "my.toml");
  if (read) return "(accepted)";
  EXPECT_EQ(read.error().fault, Fault::bad_input);
  EXPECT_THAT(read.error().message, Not(HasSubstr("\n")));
  return read.error().message;
}

TEST(NamedRuleSets, AreThoseOfTheRulesTextInItsOrder) {
  const auto expected = naive::named_rules();
  ASSERT_EQ(named_rule_sets().size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const NamedRuleSet& actual = named_rule_sets()[i];
    EXPECT_EQ(actual.name, expected[i].first);
    EXPECT_FALSE(actual.source.empty());
    const auto rules = parse_rule_set(naive::toml(expected[i].second), "table");
    ASSERT_TRUE(rules.has_value()) << rules.error().message;
    EXPECT_EQ(actual.rules, *rules) << actual.name;
  }
}

TEST(NamedRuleSets, AreWrittenOutInTheDataFolder) {
  for (const NamedRuleSet& n : named_rule_sets()) {
    const std::string path = std::string(MTB_DATA_DIR) + "/rules/" + std::string(n.name) + ".toml";
    std::ifstream file(path);
    ASSERT_TRUE(file.is_open()) << path;
    std::stringstream text;
    text << file.rdbuf();
    const auto rules = parse_rule_set(text.str(), path);
    ASSERT_TRUE(rules.has_value()) << rules.error().message;
    EXPECT_EQ(*rules, n.rules) << path;
  }
}

TEST(NamedRuleSets, HaveDifferentFingerprints) {
  std::set<std::uint64_t> fingerprints;
  for (const NamedRuleSet& n : named_rule_sets()) fingerprints.insert(fingerprint(n.rules));
  EXPECT_EQ(fingerprints.size(), named_rule_sets().size());
}

TEST(CanonicalText, HoldsTheParametersInFixedOrder) {
  EXPECT_EQ(canonical_text(named("traditional")), kTraditional);
  EXPECT_THAT(canonical_text(named("malom")), HasSubstr("clock = \"off\"\n"));
}

// Computed from the texts by the xxhash package for Python.
TEST(CanonicalText, HasItsXxh64AsFingerprint) {
  EXPECT_EQ(fingerprint(named("traditional")), 0xbc09d68b93edb723u);
  EXPECT_EQ(fingerprint(named("nine-mens-morris")), 0x391413db1fb23a02u);
}

TEST(CanonicalText, IsReadBackToTheSameRules) {
  Random random(1);
  std::set<std::string> texts;
  for (int i = 0; i < 2000; ++i) {
    const auto rules = parse_rule_set(naive::toml(random_rules(random)), "random").value();
    const std::string text = canonical_text(rules);
    const auto again = parse_rule_set(text, "canonical");
    ASSERT_TRUE(again.has_value()) << again.error().message;
    ASSERT_EQ(*again, rules) << text;
    texts.insert(text);
  }
  EXPECT_GT(texts.size(), 1500u);
}

TEST(CanonicalText, IsToldFromAllOthers) {
  EXPECT_EQ(read_canonical_text(kTraditional), named("traditional"));
  EXPECT_EQ(read_canonical_text(canonical_text(named("malom"))), named("malom"));
  Random random(2);
  for (int i = 0; i < 2000; ++i) {
    const auto rules = parse_rule_set(naive::toml(random_rules(random)), "random").value();
    ASSERT_EQ(read_canonical_text(canonical_text(rules)), rules);
  }
  // Any byte missing or another.
  for (std::size_t at = 0; at < kTraditional.size(); ++at) {
    std::string text = kTraditional;
    text.erase(at, 1);
    ASSERT_NE(read_canonical_text(text), named("traditional")) << text;
    for (const char c : {'\0', ' ', '\n', '"', '0', '9', 'z', '\xff'}) {
      text = kTraditional;
      if (text[at] == c) continue;
      text[at] = c;
      ASSERT_NE(read_canonical_text(text), named("traditional")) << text;
    }
  }
  for (const std::string& text :
       {std::string(), kTraditional + "\n", kTraditional + "cows = 12\n", " " + kTraditional,
        with_line(1, "cows = 13"), with_line(1, "cows = 012"), with_line(6, "fly_at = 5"),
        with_line(9, "clock = { plies = 0, trigger = \"always\" }"),
        with_line(9, "clock = { plies = 10001, trigger = \"always\" }"), with_line(9, "clock = {"),
        with_line(10, "reform = 'none'")}) {
    EXPECT_EQ(read_canonical_text(text), std::nullopt) << text;
  }
}

TEST(RulesFile, MayHaveAnyLettersInItsComments) {
  const auto rules =
      parse_rule_set("\xEF\xBB\xBF# r\xC3\xA8gles \xC5\xB0\n" + kTraditional, "my.toml");
  ASSERT_TRUE(rules.has_value()) << rules.error().message;
  EXPECT_EQ(*rules, named("traditional"));
}

TEST(RulesFile, MayBeCommentedAndInAnyOrder) {
  const auto rules = parse_rule_set(
      "# mine\nreform = 'none' # none\nclock = '50, always'\nfull_board = 'loss'\n"
      "blocked = 'loss'\nfly_at = 3\ntargets = 'protected'\nshot = 'forced'\n\n"
      "shots = 'per_mill'\ndiagonals = 'mills'\ncows = 12\n",
      "my.toml");
  ASSERT_TRUE(rules.has_value()) << rules.error().message;
  EXPECT_EQ(*rules, named("traditional"));
}

TEST(RulesFile, WritesAClockInThreeWays) {
  const std::map<std::string, Clock> clocks = {
      {"\"off\"", {0, ClockTrigger::always}},
      {"\"50, always\"", {50, ClockTrigger::always}},
      {"\"20,either_at_three\"", {20, ClockTrigger::either_at_three}},
      {"\" 1 , both_at_three \"", {1, ClockTrigger::both_at_three}},
      {"{ plies = 10000, trigger = \"both_at_three\" }", {10000, ClockTrigger::both_at_three}},
  };
  for (const auto& [text, clock] : clocks) {
    const auto rules = parse_rule_set(with_line(9, "clock = " + text), "my.toml");
    ASSERT_TRUE(rules.has_value()) << rules.error().message;
    EXPECT_EQ(rules->clock, clock) << text;
  }
}

TEST(RulesFile, NamesTheKeyThatIsMissing) {
  for (int line = 1; line <= 10; ++line) {
    std::istringstream lines(kTraditional);
    std::string key;
    for (int i = 0; i < line; ++i) std::getline(lines, key);
    key.erase(key.find(' '));
    EXPECT_THAT(error_of(with_line(line, "")), AllOf(HasSubstr("my.toml:"), HasSubstr(key),
                                                     HasSubstr("missing"), HasSubstr("write ")));
  }
}

TEST(RulesFile, NamesKeyAndLineOfAWrongValueAndWhatIsAllowed) {
  const auto expect_refused = [](int line, const std::string& text, const std::string& key,
                                 const std::string& allowed) {
    EXPECT_THAT(error_of(with_line(line, text)),
                AllOf(HasSubstr("my.toml:" + std::to_string(line) + ':'), HasSubstr(key),
                      HasSubstr(allowed)))
        << text;
  };
  for (const char* value : {"2", "13", "-1", "12.0", "\"12\"", "true", "[12]", "{a=1}", "268"}) {
    expect_refused(1, std::string("cows = ") + value, "'cows'", "3 to 12");
  }
  for (const char* value : {"1", "2", "5", "\"3\"", "259"}) {
    expect_refused(6, std::string("fly_at = ") + value, "'fly_at'", "0 (never), 3 or 4");
  }
  expect_refused(2, "diagonals = \"yes\"", "'diagonals'", "\"mills\", \"moves_only\", \"none\"");
  expect_refused(2, "diagonals = 1", "'diagonals'", "\"mills\", \"moves_only\", \"none\"");
  expect_refused(3, "shots = \"two\"", "'shots'", "\"one\", \"per_mill\"");
  expect_refused(4, "shot = \"\"", "'shot'", "\"forced\", \"optional\"");
  expect_refused(5, "targets = \"Any\"", "'targets'", "\"protected\", \"strict\", \"any\"");
  expect_refused(7, "blocked = \"win\"", "'blocked'", "\"loss\", \"pass\", \"draw\"");
  expect_refused(8, "full_board = \"pass\"", "'full_board'", "\"loss\", \"draw\"");
  expect_refused(10, "reform = false", "'reform'", "\"cow_if_mill\", \"mill\", \"cow\"");
}

TEST(RulesFile, RefusesAClockThatIsWrongOrContradictsItself) {
  for (const char* clock :
       {"50", "\"50\"", "\"always\"", "\"off, always\"", "\"0, always\"", "\"10001, always\"",
        "\"50, sometimes\"", "\"50, always, 2\"", "\"\"", "\",\"", "\"5 0, always\"", "true",
        "{ plies = 0, trigger = \"always\" }", "{ plies = 10001, trigger = \"always\" }",
        "{ plies = \"off\", trigger = \"always\" }", "{ plies = 50, trigger = \"no\" }",
        "{ plies = 50, trigger = 3 }", "{ plies = 50, trigger = \"always\", more = 1 }"}) {
    EXPECT_THAT(error_of(with_line(9, std::string("clock = ") + clock)),
                AllOf(HasSubstr("my.toml:9:"), HasSubstr("clock"), HasSubstr("write ")))
        << clock;
  }
  EXPECT_THAT(error_of(with_line(9, "clock = { trigger = \"always\" }")),
              AllOf(HasSubstr("'clock.plies' is missing"), HasSubstr("without a trigger")));
  EXPECT_THAT(error_of(with_line(9, "clock = { plies = 50 }")),
              HasSubstr("'clock.trigger' is missing"));
}

TEST(RulesFile, RefusesParametersThatContradictEachOther) {
  std::string three = with_line(1, "cows = 3");
  EXPECT_EQ(error_of(three), "(accepted)");
  const auto with = [&](const std::string& key, const std::string& line) {
    std::string text = three;
    const std::size_t begin = text.find(key);
    return text.replace(begin, text.find('\n', begin) - begin, line);
  };
  EXPECT_THAT(error_of(with("fly_at", "fly_at = 4")),
              AllOf(HasSubstr("my.toml:6:"), HasSubstr("'fly_at'"), HasSubstr("cows = 3")));
  EXPECT_THAT(error_of(with("reform", "reform = \"cow\"")),
              AllOf(HasSubstr("my.toml:10:"), HasSubstr("'reform'"), HasSubstr("cows = 3")));
  three = with_line(1, "cows = 4");
  EXPECT_EQ(error_of(with("fly_at", "fly_at = 4")), "(accepted)");
  EXPECT_EQ(error_of(with("reform", "reform = \"cow\"")), "(accepted)");
}

TEST(RulesFile, RefusesUnknownAndRepeatedKeys) {
  EXPECT_THAT(
      error_of(kTraditional + "flying = 3\n"),
      AllOf(HasSubstr("my.toml:11:"), HasSubstr("'flying' is unknown"), HasSubstr("\"fly_at\"")));
  EXPECT_THAT(error_of(kTraditional + "[more]\n"), HasSubstr("my.toml:11:"));
  EXPECT_THAT(error_of(kTraditional + "cows = 12\n"),
              AllOf(HasSubstr("my.toml:11:"), HasSubstr("cows")));
}

TEST(RulesFile, RefusesWhatIsNoToml) {
  for (const std::string text :
       {"cows", "cows = ", "= 3", "[", "\xff\xfe", "cows = 12 12", "clock = { plies = 1",
        "\"\n\" = 3", "M\xC5\xB0,", "[#", " [[ .", "[[[n", "[ \t", "cows = 12\n[\n"}) {
    EXPECT_THAT(error_of(text), HasSubstr("my.toml:")) << text;
  }
  EXPECT_THAT(error_of(""), HasSubstr("missing"));
}

TEST(RulesFile, SurvivesRandomDamage) {
  Random random(5);
  int accepted = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = kTraditional;
    for (int n = random.below(3); n >= 0; --n) {
      const auto at = static_cast<std::size_t>(random.below(static_cast<int>(text.size())));
      switch (random.below(3)) {
        case 0:
          text[at] = static_cast<char>(random.below(256));
          break;
        case 1:
          text.erase(at, static_cast<std::size_t>(random.below(20)));
          break;
        default:
          text.insert(at, text.substr(at / 2, static_cast<std::size_t>(random.below(20))));
      }
      if (text.empty()) break;
    }
    const auto rules = parse_rule_set(text, "my.toml");
    if (!rules) continue;
    ++accepted;
    const auto again = parse_rule_set(canonical_text(*rules), "again");
    ASSERT_TRUE(again.has_value()) << text;
    ASSERT_EQ(*again, *rules) << text;
  }
  EXPECT_GT(accepted, 0);
}

}  // namespace
}  // namespace mtb
