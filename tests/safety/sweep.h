// Many damages, one after the other, and counts of what came of them.
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <string>

#include "tests/safety/exam.h"

namespace mtb::safety {

/// How many damages there were, and what came of them.
struct Tally {
  std::size_t damages = 0;
  std::size_t crashes = 0;
  std::array<std::size_t, 4> reactions{};  ///< by Reaction

  std::size_t operator[](Reaction reaction) const {
    return reactions[static_cast<std::size_t>(reaction)];
  }
};

/// Inflicts damages 0, 1, ... in another process. One that ends there before its time is a crash:
/// the next process goes on with the next damage. `inflict` repairs what it damaged, and must not
/// use the assertions of tests, which nobody would see.
inline Tally sweep(std::size_t damages, const std::function<Reaction(std::size_t)>& inflict) {
  struct Shared {
    std::size_t next;
    std::array<std::size_t, 4> reactions;
  };
  constexpr std::size_t kEnoughCrashes = 20;
  void* const memory =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  Tally tally;
  if (memory == MAP_FAILED) {
    ADD_FAILURE() << "no shared memory";
    return tally;
  }
  auto* const shared = new (memory) Shared{};
  while (shared->next < damages && tally.crashes < kEnoughCrashes) {
    std::fflush(nullptr);
    const pid_t process = fork();
    if (process == 0) {
      while (shared->next < damages) {
        ++shared->reactions[static_cast<std::size_t>(inflict(shared->next))];
        ++shared->next;
      }
      _exit(0);
    }
    int status = -1;
    if (process == -1 || waitpid(process, &status, 0) != process) {
      ADD_FAILURE() << "no other process";
      break;
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      ADD_FAILURE() << "damage " << shared->next << " ended the process, status " << status;
      ++tally.crashes;
      ++shared->next;
    }
  }
  tally.damages = shared->next;
  tally.reactions = shared->reactions;
  munmap(memory, sizeof(Shared));
  return tally;
}

/// Prints and records the counts; fails the test at a crash, a wrong value, a refusal that does not
/// name the file.
inline void expect_safe(const Tally& tally, const std::string& what) {
  std::printf(
      "[  counts  ] %s: %zu damages, %zu crashes, %zu silent wrong values, %zu refusals, "
      "%zu harmless\n",
      what.c_str(), tally.damages, tally.crashes, tally[Reaction::wrong],
      tally[Reaction::refused] + tally[Reaction::unnamed], tally[Reaction::harmless]);
  const auto record = [&](const char* name, std::size_t count) {
    testing::Test::RecordProperty(name, std::to_string(count));
  };
  record("damages", tally.damages);
  record("crashes", tally.crashes);
  record("wrong", tally[Reaction::wrong]);
  record("refused", tally[Reaction::refused]);
  record("harmless", tally[Reaction::harmless]);
  EXPECT_GT(tally.damages, 0u);
  EXPECT_EQ(tally.crashes, 0u) << what;
  EXPECT_EQ(tally[Reaction::wrong], 0u) << what;
  EXPECT_EQ(tally[Reaction::unnamed], 0u) << what << ": refused without naming the file";
}

/// The same, where each damage is to bytes that were read.
inline void expect_refused(const Tally& tally, const std::string& what) {
  expect_safe(tally, what);
  EXPECT_EQ(tally[Reaction::refused], tally.damages) << what;
}

}  // namespace mtb::safety
