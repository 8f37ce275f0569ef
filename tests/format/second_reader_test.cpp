// A second reader, written from FORMAT.md alone in another language, reads tables and agrees.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "format/table_writer.h"
#include "tests/format/samples.h"
#include "tests/shipped_tables.h"

namespace mtb {
namespace {

using samples::made_up;
using samples::small;
using samples::spec;
using samples::TemporaryFolder;

struct Table {
  const char* name;
  TableSpec spec;
  friend void PrintTo(const Table& table, std::ostream* out) { *out << table.name; }
};

/// The word for a shell.
std::string quoted(const std::filesystem::path& path) {
  std::string word = "'";
  word += path.string();
  return word + "'";
}

/// Runs the reader with these words of a shell; its output.
std::string run(const std::string& arguments) {
  const std::string command =
      quoted(MTB_SOURCE_DIR "/tests/format/read_table.py") + " " + arguments + " 2>&1";
  FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return "popen failed";
  std::string output;
  std::array<char, 4096> buffer{};
  while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    output.append(buffer.data(), size);
  }
  const int status = ::pclose(pipe);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) output += "[failed]";
  return output;
}

class SecondReader : public testing::TestWithParam<Table> {
 protected:
  void SetUp() override {
    const SectorIndex index(GetParam().spec.sector, GetParam().spec.key, cache_);
    // Equivalent slots of symmetric keys hold the same value: that of the lowest of them.
    const auto source = [&](Slot first, std::span<Code> codes) {
      for (std::size_t i = 0; i < codes.size(); ++i) {
        codes[i] = value(index, index.placement(first + i));
      }
    };
    const auto written = write_table(GetParam().spec, source, path_, cache_);
    ASSERT_TRUE(written.has_value()) << written.error().message;
    header_ = *written;
  }

  Code value(const SectorIndex& index, const SectorIndex::Placement& placement) const {
    Slot lowest = index.slots();
    for (int g = 0; g < Symmetry::kCount; ++g) {
      const Symmetry symmetry(g);
      lowest =
          std::min(lowest, index.slot({symmetry(placement.mover), symmetry(placement.opponent)}));
    }
    return made_up(lowest, GetParam().spec.largest_code);
  }

  const ClassCache cache_{};
  const TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_ / "table";
  TableHeader header_;
};

TEST_P(SecondReader, FindsTheSameValues) {
  const SectorIndex index(GetParam().spec.sector, GetParam().spec.key, cache_);
  std::mt19937 random(7);
  std::ostringstream expected;
  std::ofstream questions(folder_ / "questions");
  for (int i = 0; i < 500; ++i) {
    const auto placement = samples::random_placement(GetParam().spec.sector, random);
    questions << placement.mover.bits() << ' ' << placement.opponent.bits() << '\n';
    expected << placement.mover.bits() << ' ' << placement.opponent.bits() << ' '
             << value(index, placement) << '\n';
  }
  questions.close();
  EXPECT_EQ(run(quoted(path_) + " < " + quoted(folder_ / "questions")), expected.str());
}

TEST_P(SecondReader, FindsTheSameCounts) {
  std::ostringstream expected;
  for (const std::uint64_t count : header_.counts) expected << count << ' ';
  expected << header_.longest_win << ' ' << header_.longest_loss << '\n';
  EXPECT_EQ(run(quoted(path_) + " counts"), expected.str());
}

TableSpec keyed_by(KeySide key, TableSpec table) {
  table.key = key;
  return table;
}

TableSpec ways_only(TableSpec table) {
  table.rules.diagonals = Diagonals::moves_only;
  return table;
}

INSTANTIATE_TEST_SUITE_P(
    Format, SecondReader,
    testing::Values(
        Table{"outcomes", spec({4, 3}, Metric::wdl, 2)},
        Table{"outcomes with a clock", samples::clock_spec({3, 3})},
        Table{"distances to a shot", spec({3, 3}, Metric::dtc, 90)},
        Table{"distances to a shot within a clock", samples::clock_distances({3, 4}, 90, 20)},
        Table{"modelled distances to a shot", small(samples::clock_distances({3, 2}, 300, 20))},
        Table{"distances", spec({3, 4}, Metric::dtw, 200)},
        Table{"long distances", spec({4, 2}, Metric::dtw, 700)},
        Table{"keyed by the smaller side", keyed_by(KeySide::mover, spec({2, 4}, Metric::dtw, 60))},
        Table{"cows in hand", spec({2, 2, 10, 10}, Metric::wdl, 2)},
        Table{"an empty board", spec({0, 0, 12, 12}, Metric::wdl, 2)},
        Table{"modelled outcomes", small(spec({3, 3}, Metric::wdl, 2))},
        Table{"modelled distances", small(spec({3, 2}, Metric::dtw, 200))},
        Table{"modelled long distances", small(spec({2, 3}, Metric::dtw, 700))},
        Table{"modelled, keyed by the smaller side, ways but no lines",
              small(keyed_by(KeySide::mover, ways_only(spec({1, 4}, Metric::dtw, 60))))},
        Table{"modelled, cows in hand", small(spec({2, 2, 10, 10}, Metric::wdl, 2))}));

/// Tables of the game itself, as they come with the source.
class SecondReaderOfShippedTables : public testing::TestWithParam<const char*> {};

TEST_P(SecondReaderOfShippedTables, FindsTheSameValues) {
  const auto path = tests::shipped_tables("traditional") / GetParam();
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
  const ClassCache cache;
  const auto file = TableFile::open(path, cache);
  ASSERT_TRUE(file.has_value()) << file.error().message;
  const TemporaryFolder folder;
  std::mt19937 random(8);
  std::ostringstream expected;
  std::ofstream questions(folder / "questions");
  Code code = 0;
  for (int i = 0; i < 500; ++i) {
    const auto placement = samples::random_placement(file->header().sector, random);
    const Slot slot = file->index().slot(placement);
    ASSERT_TRUE(file->read_slots(slot, std::span(&code, 1)));
    questions << placement.mover.bits() << ' ' << placement.opponent.bits() << '\n';
    expected << placement.mover.bits() << ' ' << placement.opponent.bits() << ' ' << code << '\n';
  }
  questions.close();
  EXPECT_EQ(run(quoted(path) + " < " + quoted(folder / "questions")), expected.str());
}

INSTANTIATE_TEST_SUITE_P(Format, SecondReaderOfShippedTables,
                         testing::Values("3v3.wdl", "3v3.dtw", "3v3.dtc"));

}  // namespace
}  // namespace mtb
