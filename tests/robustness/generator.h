// The generator at work in a folder, and what it leaves there.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "tests/cli/program.h"
#include "tests/temporary_folder.h"

namespace mtb::tests {

namespace fs = std::filesystem;

/// All files of a folder, hidden ones too, by name.
using Contents = std::map<std::string, std::string>;

inline Contents contents_of(const fs::path& folder) {
  Contents contents;
  for (const auto& entry : fs::directory_iterator(folder)) {
    contents[entry.path().filename().string()] = read_file(entry.path());
  }
  return contents;
}

/// The names alone: bytes make unreadable messages.
inline std::vector<std::string> names_of(const Contents& contents) {
  std::vector<std::string> names;
  for (const auto& [name, bytes] : contents) names.push_back(name);
  return names;
}

inline void expect_same(const Contents& found, const Contents& expected) {
  EXPECT_EQ(names_of(found), names_of(expected));
  for (const auto& [name, bytes] : expected) {
    const auto file = found.find(name);
    EXPECT_TRUE(file == found.end() || file->second == bytes) << name << " has other bytes";
  }
}

/// Expects that every table of the folder is one of the expected, whole.
inline void expect_whole_tables(const fs::path& folder, const Contents& expected) {
  for (const auto& [name, bytes] : contents_of(folder)) {
    if (name.starts_with('.')) continue;
    const auto table = expected.find(name);
    ASSERT_NE(table, expected.end()) << name << " is no table of this run";
    EXPECT_EQ(bytes.size(), table->second.size()) << name;
    EXPECT_TRUE(bytes == table->second) << name << " has other bytes";
  }
}

/// `mtb gen ... --out FOLDER`, by one thread: where several wait for each other on a busy machine,
/// a run may take many times longer than the one before.
inline std::vector<std::string> gen(const std::string& what, const fs::path& folder) {
  std::vector<std::string> arguments = words("gen --threads 1 " + what);
  arguments.insert(arguments.end(), {"--out", folder.string()});
  return arguments;
}

/// What an undisturbed run leaves, and how long it takes.
struct Undisturbed {
  Contents contents;
  std::chrono::duration<double> duration{};
};

inline Undisturbed undisturbed(const std::string& what) {
  const TemporaryFolder folder;
  const auto start = std::chrono::steady_clock::now();
  const Ending run = mtb(gen(what, folder.path()));
  const auto end = std::chrono::steady_clock::now();
  EXPECT_EQ(run.status, 0) << run.err;
  return {contents_of(folder.path()), end - start};
}

/// Whether a generator has a table open that does not bear its final name yet.
inline bool is_writing(const Running& generator, const fs::path& folder) {
  const std::string prefix = fs::canonical(folder).string() + '/';
  const fs::path descriptors = "/proc/" + std::to_string(generator.process()) + "/fd";
  std::error_code error;  // a descriptor may be closed, and a process end, at any time
  for (fs::directory_iterator entry(descriptors, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code closed;
    const std::string file = fs::read_symlink(entry->path(), closed).string();
    if (file.starts_with(prefix) && (file.ends_with(".tmp") || file.ends_with(" (deleted)"))) {
      return true;
    }
  }
  return false;
}

/// Looks again and again until the condition holds or the generator has ended; false for the
/// latter.
template <class Condition>
bool wait_until(Running& generator, Condition condition) {
  while (!condition()) {
    if (generator.ended()) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(500));
  }
  return true;
}

}  // namespace mtb::tests
