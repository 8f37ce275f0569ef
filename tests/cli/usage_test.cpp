// Wrong arguments and bad input: one line that says what, where and what to do, and the status.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace mtb::tests {
namespace {

using ::testing::HasSubstr;

TEST(TheProgram, TellsItsVersion) {
  const Ending run = mtb({"--version"});
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.out, ::testing::MatchesRegex("mtb [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST(TheProgram, ShowsEverySubcommandWithAnExample) {
  const Ending run = mtb({"--help"});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.err, "");
  for (const char* name : {"rules", "turns", "perft", "gen", "probe", "stats", "info", "verify"}) {
    EXPECT_THAT(run.out, HasSubstr(std::string("\n  mtb ") + name + ' '));
    const Ending help = mtb({name, "--help"});
    EXPECT_EQ(help.status, 0) << name;
    EXPECT_THAT(help.out, HasSubstr(std::string("mtb ") + name));
    EXPECT_THAT(help.out, HasSubstr("Example"));
  }
}

struct BadUse {
  std::vector<std::string> arguments;
  std::string message;  ///< a part of it
};

TEST(WrongUse, IsToldInOneLineWithStatus2) {
  for (const BadUse& use : std::vector<BadUse>{
           {{}, "--help"},
           {{"frobnicate"}, "frobnicate"},
           {{"--frobnicate"}, "--help"},
           {{"rules", "--frobnicate"}, "--frobnicate"},
           {{"rules", "nonsense"}, "nine-mens-morris"},
           {{"rules", "malom", "koti"}, "koti"},
           {{"turns", "12,12 - - w"}, "--rules"},
           {{"turns", "--rules", "malom"}, "POSITION"},
           {{"turns", "--rules", "nonsense", "12,12 - - w"}, "traditional"},
           {{"turns", "--rules", "malom", "--coordinates", "polar", "12,12 - - w"}, "polar"},
           {{"perft", "--rules", "malom"}, "--depth"},
           {{"perft", "--rules", "malom", "--depth", "x"}, "--depth"},
           {{"perft", "--rules", "malom", "--depth", "-1"}, "--depth"},
           {{"gen", "--to", "3v3"}, "--rules"},
           {{"gen", "--rules", "malom"}, "--to"},
           {{"gen", "--rules", "malom", "--to", "3v3", "--all"}, "--all"},
           {{"gen", "--rules", "malom", "--to", "three"}, "three"},
           {{"gen", "--rules", "malom", "--to", "2v3"}, "2v3"},
           {{"gen", "--rules", "malom", "--to", "13v3"}, "13v3"},
           {{"gen", "--rules", "malom", "--to", "3v3+1v1"}, "in hand"},
           {{"gen", "--rules", "malom", "--total", "5"}, "--total"},

           {{"gen", "--rules", "malom", "--to", "3v3", "--metrics", "xyz"}, "xyz"},

           {{"gen", "--rules", "malom", "--to", "3v3", "--threads", "0"}, "--threads"},
           {{"gen", "--rules", "malom", "--to", "3v3", "--memory", "much"}, "much"},
           {{"gen", "--rules", "malom", "--to", "3v3", "--memory", "-1"}, "-1"},
           {{"gen", "--rules", "malom", "--to", "3v3", "--compression", "x"}, "small"},
           {{"gen", "--rules", "malom", "--to", "3v3", "--memory", ""}, "--memory"},
           {{"gen", "--rules", "malom", "--to", "3v3", "--out", ""}, "--out"},
           {{"gen", "--rules", "", "--to", "3v3"}, "--rules"},
           {{"rules", ""}, "NAME"},
           {{"stats", "--tables", ""}, "--tables"},
           {{"info", ""}, "FILE"},
           {{"probe"}, "position"},
           {{"probe", "--batch", "-", "12,12 - - w"}, "position"},
           {{"probe", "--batch", "-", "--json"}, "--json"},
           {{"info"}, "FILE"},
           {{"verify", "--tables", ".", "--level", "soft"}, "soft"},
           {{"verify", "--tables", ".", "--level", "deep", "--sample", "x"}, "sample"},
       }) {
    const Ending run = mtb(use.arguments);
    std::string line;
    for (const std::string& word : use.arguments) line += ' ' + word;
    SCOPED_TRACE("mtb" + line);
    expect_refusal(run, 2);
    EXPECT_THAT(run.err, HasSubstr(use.message));
  }
}

struct BadPosition {
  const char* text;
  const char* message;  ///< a part of it
};

TEST(ABadPosition, IsToldInOneLineWithStatus2) {
  for (const BadPosition& bad : {
           BadPosition{"hello", "position"},
           BadPosition{"", "position"},
           BadPosition{"0,0 a7,b6,d2 c3,f2,g4", "fields"},
           BadPosition{"0,0 a7,b6,d2 c3,f2,g4 x", "side"},
           BadPosition{"0,0 a7,b6,h9 c3,f2,g4 w", "h9"},
           BadPosition{"0,0 a7,b6,d4 c3,f2,g4 w", "d4"},
           BadPosition{"0,0 a7,a7,d2 c3,f2,g4 w", "white"},
           BadPosition{"0,0 a7,b6,d2 c3,b6,g4 w", "black"},
           BadPosition{"0 a7,b6,d2 c3,f2,g4 w", "hand"},
           BadPosition{"0,99999999999999999999 a7,b6,d2 c3,f2,g4 w", "hand"},
           BadPosition{"0,0 a7,b6,d2 c3,f2,g4 w a7-b6 -", "ban"},
           BadPosition{"0,0 a7,b6,d2 c3,f2,g4 w - - -5", "clock"},
           // more than 12 cows, on the board or with the hand
           BadPosition{"0,0 a1,a4,a7,b2,b4,b6,c3,c4,c5,d1,d2,d3,d5 e3,e4,e5 w", "13"},
           BadPosition{"10,0 a7,b6,d2 c3,f2,g4 w", "13"},
           BadPosition{"0,0 a7,b6 c3,f2 w", "three"},
           // counts that contradict the board
           BadPosition{"*****@**/***@O**O/**@****O w m s 4 0 3 0 0 0 -1 -1 -1 -1 0 0 1", "wOn"},
           BadPosition{"*****@**/***@O**O/**@****O w m s 3 0 2 0 0 0 -1 -1 -1 -1 0 0 1", "bOn"},
           BadPosition{"*****@**/***@O**O/**@**** w m s 3 0 3 0 0 0 -1 -1 -1 -1 0 0 1", "board"},
           BadPosition{"*****@**/***@O**O/**@****Q w m s 3 0 3 0 0 0 -1 -1 -1 -1 0 0 1", "board"},
           BadPosition{"two\nlines", "position"},
       }) {
    SCOPED_TRACE(bad.text);
    for (const auto& arguments : std::vector<std::vector<std::string>>{
             {"turns", "--rules", "malom", bad.text},
             {"perft", "--rules", "malom", "--depth", "1", bad.text}}) {
      const Ending run = mtb(arguments);
      expect_refusal(run, 2);
      EXPECT_THAT(run.err, HasSubstr(bad.message));
    }
  }
}

TEST(ARuleFile, WithMistakesIsToldInOneLineWithStatus2) {
  TemporaryFolder folder;
  const std::string good = mtb({"rules", "koti"}).out;
  const auto replaced = [&](const std::string& part, const std::string& by) {
    std::string text = good;
    const auto place = text.find(part);
    EXPECT_NE(place, std::string::npos) << part;
    return text.replace(place, part.size(), by);
  };
  struct Case {
    std::string text;
    std::string message;
  };
  for (const Case& bad : {
           Case{good + "colour = \"red\"\n", "colour"},
           Case{replaced("cows = 12", "cows = 13"), "cows"},
           Case{replaced("cows = 12\n", ""), "cows"},
           Case{replaced("\"pass\"", "\"sit\""), "blocked"},
           Case{replaced("fly_at = 3", "fly_at = \"3\""), "fly_at"},
           Case{"no toml at all", "rules.toml"},
           Case{"", "cows"},
       }) {
    write_file(folder / "rules.toml", bad.text);
    for (const char* command : {"rules", "turns --rules", "perft --depth 1 --rules"}) {
      std::vector<std::string> arguments = words(command);
      arguments.push_back(folder / "rules.toml");
      if (arguments[0] == "turns") arguments.emplace_back("12,12 - - w");
      const Ending run = mtb(arguments);
      expect_refusal(run, 2);
      EXPECT_THAT(run.err, HasSubstr(bad.message));
      EXPECT_THAT(run.err, HasSubstr("rules.toml"));
    }
  }
  const Ending run = mtb({"rules", folder.path()});
  expect_refusal(run, 2);  // a folder is no file of rules
}

/// Status of a line for the shell, in which `MTB` stands for the program.
int shell_status(std::string line) {
  const std::string program = "'" MTB_PROGRAM "'";
  for (auto at = line.find("MTB"); at != std::string::npos; at = line.find("MTB", at)) {
    line.replace(at, 3, program);
    at += program.size();
  }
  const int status = std::system(line.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(ARuleFile, ThatNeverEndsIsRefused) {
  EXPECT_EQ(shell_status("timeout 20 MTB rules /dev/zero >/dev/null 2>&1"), 4);
}

TEST(ClosedStreams, AreNotTakenForFiles) {
  EXPECT_EQ(shell_status("MTB probe --batch - <&- >/dev/null 2>&1"), 4);
  EXPECT_EQ(shell_status("MTB rules >&- 2>/dev/null"), 4);
  const TemporaryFolder folder;
  const std::string there = " --out '" + folder.path().string() + "' ";
  EXPECT_EQ(shell_status("MTB gen --rules malom --to 3v3" + there + ">/dev/null 2>&-"), 0);
  EXPECT_EQ(read_file(folder / ".lock"), "");
}

TEST(AFileSizeLimit, IsToldAndLeavesNothingHalfWritten) {
  const TemporaryFolder folder;
  const std::string there = " --out '" + folder.path().string() + "' ";
  EXPECT_EQ(shell_status("ulimit -f 8; MTB gen --rules malom --to 3v3" + there + ">/dev/null 2>&1"),
            4);
  EXPECT_THAT(folder.file_names(), ::testing::ElementsAre(".lock"));
}

TEST(OutputThatCannotBeWritten, IsToldWithStatus4) {
  for (const char* line : {"rules", "rules koti", "turns --rules malom 12,12 - - w",
                           "perft --rules malom --depth 2 --divide", "--help"}) {
    SCOPED_TRACE(line);
    Surroundings full;
    full.output_file = "/dev/full";
    const Ending disk = mtb(words(line), full);
    expect_refusal(disk, 4);
    EXPECT_THAT(disk.err, HasSubstr("standard output"));

    Surroundings unread;
    unread.output_has_no_reader = true;
    const Ending pipe = mtb(words(line), unread);
    expect_refusal(pipe, 4);
    EXPECT_THAT(pipe.err, HasSubstr("standard output"));
  }
}

}  // namespace
}  // namespace mtb::tests
