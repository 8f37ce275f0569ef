// Sound table files whose values a test makes up.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string_view>

#include "format/table_writer.h"
#include "game/rule_set.h"
#include "tests/rules_named.h"

namespace mtb::tests {

/// Writes the table under its proper name and returns its path.
inline std::filesystem::path write_made_up_table(const std::filesystem::path& folder,
                                                 const RuleSet& rules, Sector sector, Metric metric,
                                                 const std::function<Code(Slot)>& code_of,
                                                 Code largest) {
  TableSpec spec;
  spec.rules = rules;
  spec.sector = sector;
  spec.metric = metric;
  spec.key = default_key(sector);
  spec.clock = rules.clock.plies == 0 ? ClockUse::none : ClockUse::ignored;
  spec.largest_code = largest;
  spec.generator = "a test";
  const std::filesystem::path path = folder / table_file_name(sector, metric);
  const ClassCache classes;
  const auto written = write_table(
      spec,
      [&](Slot first, std::span<Code> codes) {
        for (Code& code : codes) code = code_of(first++);
      },
      path, classes);
  EXPECT_TRUE(written) << written.error().message;
  return path;
}

}  // namespace mtb::tests
