// All finished sectors that games from a pair may come to, for looking up single positions.
#pragma once

#include <array>
#include <optional>

#include "format/values.h"
#include "game/board.h"
#include "game/sector.h"
#include "gen/lower_sector.h"

namespace mtb {

/// Values of whole sectors without cows in hand by position, in the codes of their tables (dtw or
/// dtc). Safe for concurrent use once all sectors are added.
class FinishedSectors {
 public:
  void add(Sector sector, LowerSector values, CodeMeaning meaning) {
    place(sector.mover, sector.opponent).emplace(Entry{std::move(values), meaning});
  }

  /// Of a sector that was added.
  const LowerSector& values(Sector sector) const {
    return place(sector.mover, sector.opponent)->values;
  }
  CodeMeaning meaning(int mover, int opponent) const { return place(mover, opponent)->meaning; }

  /// The value for the player of the cows `mover`, who is to move, nobody carrying a ban.
  Code code(PointSet mover, PointSet opponent) const {
    const LowerSector& sector = place(mover.size(), opponent.size())->values;
    return sector.code(sector.index().slot({mover, opponent}));
  }

  /// The first error in reading a sector from its file, see LowerSector::failure().
  std::optional<Error> failure() const {
    for (const auto& entry : entries_) {
      if (!entry) continue;
      if (std::optional<Error> error = entry->values.failure()) return error;
    }
    return std::nullopt;
  }

 private:
  struct Entry {
    LowerSector values;
    CodeMeaning meaning;
  };
  static constexpr std::size_t kSides = kMaxCows + 1;

  static std::size_t number(int mover, int opponent) {
    return static_cast<std::size_t>(mover) * kSides + static_cast<std::size_t>(opponent);
  }
  std::optional<Entry>& place(int mover, int opponent) { return entries_[number(mover, opponent)]; }
  const std::optional<Entry>& place(int mover, int opponent) const {
    return entries_[number(mover, opponent)];
  }

  std::array<std::optional<Entry>, kSides * kSides> entries_;
};

}  // namespace mtb
