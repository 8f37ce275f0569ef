// Sound table files whose values a test makes up.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

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

/// The codes of a `dtw` table that is there and passes every check.
inline std::vector<Code> read_distances(const std::filesystem::path& path) {
  const ClassCache classes;
  const auto table = TableFile::open(path, classes);
  if (!table) {
    ADD_FAILURE() << table.error().message;
    return {};
  }
  EXPECT_TRUE(table->verify());
  std::vector<Code> codes(table->header().slots);
  EXPECT_TRUE(table->read_slots(0, codes));
  return codes;
}

/// Writes a `dtw` table of these codes and returns its path.
inline std::filesystem::path write_distances(const std::filesystem::path& folder,
                                             const RuleSet& rules, Sector sector,
                                             const std::vector<Code>& codes) {
  return write_made_up_table(
      folder, rules, sector, Metric::dtw, [&](Slot slot) { return codes[slot]; },
      *std::max_element(codes.begin(), codes.end()));
}

/// Every decided distance made longer by an even number of plies, with the same winner.
inline std::vector<Code> longer_by(std::uint32_t plies, std::vector<Code> codes) {
  for (Code& code : codes) {
    if (code != dtw_code::draw()) code = dtw_code::decided(dtw_code::plies(code) + plies);
  }
  return codes;
}

}  // namespace mtb::tests
