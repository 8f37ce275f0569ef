// Which tables the check of one table reads, and how much of them is held in memory.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "game/result.h"
#include "verify/index.h"
#include "verify/merit.h"
#include "verify/rules.h"
#include "verify/source.h"
#include "verify/values.h"

namespace mtb::deep {

/// A sector without cows in hand: cows of the mover and of the other player.
using Sector = std::pair<int, int>;

/// The sectors that turns from a sector lead to, itself perhaps among them.
std::vector<Sector> successors_of(Sector sector, const Rules& rules);

/// All that the check of a sector looks into: the same, and where players may have bans all that
/// comes after, and itself.
std::vector<Sector> sectors_needed(Sector sector, const Rules& rules);

/// How a table is gone through.
enum class Access : std::uint8_t {
  in_order,  ///< rows one after the other
  anywhere,
  exchanged,  ///< anywhere, of an equal sector and with the key not to move: Values::exchanged()
};

struct Need {
  const CodeSource* source;
  Geometry geometry;
  Scale scale;
  Access access = Access::anywhere;
};

/// Makes the values of each need, in the same order, within `memory_bytes`, of which `base_bytes`
/// are taken already. Errors: out_of_memory, with the figure that is needed; those of reading.
Result<std::vector<std::unique_ptr<Values>>> hold(const std::vector<Need>& needs, int threads,
                                                  std::uint64_t base_bytes,
                                                  std::optional<std::uint64_t> memory_bytes);

}  // namespace mtb::deep
