// Going through all blocks of a table.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "format/table.h"
#include "game/first_error.h"
#include "game/result.h"

namespace mtb {

/// Calls visit(first slot, codes) for every block of a table that is prepared, by all threads of
/// OpenMP. Errors: those of TableFile::read_codes() and of visit, after which no more are visited.
inline Result<void> for_all_blocks(
    const TableFile& table,
    const std::function<Result<void>(Slot first, std::span<const Code> codes)>& visit) {
  FirstError error;
#pragma omp parallel
  {
    std::vector<Code> codes;
#pragma omp for schedule(dynamic, 4)
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(table.header().blocks); ++i) {
      if (error.any()) continue;
      const auto block = static_cast<std::uint64_t>(i);
      codes.resize(table.block_slots(block));
      const Result<void> done = table.read_codes(block, codes).and_then([&] {
        return visit(block * block_slots(table.header().coding), codes);
      });
      if (!done) error.tell(done.error());
    }
  }
  if (error.any()) return tl::unexpected(*error.get());
  return {};
}

}  // namespace mtb
