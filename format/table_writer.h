// Writing table files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "format/table.h"

namespace mtb {

/// How hard to compress. Both are read alike; `fast` for tables that are being generated, `small`
/// for tables that are handed around.
enum class Compression : std::uint8_t { fast, small };

/// What a table is to be.
struct TableSpec {
  RuleSet rules;
  Sector sector;
  Metric metric = Metric::wdl;
  KeySide key = KeySide::mover;
  ClockUse clock = ClockUse::none;
  std::uint32_t clock_bound = 0;  ///< see TableHeader
  /// Largest code that occurs; decides the packing. Outcomes without a clock may always say 2.
  Code largest_code = 0;
  Compression compression = Compression::fast;
  std::string generator;
};

/// What a table of the same values is to be; compression and generator are those of a new
/// TableSpec.
TableSpec spec_of(const TableHeader& header);

/// Fills `codes` with the values of slots first, first + 1, ... Called from several threads at
/// once, for different blocks; must not throw.
using CodeSource = std::function<void(Slot first, std::span<Code> codes)>;

/// Writes the table atomically under `path` and returns its header. Blocks are compressed in
/// parallel by the current number of OpenMP threads; the bytes do not depend on that number.
/// Errors: system; bad_input when the spec contradicts itself or the codes.
Result<TableHeader> write_table(const TableSpec& spec, const CodeSource& source,
                                const std::filesystem::path& path, const ClassCache& cache);

}  // namespace mtb
