// What the system may refuse or do by halves: reads, descriptors, permissions, and things with the
// name of a table that are no files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "tests/safety/exam.h"
#include "tests/safety/seam.h"
#include "tests/safety/sweep.h"
#include "tests/safety/tables.h"

namespace mtb::safety {
namespace {

using tests::TemporaryFolder;

class TheSystem : public testing::Test {
 protected:
  TheSystem() { write_all(folder_.path(), files_); }

  /// Of each sector so many positions, all turns of the last.
  Exam exam(std::size_t positions_of_each) {
    const auto tables = open_tables(folder_.path(), rules_);
    EXPECT_TRUE(tables);
    Exam result(*tables, positions_.some_of_each(small_sectors(), positions_of_each), 1);
    EXPECT_TRUE(result.is_answered());
    return result;
  }

  /// Opens under faults, asks under faults, and asks once more without, again and again.
  Tally under(const Faults& faults, std::size_t times) {
    const Exam questions = exam(4);
    const std::string any_file = folder_.path().string();
    return sweep(times, [&](std::size_t seed) {
      const Opening opening = openings()[seed % openings().size()];
      const auto open = [&] { return open_tables(folder_.path(), rules_, opening); };
      const auto disturbed = [&](const auto& act) {
        const Disturbance disturbance(faults, seed);
        return act();
      };
      const Result<Tablebase> opened_so = disturbed(open);
      Reaction reaction = questions.ask(opened_so, any_file);
      const Result<Tablebase> tables = open();
      const auto ask = [&] { return questions.ask(tables, any_file); };
      reaction = worse(reaction, disturbed(ask));
      return worse(reaction, ask());
    });
  }

  /// With and without a cache, with few descriptors, mapped.
  static const std::vector<Opening>& openings() {
    static const std::vector<Opening> result = {{0, {OpenFiles::Access::read, 1}},
                                                {},
                                                {0, {OpenFiles::Access::map}},
                                                {9000, {OpenFiles::Access::read, 3}}};
    return result;
  }

  const RuleSet rules_ = tests::rules_named("koti");
  const Files files_ = shipped("koti");
  Positions positions_{rules_};
  const TemporaryFolder folder_;
};

TEST_F(TheSystem, MayInterruptAndReadByHalves) {
  Faults faults;
  faults.interrupted = 300;
  faults.short_reads = 600;
  const Tally tally = under(faults, 100);
  expect_safe(tally, "interruptions and short reads");
  EXPECT_EQ(tally[Reaction::harmless], tally.damages) << "nobody need notice them";
  const Disturbance disturbance(faults, 1);
  EXPECT_TRUE(open_tables(folder_.path(), rules_));
  EXPECT_GT(Disturbance::count(), 5u);
}

TEST_F(TheSystem, MayRefuseToRead) {
  for (const int error : {EIO, ENOMEM, EBADF}) {
    Faults faults;
    faults.refused = 100;
    faults.error = error;
    const Tally tally = under(faults, 60);
    expect_safe(tally, std::string("failing reads, ") + std::strerror(error));
    EXPECT_GT(tally[Reaction::refused], tally.damages / 2);
  }
}

TEST_F(TheSystem, MayRefuseToOpen) {
  for (const int error : {EMFILE, ENFILE, ENOMEM, EACCES, EIO}) {
    Faults faults;
    faults.not_opened = 200;
    faults.interrupted = 100;
    faults.error = error;
    const Tally tally = under(faults, 40);
    expect_safe(tally, std::string("failing open(), ") + std::strerror(error));
    EXPECT_GT(tally[Reaction::refused], 0u);
  }
}

TEST_F(TheSystem, MayFailOnceWithoutSpoilingATable) {
  const Exam questions = exam(4);
  Faults refusals;
  refusals.refused = 1000;
  refusals.error = EIO;
  Faults ends;
  ends.ended = 1000;
  for (const Faults& faults : {refusals, ends}) {
    for (const Opening& opening : openings()) {
      const auto tables = open_tables(folder_.path(), rules_, opening);
      ASSERT_TRUE(tables);
      {
        const Disturbance disturbance(faults, 1);
        EXPECT_EQ(questions.ask(tables, folder_.path().string()), Reaction::refused);
      }
      EXPECT_EQ(questions.ask(tables, ""), Reaction::harmless);
    }
  }
}

TEST_F(TheSystem, IsNotAskedForWhatHasToBeInTheCache) {
  const auto tables = open_tables(folder_.path(), rules_);
  ASSERT_TRUE(tables);
  const std::vector<Position> positions = positions_.some_of_each(small_sectors(), 10);
  const auto count_refused = [](const std::vector<Result<Evaluation>>& values) {
    return std::count_if(values.begin(), values.end(), [](const Result<Evaluation>& value) {
      return !value && value.error().fault == Fault::not_cached;
    });
  };
  Faults faults;
  faults.refused = 1000;
  faults.error = EIO;
  const Disturbance disturbance(faults, 1);
  const ProbeControl from_cache{.reach = Reach::cache};
  EXPECT_EQ(count_refused(tables->probe_all(positions, from_cache)), std::ssize(positions));
  EXPECT_EQ(Disturbance::count(), 0u);
  // Had it been asked, it would have been noticed.
  EXPECT_EQ(count_refused(tables->probe_all(positions)), 0);
  EXPECT_GT(Disturbance::count(), 0u);
}

TEST_F(TheSystem, MayReadWrongly) {
  // As memory or a bus that fails: what was read is not what the file has.
  for (const unsigned chance : {20u, 300u}) {
    Faults faults;
    faults.changed = chance;
    faults.ended = chance / 5;
    faults.short_reads = 100;
    const Tally tally = under(faults, 100);
    expect_safe(tally,
                "bits changed while they are read, " + std::to_string(chance) + " of 1000 reads");
    EXPECT_GT(tally[Reaction::refused], tally.damages / 2);
  }
}

/// Drawn, won or lost throughout, as its number says, so that an answer from another table shows.
Outcome outcome_of(std::size_t number) {
  constexpr Outcome kOutcomes[] = {Outcome::draw, Outcome::win, Outcome::loss};
  return kOutcomes[number % 3];
}

TEST(ManyTables, AreReadWithAFewDescriptors) {
  // More tables than descriptors: those of all sectors with three cows each and some in hand.
  const RuleSet rules = tests::rules_named("malom");
  const TemporaryFolder folder;
  const ClassCache classes;
  std::vector<Sector> sectors;
  for (std::uint8_t mine = 1; mine <= 8; ++mine) {
    for (std::uint8_t theirs = 1; theirs <= 8; ++theirs) sectors.push_back({3, 3, mine, theirs});
  }
  for (std::size_t i = 0; i < sectors.size(); ++i) {
    TableSpec spec;
    spec.rules = rules;
    spec.sector = sectors[i];
    spec.metric = Metric::wdl;
    spec.largest_code = 2;
    spec.generator = "a test";
    const Code code = wdl_code::of(outcome_of(i));
    // The last slot is another, so that the blocks have to be read.
    const auto source = [&](Slot first, std::span<Code> codes) {
      for (std::size_t k = 0; k < codes.size(); ++k) {
        codes[k] = (first + k) % 1000 == 999 ? static_cast<Code>(2 - code) : code;
      }
    };
    const auto written =
        write_table(spec, source, folder / table_file_name(spec.sector, spec.metric), classes);
    ASSERT_TRUE(written) << written.error().message;
  }
  const SectorIndex index({3, 3}, KeySide::mover, classes);
  const auto position = [&](std::size_t i, Slot slot) {
    const auto [mover, opponent] = index.placement(slot);
    Position result;
    result.cows = {mover, opponent};
    result.hand = {sectors[i].mover_hand, sectors[i].opponent_hand};
    return result;
  };
  std::vector<Position> asked;
  std::optional<Exam> questions;
  {
    // Closed again before there are few descriptors.
    const auto whole = open_tables(folder.path(), rules);
    ASSERT_TRUE(whole);
    for (std::size_t i = 0; i < sectors.size(); ++i) {
      asked.push_back(position(i, 5 + i));
      EXPECT_EQ(whole->probe_outcome(asked.back()).value(), outcome_of(i));
    }
    questions.emplace(*whole, asked);
  }
  // A path of two folders: the second is looked into when tables of the first are open.
  const TemporaryFolder second;
  for (std::size_t i = 40; i < sectors.size(); ++i) {
    const std::string name = table_file_name(sectors[i], Metric::wdl);
    overwrite(second / name, bytes_of(folder / name));
    fs::remove(folder / name);
  }

  const Tally tally = sweep(4, [&](std::size_t i) {
    const rlimit few{i < 2 ? rlim_t{32} : rlim_t{12}, 32};
    demand(setrlimit(RLIMIT_NOFILE, &few) == 0);
    TablebaseOptions options;
    options.expected = rules;
    options.cache_bytes = i % 2 == 0 ? 0 : 1 << 20;
    const std::vector<fs::path> folders = {folder.path(), second.path()};
    const auto tables = Tablebase::open(folders, options);
    const std::string any_file = folder.path().parent_path().string();
    const Reaction reaction = questions->ask(tables, any_file);
    return worse(reaction, questions->ask(tables, any_file));
  });
  expect_safe(tally, "64 tables in two folders, 32 descriptors or fewer");
  EXPECT_EQ(tally[Reaction::harmless], tally.damages);
}

TEST_F(TheSystem, MayRunOutOfDescriptorsWhileTablesAreOpen) {
  const Exam questions = exam(3);
  const Tally tally = sweep(2 * openings().size(), [&](std::size_t i) {
    const auto tables = open_tables(folder_.path(), rules_, openings()[i / 2]);
    if (i % 2 == 1) static_cast<void>(questions.ask(tables, "some are in the cache"));
    std::vector<int> taken;
    for (int file = 0; (file = ::open("/dev/null", O_RDONLY)) != -1;) taken.push_back(file);
    const Reaction starved = questions.ask(tables, folder_.path().string());
    for (const int file : taken) ::close(file);
    return worse(starved, questions.ask(tables, folder_.path().string()));
  });
  expect_safe(tally, "no descriptor left while probing");
}

/// Gives up the rights of the superuser; others may have none to give up.
void become_nobody() {
  if (geteuid() != 0) return;
  constexpr uid_t kNobody = 65534;
  demand(setgid(kNobody) == 0 && setuid(kNobody) == 0);
}

TEST_F(TheSystem, MayDenyPermission) {
  ASSERT_EQ(::chmod(folder_.path().c_str(), 0755), 0);
  const Exam questions = exam(2);
  std::vector<fs::path> paths = {folder_.path()};
  for (const auto& [name, bytes] : files_) paths.push_back(folder_ / name);
  const Tally tally = sweep(2 * paths.size(), [&](std::size_t i) {
    // The file or folder may not be read, and not even be looked into. Rights that were given up do
    // not come back, so each of these is tried by a process of its own.
    const fs::path& path = paths[i / 2];
    demand(::chmod(path.c_str(), i % 2 == 0 ? 0 : 0111) == 0);
    const pid_t process = fork();
    if (process == 0) {
      become_nobody();
      _exit(static_cast<int>(questions.ask(open_tables(folder_.path(), rules_), path.string())));
    }
    int status = -1;
    demand(waitpid(process, &status, 0) == process);
    demand(::chmod(path.c_str(), 0755) == 0);
    demand(WIFEXITED(status) && WEXITSTATUS(status) <= static_cast<int>(Reaction::wrong));
    return static_cast<Reaction>(WEXITSTATUS(status));
  });
  expect_refused(tally, "files and folders without permission");
}

TEST_F(TheSystem, MayHaveOtherThingsUnderTheNameOfATable) {
  const std::vector<std::function<void(const fs::path&)>> things = {
      [](const fs::path& path) { fs::create_directory(path); },
      [](const fs::path& path) { demand(::mkfifo(path.c_str(), 0644) == 0); },
      [](const fs::path& path) {
        const int file = ::socket(AF_UNIX, SOCK_STREAM, 0);
        sockaddr_un name{};
        name.sun_family = AF_UNIX;
        demand(path.string().size() < sizeof name.sun_path);
        std::strcpy(name.sun_path, path.c_str());
        demand(::bind(file, reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0);
        ::close(file);
      },
      [](const fs::path& path) { fs::create_symlink(path.filename(), path); },
      [](const fs::path& path) { fs::create_symlink("nowhere", path); },
      [](const fs::path& path) { fs::create_symlink(".", path); },
      [](const fs::path& path) { fs::create_symlink("/dev/zero", path); },
      [](const fs::path& path) { fs::create_symlink("/dev/null", path); },
      [](const fs::path& path) { fs::create_symlink("/proc/self/mem", path); },
  };
  const Exam questions = exam(3);
  std::vector<std::string> names;
  for (const auto& [name, bytes] : files_) names.push_back(name);
  const Tally tally = sweep(things.size() * names.size(), [&](std::size_t i) {
    const std::string& name = names[i / things.size()];
    const fs::path path = folder_ / name;
    fs::remove_all(path);
    things[i % things.size()](path);
    const Reaction reaction = questions.ask(open_tables(folder_.path(), rules_), path.string());
    fs::remove_all(path);
    overwrite(path, files_.at(name));
    return reaction;
  });
  expect_refused(tally, "folders, pipes, sockets, devices, loops and links to nowhere");
}

TEST_F(TheSystem, MayHaveLinksToTables) {
  const TemporaryFolder links;
  for (const auto& [name, bytes] : files_) fs::create_symlink(folder_ / name, links / name);
  fs::create_directory_symlink(links.path(), links / "again");
  const Exam questions = exam(3);
  EXPECT_EQ(questions.ask(open_tables(links.path(), rules_), ""), Reaction::harmless);
  EXPECT_EQ(questions.ask(open_tables(links / "again", rules_), ""), Reaction::harmless);
}

TEST(Folders, ThatAreNoneAreRefusedByName) {
  const TemporaryFolder folder;
  overwrite(folder / "file", "no folder");
  fs::create_directory_symlink("loop", folder / "loop");
  fs::create_directory_symlink("nowhere", folder / "dangling");
  const RuleSet rules = tests::rules_named("koti");
  for (const char* name : {"file", "loop", "dangling", "missing", "file/below", "loop/below"}) {
    const auto tables = open_tables(folder / name, rules);
    ASSERT_FALSE(tables) << name;
    EXPECT_THAT(tables.error().message, testing::HasSubstr((folder / name).string()));
  }
}

}  // namespace
}  // namespace mtb::safety
