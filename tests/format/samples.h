// Tables with made-up values for the tests of this folder.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "format/table.h"
#include "format/table_writer.h"
#include "tests/random_placement.h"
#include "tests/temporary_folder.h"

namespace mtb::samples {

using tests::random_placement;
using tests::TemporaryFolder;

using Bytes = std::vector<char>;

inline Bytes read_bytes(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(in), {});
}

/// Overwrites in place: file systems may sync a file that was emptied first, which takes long.
inline void write_bytes(const std::filesystem::path& path, const Bytes& bytes) {
  const auto mode = std::ios::binary | std::ios::in | std::ios::out;
  std::fstream out(path, std::filesystem::exists(path) ? mode : mode | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  ASSERT_TRUE(out.good()) << path;
  std::filesystem::resize_file(path, bytes.size());
}

/// A number that looks random but depends on `x` alone.
constexpr std::uint64_t scrambled(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  x = (x ^ x >> 27) * 0x94D049BB133111EB;
  return x ^ x >> 31;
}

/// Made-up value of a slot: codes 0..largest, long runs of some, `largest` among them; whole blocks
/// of code 1 now and then.
constexpr Code made_up(Slot slot, Code largest) {
  if (slot == 0) return largest;
  if (slot / kBlockSlots % 4 == 2) return 1;
  if (scrambled(slot / 64) % 3 != 0) {
    return static_cast<Code>(scrambled(slot / 1000) % (std::min<unsigned>(largest, 2) + 1));
  }
  return static_cast<Code>(scrambled(slot) % (largest + 1u));
}

inline CodeSource made_up_source(Code largest) {
  return [largest](Slot first, std::span<Code> codes) {
    for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = made_up(first + i, largest);
  };
}

/// A table without a clock.
inline TableSpec spec(Sector sector, Metric metric, Code largest) {
  TableSpec spec;
  spec.sector = sector;
  spec.metric = metric;
  spec.key = default_key(sector);
  spec.largest_code = largest;
  spec.generator = "tests of format";
  return spec;
}

/// The same, with modelled blocks where that is possible.
inline TableSpec small(TableSpec spec) {
  spec.compression = Compression::small;
  return spec;
}

/// A table of outcomes with those by the clock.
inline TableSpec clock_spec(Sector sector) {
  TableSpec result = spec(sector, Metric::wdl, 4);
  result.rules.clock.plies = 50;
  result.clock = ClockUse::applied;
  return result;
}

/// A table of distances to the next shot, with outcomes on both sides of the bound.
inline TableSpec clock_distances(Sector sector, Code largest, std::uint16_t plies) {
  TableSpec result = spec(sector, Metric::dtc, largest);
  result.rules.clock.plies = plies;
  result.clock = ClockUse::applied;
  result.clock_bound = plies;
  return result;
}

}  // namespace mtb::samples
