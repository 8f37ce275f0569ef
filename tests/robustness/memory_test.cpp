// A generator that is allowed little memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "tests/robustness/generator.h"

namespace mtb::tests {
namespace {

constexpr const char* kWhat = "--rules traditional --to 4v3";

std::string with_memory(std::uint64_t mebibytes) {
  return kWhat + (" --memory " + std::to_string(mebibytes) + "M");
}

/// The figure in a refusal; 0 when there is none.
std::uint64_t needed_mebibytes(const std::string& refusal) {
  std::smatch match;
  const bool found = std::regex_search(refusal, match, std::regex("needs ([0-9]+) MiB of memory"));
  return found ? std::stoull(match[1]) : 0;
}

TEST(TooLittleMemory, IsRefusedWithTheFigureThatIsNeededAndSuffices) {
  const TemporaryFolder folder;
  const fs::path tables = folder / "tables";
  const Ending refused = mtb(gen(with_memory(1), tables));
  expect_refusal(refused, 4);
  EXPECT_FALSE(fs::exists(tables)) << "it is refused before any work";
  const std::uint64_t needed = needed_mebibytes(refused.err);
  ASSERT_GT(needed, 1u) << refused.err;

  const Ending one_less = mtb(gen(with_memory(needed - 1), tables));
  expect_refusal(one_less, 4);
  EXPECT_EQ(needed_mebibytes(one_less.err), needed) << one_less.err;
  EXPECT_FALSE(fs::exists(tables));

  const Ending enough = mtb(gen(with_memory(needed), tables));
  ASSERT_EQ(enough.status, 0) << enough.err;
  expect_same(contents_of(tables), undisturbed(kWhat).contents);
}

}  // namespace
}  // namespace mtb::tests
