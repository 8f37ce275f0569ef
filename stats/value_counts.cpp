#include "stats/value_counts.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <tuple>
#include <utility>

#include "stats/blocks.h"
#include "stats/placed_position.h"

namespace mtb {
namespace {

constexpr Slot kNone = std::numeric_limits<Slot>::max();

/// By code.
struct CodeCounts {
  explicit CodeCounts(std::size_t codes) : positions(codes), first(codes, kNone) {}

  void add(const SectorIndex& index, Slot slot, std::span<const Code> codes) {
    auto row = static_cast<std::uint32_t>(slot / index.columns());
    Slot row_end = (Slot{row} + 1) * index.columns();
    auto orbit = static_cast<std::uint64_t>(index.classes().orbit(row));
    for (const Code code : codes) {
      if (slot == row_end) {
        orbit = static_cast<std::uint64_t>(index.classes().orbit(++row));
        row_end += index.columns();
      }
      positions[code] += orbit;
      first[code] = std::min(first[code], slot);
      ++slot;
    }
  }
  void add(const CodeCounts& other) {
    for (std::size_t code = 0; code < positions.size(); ++code) {
      positions[code] += other.positions[code];
      first[code] = std::min(first[code], other.first[code]);
    }
  }

  std::vector<std::uint64_t> positions;
  std::vector<Slot> first;
};

Error wrong_counts(const TableFile& table) {
  return {Fault::damaged, table.path().string() +
                              ": holds other values than its header says; check it with `mtb "
                              "verify`, and make it again"};
}

Result<CodeCounts> count_codes(const TableFile& table) {
  const std::size_t codes = std::size_t{table.header().largest_code()} + 1;
  CodeCounts all(codes);
  const auto visit = [&](Slot first, std::span<const Code> block) -> Result<void> {
    if (*std::ranges::max_element(block) >= codes) return tl::unexpected(wrong_counts(table));
    CodeCounts counts(codes);
    counts.add(table.index(), first, block);
#pragma omp critical
    all.add(counts);
    return {};
  };
  return for_all_blocks(table, visit).map([&] { return std::move(all); });
}

}  // namespace

Result<std::vector<ValueCount>> count_values(const TableFile& table) {
  if (Result<void> ready = table.prepare(); !ready) return tl::unexpected(ready.error());
  const Result<CodeCounts> counted = count_codes(table);
  if (!counted) return tl::unexpected(counted.error());
  const CodeMeaning meaning = table.header().meaning();
  std::vector<ValueCount> values;
  std::array<std::uint64_t, kOutcomeCount> by_outcome{};
  for (std::size_t i = 0; i < counted->positions.size(); ++i) {
    const std::uint64_t positions = counted->positions[i];
    if (positions == 0) continue;
    const auto code = static_cast<Code>(i);
    const auto outcome = meaning.outcome(code);
    if (!outcome) return tl::unexpected(wrong_counts(table));
    ValueCount value;
    value.outcome = *outcome;
    if (meaning.metric != Metric::wdl && *outcome != Outcome::draw) {
      value.plies = meaning.plies(code);
    }
    value.positions = positions;
    value.example = placed_position(table.index().placement(counted->first[i]));
    by_outcome[static_cast<std::size_t>(*outcome)] += positions;
    values.push_back(value);
  }
  if (by_outcome != table.header().counts) return tl::unexpected(wrong_counts(table));
  std::ranges::sort(values, [](const ValueCount& a, const ValueCount& b) {
    return std::tie(a.outcome, a.plies) < std::tie(b.outcome, b.plies);
  });
  return values;
}

}  // namespace mtb
