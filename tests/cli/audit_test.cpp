// `mtb audit`, `engine` and `puzzles`, with real child processes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <tuple>

#include "audit/audit.h"
#include "engine/player.h"
#include "game/notation.h"
#include "game/record.h"
#include "game/why_illegal.h"
#include "tests/cli/program.h"
#include "tests/rules_named.h"
#include "tests/shipped_tables.h"

namespace mtb {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using tests::Ending;
using tests::mtb;
using tests::rules_named;
using tests::shipped_tables;
using tests::TemporaryFolder;

/// The command of our own engine.
std::string engine(const std::string& arguments) {
  return std::string(MTB_PROGRAM) + " engine --rules malom --tables " +
         shipped_tables("malom").string() + ' ' + arguments;
}

/// An engine that speaks the protocol but does `at_go` when it is asked for a turn.
std::string script(const std::string& at_go) {
  return "while read line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; "
         "go*) " +
         at_go + ";; esac; done";
}

std::vector<std::string> with(std::vector<std::string> first,
                              const std::vector<std::string>& more) {
  first.insert(first.end(), more.begin(), more.end());
  return first;
}

json audit(const std::string& command, const std::vector<std::string>& more = {}) {
  const Ending run = mtb(with({"audit", "--rules", "malom", "--tables", shipped_tables("malom"),
                               "--engine", command, "--json"},
                              more));
  EXPECT_EQ(run.status, 0) << run.err;
  return json::parse(run.out, nullptr, false);
}

/// The row of all positions.
json all_of(const json& rows) { return rows.is_array() && !rows.empty() ? rows.back() : json(); }

TEST(Audit, OfThePerfectEngineFindsNoError) {
  for (const char* rules : {"malom", "tournament", "traditional"}) {
    const std::string command = std::string(MTB_PROGRAM) + " engine --rules " + rules +
                                " --tables " + shipped_tables(rules).string();
    const Ending run = mtb({"audit", "--rules", rules, "--tables", shipped_tables(rules),
                            "--engine", command, "--positions", "60", "--json"});
    ASSERT_EQ(run.status, 0) << run.err;
    const json all = all_of(json::parse(run.out));
    EXPECT_EQ(all["asked"], 60) << rules;
    EXPECT_EQ(all["kept"], 60) << rules;
    EXPECT_EQ(all["plies_lost"], 0) << rules;
  }
}

TEST(Audit, MeasuresTheRateOfErrorsThatAnEngineIsSetTo) {
  for (const double skill : {95.0, 80.0, 50.0}) {
    int inside = 0;
    for (const char* seed : {"1", "2", "3"}) {
      const json all = all_of(
          audit(engine("--skill " + std::to_string(static_cast<int>(skill)) + " --seed " + seed),
                {"--positions", "200", "--seed", seed}));
      ASSERT_EQ(all["asked"], 200);
      inside += all["low"] <= skill / 100 && skill / 100 <= all["high"] ? 1 : 0;
    }
    // The seeds are fixed, so this is no matter of luck; of three intervals at 95 % one may miss.
    EXPECT_GE(inside, 2) << skill;
  }
}

TEST(Audit, RanksTheReferencePlayersAsTheyPlay) {
  const auto accuracy = [&](const std::string& player) {
    return all_of(audit(engine("--player " + player), {"--positions", "150"}))["accuracy"]
        .get<double>();
  };
  const double random = accuracy("random");
  const double search = accuracy("search --depth 3");
  const double tables = accuracy("tables");
  EXPECT_LT(random, search);
  EXPECT_LT(search, tables);
  EXPECT_EQ(tables, 1);
}

TEST(Audit, CountsAnswersThatAreLateMissingOrIllegalAndGoesOn) {
  struct Case {
    std::string at_go;
    const char* failure;
  };
  for (const Case& c : std::vector<Case>{
           {"sleep 1000", "late"},
           {"exit 3", "ended"},
           {"kill -9 $$", "ended"},
           {"while true; do echo info babble babble; done", "late"},
           {"echo bestmove a1-a1", "illegal"},
           {"echo bestmove", "illegal"},
           {"echo 'bestmove \xff\xfe(none)'", "illegal"},
           {"head -c 100000 /dev/zero; echo; echo bestmove x", "illegal"},
       }) {
    const auto start = std::chrono::steady_clock::now();
    const json all = all_of(audit(script(c.at_go), {"--positions", "4", "--patience", "200"}));
    EXPECT_EQ(all["asked"], 4) << c.at_go;
    EXPECT_EQ(all["kept"], 0) << c.at_go;
    EXPECT_EQ(all[c.failure], 4) << c.at_go << ": " << all;
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60)) << c.at_go;
  }
}

TEST(Audit, TellsAnEngineTheRulesIfItHasAnOptionForThem) {
  const std::string plain = std::string(MTB_PROGRAM) + " engine";
  const std::vector<std::string> audit_of = {
      "audit",       "--rules", "tournament", "--json",
      "--positions", "20",      "--tables",   shipped_tables("tournament"),
      "--engine",    plain};
  const Ending run = mtb(audit_of);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(all_of(json::parse(run.out, nullptr, false))["kept"], 20) << run.out;
  const Ending other = mtb(with(audit_of, {"--option", "MtbRules=traditional"}));
  EXPECT_LT(all_of(json::parse(other.out, nullptr, false))["kept"], 20) << "what is said counts";
}

TEST(Audit, ShowsItsFiguresEvenIfTheFileForThemCannotBeWritten) {
  const Ending run =
      mtb({"audit", "--rules", "malom", "--tables", shipped_tables("malom"), "--engine", engine(""),
           "--positions", "4", "--json", "--keep", "/proc/cannot-be-written"});
  EXPECT_EQ(run.status, 4) << run.err;
  EXPECT_EQ(all_of(json::parse(run.out, nullptr, false))["kept"], 4) << run.out;
}

TEST(Audit, SaysWhatIsNoEngine) {
  for (const char* command : {"true", "no-such-program-at-all", "cat >/dev/null", "cat"}) {
    const Ending run = mtb({"audit", "--rules", "malom", "--tables", shipped_tables("malom"),
                            "--engine", command, "--positions", "2", "--patience", "200"});
    EXPECT_EQ(run.status, 1) << command;
    EXPECT_THAT(run.err, HasSubstr(command));
    EXPECT_EQ(run.out, "");
  }
}

/// An engine that comes up once, and answers one question.
TEST(Audit, KeepsWhatWasAnsweredBeforeAnEngineIsLost) {
  TemporaryFolder folder;
  const std::string mark = folder / "was-up";
  const std::string command = "test -e " + mark + " && exit 1; touch " + mark + "; " +
                              script("echo bestmove a1-a1; n=x$n; test $n = xx && exit");
  const Ending run =
      mtb({"audit", "--rules", "malom", "--tables", shipped_tables("malom"), "--engine", command,
           "--positions", "9", "--json", "--keep", folder / "kept.json"});
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("given up at position 4 of 9"));
  const json all = all_of(json::parse(run.out, nullptr, false));
  EXPECT_EQ(all["asked"], 4);
  EXPECT_EQ(all["illegal"], 2);
  EXPECT_EQ(all["ended"], 2);
  EXPECT_EQ(json::parse(tests::read_file(folder / "kept.json"))["answers"].size(), 4u);
}

TEST(Audit, DoesNotOverwriteAFile) {
  TemporaryFolder folder;
  tests::write_file(folder / "there", "precious");
  const Ending run = mtb({"audit", "--rules", "malom", "--tables", shipped_tables("malom"),
                          "--engine", engine(""), "--keep", folder / "there"});
  tests::expect_refusal(run, 2);
  EXPECT_EQ(tests::read_file(folder / "there"), "precious");
}

TEST(Audit, KeepsLittleOfALongIllegalAnswer) {
  TemporaryFolder folder;
  audit(script("echo bestmove $(head -c 50000 /dev/zero | tr '\\0' q)"),
        {"--positions", "1", "--keep", folder / "kept"});
  EXPECT_LT(tests::read_file(folder / "kept").size(), 2000u);
}

TEST(Audit, LeavesNoProcessBehind) {
  TemporaryFolder folder;
  const std::string mark = folder / "alive";
  // A grandchild that would make the mark after the audit has ended.
  const Ending run = mtb({"audit", "--rules", "malom", "--tables", shipped_tables("malom"),
                          "--engine", "(sleep 2; touch " + mark + ") & " + script("sleep 1000"),
                          "--positions", "1", "--patience", "200"});
  EXPECT_EQ(run.status, 0) << run.err;
  ::sleep(3);
  EXPECT_FALSE(std::filesystem::exists(mark));
}

TEST(Audit, ComparesTwoEnginesOnTheSamePositions) {
  TemporaryFolder folder;
  for (const char* skill : {"100", "60"}) {
    audit(engine(std::string("--skill ") + skill),
          {"--positions", "100", "--keep", folder / (std::string(skill) + ".json")});
  }
  const Ending run = mtb({"audit", "--compare", folder / "100.json", folder / "60.json", "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  const json result = json::parse(run.out).at(0);
  EXPECT_EQ(result["positions"], 100);
  EXPECT_EQ(result["only the second"], 0);
  EXPECT_LT(result["probability"], 1e-4);
  const Ending same = mtb({"audit", "--compare", folder / "60.json", folder / "60.json", "--json"});
  EXPECT_EQ(json::parse(same.out).at(0)["probability"], 1);
}

TEST(Audit, RefusesToCompareWhatIsNotOfTheSamePositions) {
  TemporaryFolder folder;
  audit(engine(""), {"--positions", "5", "--keep", folder / "a.json"});
  audit(engine(""), {"--positions", "5", "--seed", "2", "--keep", folder / "b.json"});
  EXPECT_EQ(mtb({"audit", "--compare", folder / "a.json", folder / "b.json"}).status, 2);
  tests::write_file(folder / "c.json", "{\"rules\": 1}");
  EXPECT_EQ(mtb({"audit", "--compare", folder / "a.json", folder / "c.json"}).status, 2);
  EXPECT_EQ(mtb({"audit", "--compare", folder / "a.json", folder / "none.json"}).status, 1);
}

TEST(Audit, PlaysOutWonAndDrawnPositions) {
  const json perfect = audit(engine(""), {"--positions", "20", "--play-out"});
  EXPECT_EQ(all_of(perfect)["kept"], 20);
  const json random = audit(engine("--player random"), {"--positions", "20", "--play-out"});
  EXPECT_LT(all_of(random)["kept"], 20);
}

TEST(Audit, PlaysOutToTheDrawThatTheClockMakesOfAWin) {
  const std::string tables = shipped_tables("tournament");
  const std::string command =
      std::string(MTB_PROGRAM) + " engine --rules tournament --tables " + tables;
  for (const char* outcome : {"clock_win", "clock_loss"}) {
    const Ending run =
        mtb({"audit", "--rules", "tournament", "--tables", tables, "--engine", command, "--json",
             "--positions", "10", "--play-out", "--outcome", outcome});
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(all_of(json::parse(run.out))["kept"], 10) << outcome;
  }
}

TEST(Samples, AreTheSameForTheSameSeedAndAreDecisions) {
  const std::array folders = {shipped_tables("tournament")};
  const auto base = Tablebase::open(folders);
  ASSERT_TRUE(base) << base.error().message;
  SampleSpec spec;
  spec.positions = 60;
  const auto first = sample_decisions(*base, spec);
  const auto again = sample_decisions(*base, spec);
  spec.seed = 2;
  const auto other = sample_decisions(*base, spec);
  ASSERT_TRUE(first && again && other);
  ASSERT_EQ(first->size(), 60u);
  int different = 0;
  for (std::size_t i = 0; i < first->size(); ++i) {
    const Sampled& sampled = (*first)[i];
    EXPECT_EQ(sampled.position, (*again)[i].position);
    different += sampled.position != (*other)[i].position ? 1 : 0;
    EXPECT_LT(sampled.keeping, sampled.turns);
    EXPECT_EQ(*base->probe_outcome(sampled.position), sampled.outcome);
  }
  EXPECT_GT(different, 50);
}

// Fisher, and every book after: ten heads in ten throws, two-sided, 2 / 1024.
TEST(Comparisons, GiveTheChanceOfEvenCoins) {
  const std::vector<bool> all(10, true);
  const std::vector<bool> none(10, false);
  EXPECT_NEAR(compare(all, none).probability, 2.0 / 1024, 1e-9);
  std::vector<bool> nine = all;
  nine[0] = false;
  std::vector<bool> one = none;
  one[0] = true;
  EXPECT_NEAR(compare(nine, one).probability, 2.0 * 11 / 1024, 1e-9);
  EXPECT_EQ(compare(all, all).probability, 1);
}

// ---- engine

/// What the engine answers to lines.
std::string told(const std::string& lines, const std::vector<std::string>& more = {}) {
  tests::Surroundings given;
  given.input = lines;
  const Ending run = mtb(
      with({"engine", "--rules", "traditional", "--tables", shipped_tables("traditional")}, more),
      given);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.err, "");
  return run.out;
}

TEST(EngineProtocol, TellsItsNameAndOptions) {
  const std::string out = told("uci\nisready\nquit\n");
  EXPECT_TRUE(out.starts_with("id name mtb ")) << out;
  for (const char* part : {"option name MtbPath", "option name Skill", "uciok\n", "readyok\n"}) {
    EXPECT_THAT(out, HasSubstr(part));
  }
}

TEST(EngineProtocol, GivesMovesAndShotsAsTokensOfTheirOwn) {
  const RuleSet rules = rules_named("traditional");
  const Position position = *parse_position("0,0 a7,d7,g4,b2 a1,d1,f4,c3 w");
  std::string moves;
  Position now = position;
  for (int i = 0; i < 20 && verdict(rules, now) == Verdict::open && now.owed == 0; ++i) {
    // A whole turn, asked for token by token.
    std::string turn;
    std::string tokens;
    for (int shot = 0; shot < 3; ++shot) {
      const std::string out = told("position fen " + to_fen(now) +
                                   (tokens.empty() ? "" : " moves" + tokens) + "\ngo\n");
      const std::size_t at = out.find("bestmove ");
      ASSERT_NE(at, std::string::npos) << out;
      const std::string token = out.substr(at + 9, out.find('\n', at) - at - 9);
      turn += token;
      tokens += ' ' + token;
      const auto parsed = parse_turn(turn);
      ASSERT_TRUE(parsed) << out;
      if (!why_illegal(rules, now, *parsed)) break;
    }
    const auto parsed = parse_turn(turn);
    ASSERT_TRUE(parsed);
    const auto reason = why_illegal(rules, now, *parsed);
    ASSERT_FALSE(reason) << to_string(now) << ' ' << turn << ": " << *reason;
    now = play(rules, now, *parsed);
  }
}

TEST(EngineProtocol, SaysWhatItCannotDoAndGoesOn) {
  EXPECT_THAT(told("go\nquit\n"), HasSubstr("bestmove (none)"));
  EXPECT_THAT(told("frobnicate\nisready\n"), HasSubstr("readyok"));
  EXPECT_THAT(told("position fen nonsense\ngo\n"), HasSubstr("info string error"));
  EXPECT_THAT(told("position startpos moves d6 d6\ngo\n"), HasSubstr("d6 is taken"));
  EXPECT_THAT(told("setoption name Skill value lots\n"), HasSubstr("Skill"));
  EXPECT_THAT(told("setoption name MtbPath value /no/such/folder\nisready\n"),
              HasSubstr("readyok"));
  // In the placing phase there are no tables: it says so, and plays all the same.
  const std::string out = told("position startpos\ngo\n", {"--depth", "1"});
  EXPECT_THAT(out, HasSubstr("beyond the tables"));
  EXPECT_THAT(out, ::testing::ContainsRegex("bestmove [a-g][1-7]\n"));
}

// ---- puzzles

TEST(Puzzles, HaveOneTurnThatKeepsTheOutcomeAndItsSolution) {
  const std::vector<std::string> arguments = {
      "puzzles",   "--rules", "malom",     "--tables", shipped_tables("malom"), "--positions", "5",
      "--outcome", "win",     "--longest", "21"};
  const Ending run = mtb(arguments);
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(mtb(arguments).out, run.out);
  const std::array folders = {shipped_tables("malom")};
  const auto base = Tablebase::open(folders);
  ASSERT_TRUE(base);
  std::istringstream in(run.out);
  RecordReader reader(in);
  int puzzles = 0;
  while (const auto record = reader.next()) {
    ASSERT_TRUE(*record) << record->error().message;
    ++puzzles;
    const auto position = parse_position(*(*record)->tag("Position"));
    ASSERT_TRUE(position);
    const auto ranked = base->rank(*position);
    ASSERT_TRUE(ranked);
    int keeping = 0;
    for (const RankedTurn& turn : *ranked) keeping += turn.value->outcome == Outcome::win ? 1 : 0;
    EXPECT_EQ(keeping, 1);
    EXPECT_EQ((*record)->turns.front().text, to_string(ranked->front().turn));
    EXPECT_EQ(std::to_string((*record)->turns.size()), *(*record)->tag("Plies"));
    EXPECT_LE((*record)->turns.size(), 21u);
  }
  EXPECT_EQ(puzzles, 5);
}

/// One, two or three, or more wrong turns that look as good as the right one.
TEST(Puzzles, AreAsDifficultAsAskedFor) {
  for (const auto& [difficulty, least, most] :
       {std::tuple("one", 1, 1), {"few", 2, 3}, {"many", 4, 1000}}) {
    const Ending run = mtb({"puzzles", "--rules", "malom", "--tables", shipped_tables("malom"),
                            "--positions", "4", "--difficulty", difficulty});
    ASSERT_EQ(run.status, 0) << run.err;
    std::istringstream in(run.out);
    RecordReader reader(in);
    int puzzles = 0;
    while (const auto record = reader.next()) {
      ASSERT_TRUE(*record);
      ++puzzles;
      const int tempting = std::stoi(*(*record)->tag("Tempting"));
      EXPECT_GE(tempting, least) << difficulty;
      EXPECT_LE(tempting, most) << difficulty;
    }
    EXPECT_EQ(puzzles, 4) << difficulty;
  }
}

}  // namespace
}  // namespace mtb
