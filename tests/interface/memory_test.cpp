// Memory at the C interface: what is allocated, and what happens when there is none.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <new>
#include <vector>

#include "tests/interface/interface.h"

namespace {

/// Allocations of this thread so far.
thread_local long allocations = 0;
/// How many more may succeed before one fails; negative for all.
thread_local long allowed = -1;

void* allocate(std::size_t size) noexcept {
  ++allocations;
  if (allowed == 0) return nullptr;
  if (allowed > 0) --allowed;
  return std::malloc(size == 0 ? 1 : size);
}

}  // namespace

void* operator new(std::size_t size) {
  if (void* memory = allocate(size)) return memory;
  throw std::bad_alloc();
}
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }

namespace mtb {
namespace {

using namespace tests;

/// Calls the function with the first allocation failing, then the second, and so on until none
/// fails. Each call must say that memory ran out, or succeed. Returns how often it failed.
template <class Call>
long fail_each_allocation(Call call) {
  for (long failing = 0;; ++failing) {
    allowed = failing;
    const mtb_status status = call();
    const bool all_succeeded = allowed > 0;
    allowed = -1;
    if (status == MTB_OK && all_succeeded) return failing;
    // Some work goes on without what it asked for.
    EXPECT_TRUE(status == MTB_OUT_OF_MEMORY || status == MTB_OK)
        << "allocation " << failing << ": " << mtb_status_text(status);
    if (failing > 100000) {
      ADD_FAILURE() << "never enough";
      return failing;
    }
  }
}

TEST(RunningOutOfMemory, WhileOpeningIsAStatus) {
  const std::string folder = shipped("malom");
  const long failed = fail_each_allocation([&] {
    mtb_tablebase* base = nullptr;
    mtb_message message;
    const mtb_status status = mtb_open(folder.c_str(), nullptr, &base, &message);
    EXPECT_EQ(base == nullptr, status != MTB_OK);
    EXPECT_STREQ(message.text, status == MTB_OK ? "" : mtb_status_text(status));
    mtb_close(base);
    return status;
  });
  EXPECT_GT(failed, 10);
}

TEST(RunningOutOfMemory, WhileProbingIsAStatusAndTheHandleStaysSound) {
  mtb_options options = defaults();
  options.cache_bytes = 0;  // every probe reads
  const Handle base = opened(shipped("gar"), &options);
  // The mill a7-d7-g7 has been broken and another been closed: the ban asks for a look ahead.
  for (const char* text : {"0,0 a7,b6,c4,c5 a4,c3,e3,g4 w", "0,0 a7,b6,c4 a4,c3,e3,g4 b",
                           "0,0 a7,d7,b6,c5 a4,c3,e3,g4 w d7-g7 -"}) {
    const mtb_position position = parsed(text);
    mtb_value expected;
    ASSERT_EQ(mtb_probe(base.get(), &position, &expected, nullptr), MTB_OK);
    for (const auto probe : {mtb_probe, mtb_probe_wdl}) {
      const long failed = fail_each_allocation([&] {
        mtb_value value;
        const mtb_status status = probe(base.get(), &position, &value, nullptr);
        if (status == MTB_OK) {
          EXPECT_EQ(value.outcome, expected.outcome);
        } else {
          EXPECT_TRUE(is_unknown(value));
        }
        return status;
      });
      EXPECT_GT(failed, 0);
    }
    const long failed = fail_each_allocation([&] {
      std::size_t count = 0;
      mtb_ranked_turn best;
      const mtb_status status =
          mtb_rank(base.get(), &position, &best, 1, &count, nullptr, nullptr, nullptr);
      if (status == MTB_OUT_OF_MEMORY) return status;
      EXPECT_EQ(status, MTB_TOO_SMALL);
      return best.status;
    });
    EXPECT_GT(failed, 0);
  }
}

TEST(RunningOutOfMemory, WithTextsTurnsAndFilesIsAStatus) {
  const Handle base = opened(shipped("traditional"));
  const mtb_position position = parsed("0,0 a7,b6,c4,c5 a4,c3,e3,g4 w");
  const mtb_turn turn = {MTB_MOVE, 0, 1, {-1, -1, -1}, 0, 0};
  const std::string file = shipped("malom") + "/3v3.wdl";
  mtb_position after;
  char text[MTB_TEXT_BYTES];
  EXPECT_GT(fail_each_allocation([&] {
              return mtb_position_parse("0,0 a7,b6,c4,c5 a4,c3,e3,g4 w", &after, nullptr);
            }),
            0);
  EXPECT_GT(fail_each_allocation([&] { return mtb_position_format(&position, text, sizeof text); }),
            0);
  EXPECT_GT(
      fail_each_allocation([&] { return mtb_play(base.get(), &position, &turn, &after, nullptr); }),
      0);
  EXPECT_GT(fail_each_allocation([&] {
              mtb_file_info info;
              return mtb_identify(file.c_str(), &info, nullptr);
            }),
            0);
  EXPECT_GT(fail_each_allocation([&] {
              mtb_turn turns[MTB_POINTS];
              std::size_t count;
              return mtb_turns(base.get(), &position, turns, MTB_POINTS, &count, nullptr);
            }),
            0);
}

TEST(AProbeOfTheOutcome, AllocatesNothingWhenTheBlockIsCached) {
  for (const char* rules : {"traditional", "malom", "gar"}) {
    const Handle base = opened(shipped(rules));
    SmallPositions positions(31);
    std::vector<mtb_position> asked;
    while (asked.size() < 200) {
      Position position = positions.next();
      position.owed = 0;
      position.ban = {};
      position.clock = 0;
      if (validate(position, rules_named(rules))) asked.push_back(to_c(position));
    }
    mtb_value value;
    mtb_message message;
    for (const mtb_position& position : asked) {
      EXPECT_EQ(mtb_probe_wdl(base.get(), &position, &value, &message), MTB_OK) << message.text;
    }
    const long before = allocations;
    int answered = 0;
    for (const mtb_position& position : asked) {
      answered += mtb_probe_wdl(base.get(), &position, &value, &message) == MTB_OK ? 1 : 0;
    }
    EXPECT_EQ(allocations, before);
    EXPECT_EQ(answered, 200);
  }
}

}  // namespace
}  // namespace mtb
