// What happens to table files while they are open. Whoever has a file open may go on reading what
// was there, or refuse; blocks of two files must never be taken for one table.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/safety/exam.h"
#include "tests/safety/sweep.h"
#include "tests/safety/tables.h"

namespace mtb::safety {
namespace {

using tests::TemporaryFolder;

/// Something that befalls the file of a table while it is open.
struct Event {
  std::string what;
  std::function<void(const fs::path&)> befall;
};

void replace(const fs::path& path, const Bytes& bytes) {
  const fs::path fresh = path.parent_path() / ".fresh";
  overwrite(fresh, bytes);
  fs::rename(fresh, path);
}

std::vector<Event> events(const std::string& name, const Files& files) {
  const Bytes& whole = files.at(name);
  std::vector<Event> result;
  const auto add = [&](std::string what, std::function<void(const fs::path&)> befall) {
    result.push_back({std::move(what), std::move(befall)});
  };
  add("removed", [](const fs::path& path) { fs::remove(path); });
  add("without permissions", [](const fs::path& path) { demand(::chmod(path.c_str(), 0) == 0); });
  add("a folder in its place", [](const fs::path& path) {
    fs::remove(path);
    fs::create_directory(path);
  });
  add("a pipe in its place", [](const fs::path& path) {
    fs::remove(path);
    demand(::mkfifo(path.c_str(), 0644) == 0);
  });
  add("a link to nowhere in its place", [](const fs::path& path) {
    fs::remove(path);
    fs::create_symlink("nowhere", path);
  });
  for (const std::size_t size : {std::size_t{0}, std::size_t{100}, whole.size() / 2,
                                 whole.size() - 1, whole.size() + 4096}) {
    add("cut or extended to " + std::to_string(size),
        [size](const fs::path& path) { fs::resize_file(path, size); });
  }
  add("zeroed from the middle on", [whole](const fs::path& path) {
    fs::resize_file(path, whole.size() / 2);
    fs::resize_file(path, whole.size());
  });
  add("every byte changed in place", [whole](const fs::path& path) {
    Bytes changed = whole;
    for (char& byte : changed) byte = static_cast<char>(byte ^ 0x55);
    overwrite(path, changed);
  });
  // Other tables, among them those of the same name from other rules, and the same values in blocks
  // of the other coding.
  Files others = files;
  others.erase(name);
  for (const char* rules : {"traditional", "malom"}) {
    const Files shipped_ones = shipped(rules);
    if (const auto other = shipped_ones.find(name); other != shipped_ones.end()) {
      others[std::string("of ") + rules] = other->second;
    }
  }
  others["in packed blocks"] = with_packed_blocks({{name, whole}}).at(name);
  for (const auto& [what, bytes] : others) {
    add("replaced by " + what, [b = bytes](const fs::path& path) { replace(path, b); });
    add("overwritten by " + what, [b = bytes](const fs::path& path) { overwrite(path, b); });
  }
  add("overwritten by the same", [whole](const fs::path& path) { overwrite(path, whole); });
  add("replaced by the same", [whole](const fs::path& path) { replace(path, whole); });
  return result;
}

TEST(FilesThatChange, WhileTheyAreOpenGiveRightAnswersOrRefusals) {
  const RuleSet rules = tests::rules_named("koti");
  const Files files = shipped("koti");
  Positions positions(rules);
  struct Case {
    std::string name;
    Event event;
    bool begun;  ///< whether there were probes before
    Opening opening;
  };
  // Each file is opened again for each block; or none is; or all are mapped.
  const std::vector<Opening> openings = {
      {0, {OpenFiles::Access::read, 1}}, {}, {0, {OpenFiles::Access::map}}};
  std::vector<Case> cases;
  for (const std::string name : {"3v4.wdl", "3v4.dtw", "3v4.dtc"}) {
    for (const Event& event : events(name, files)) {
      for (const bool begun : {false, true}) {
        for (const Opening& opening : openings) cases.push_back({name, event, begun, opening});
      }
    }
  }
  const TemporaryFolder sound;
  write_all(sound.path(), files);
  const auto whole = open_tables(sound.path(), rules);
  ASSERT_TRUE(whole);
  const Exam first(*whole, positions.some_of_each(small_sectors(), 1));
  const Exam then(*whole, positions.some_of_each(small_sectors(), 3), 1);
  ASSERT_TRUE(first.is_answered() && then.is_answered());

  const TemporaryFolder folder;
  const Tally tally = sweep(cases.size(), [&](std::size_t i) {
    const Case& c = cases[i];
    const fs::path path = folder / c.name;
    fs::remove_all(path);
    write_all(folder.path(), files);
    demand(::chmod(path.c_str(), 0644) == 0);
    const auto tables = open_tables(folder.path(), rules, c.opening);
    demand(tables.has_value());
    if (c.begun) demand(first.ask(tables, path.string()) == Reaction::harmless);
    c.event.befall(path);
    const Reaction after = then.ask(tables, path.string());
    return worse(after, first.ask(tables, path.string()));
  });
  expect_safe(tally, "files changed while open");
  EXPECT_GT(tally[Reaction::refused], 0u);
}

}  // namespace
}  // namespace mtb::safety
