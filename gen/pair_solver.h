// Solving one pair by retrograde analysis, row by row (gen/README.md explains the method).
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>

#include "format/index.h"
#include "format/values.h"
#include "game/result.h"
#include "game/rule_set.h"
#include "gen/ban_table.h"
#include "gen/big_array.h"
#include "gen/lower_sector.h"
#include "gen/pair.h"

namespace mtb {

/// The finished sectors that shots lead to, each from the view of the player to move there; of dtw
/// their dtw tables, of dtc their wdl tables read through outcome_map(). A null
/// pointer where the sector has fewer than three cows on one side: the shot ends the game; and for
/// the other player's shots of an equal pair, which are the key's seen from the other side.
struct LowerSectors {
  const LowerSector* key_shoots_one = nullptr;    ///< (other-1)v(key)
  const LowerSector* key_shoots_two = nullptr;    ///< (other-2)v(key)
  const LowerSector* other_shoots_one = nullptr;  ///< (key-1)v(other)
  const LowerSector* other_shoots_two = nullptr;  ///< (key-2)v(other)

  /// In the same order, what bans change there; null pointers under rules without bans.
  std::array<const BanTable*, 4> bans{};
  /// What positions of the pair are worth after a move that earned no shot and left a ban behind,
  /// by the codes of a solution of the pair that came before; null: the ban is left out.
  const BanSearch* staying = nullptr;

  std::array<const LowerSector*, 4> all() const {
    return {key_shoots_one, key_shoots_two, other_shoots_one, other_shoots_two};
  }
};

/// Sectors that have to be finished before a pair, in the order of the members of LowerSectors.
/// A sector with fewer than three cows on one side, or that the rules never lead to, is empty {}.
std::array<Sector, 4> lower_sectors(Pair pair, const RuleSet& rules);

/// How far the work on a pair is.
struct SolveProgress {
  Metric metric = Metric::dtw;  ///< that is solved for
  enum class Phase : std::uint8_t { shots, distances };
  Phase phase = Phase::shots;
  std::uint32_t distance = 0;    ///< the distance in work, in plies
  std::uint64_t done_slots = 0;  ///< slots (both sectors) with a final value, draws not counted
  std::uint64_t all_slots = 0;
};
/// Called by one thread now and then, several times a second.
using SolveObserver = std::function<void(const SolveProgress&)>;

/// The values of a solved pair.
class SolvedPair {
 public:
  virtual ~SolvedPair() = default;
  /// What the codes are.
  virtual CodeMeaning meaning() const = 0;
  /// Codes of slots first, first + 1, ... of the sector in which the key's player is to move,
  /// or the other. Safe for concurrent use. For an equal pair both are the same.
  virtual void fill_codes(bool key_to_move, Slot first, std::span<Code> codes) const = 0;
  /// Largest code of that sector.
  virtual Code largest_code(bool key_to_move) const = 0;
};

/// Whether some position of a pair may have a ban that arose in the pair. Then the pair has to be
/// solved again and again, each time with the values before (LowerSectors::staying), until none
/// changes; these are exact.
bool bans_stay(Pair pair, const RuleSet& rules);

/// Bounds of the clock (TableHeader) for a pair's dtc: 0 without a clock, the clock's plies where
/// it runs. Where it does not run, no number of plies is too many, and a bound is any number that
/// no distance to a shot that keeps the outcome comes up to: the first of these is nearly always
/// enough, and tried first.
std::array<std::uint32_t, 2> clock_bounds(const RuleSet& rules, Pair pair);

/// What the outcomes of a lower sector are to a pair solved for dtc: by wdl code, the code that
/// LowerSectors hold for it.
std::array<Code, kOutcomeCount> outcome_map(std::uint32_t clock_bound);

/// Where the states of a pair are held while it is solved, and as long as the solved pair is there:
/// in files without names in a folder; in memory when that is empty, in pages of the reserve if
/// there is one.
struct StatePlace {
  std::filesystem::path folder;
  PageReserve* reserve = nullptr;
};

/// Solves a pair without cows in hand for dtw or dtc, by the current number of OpenMP threads; the
/// values do not depend on that number. Nothing when the clock does not run and wanted.clock_bound
/// is too small. Errors: not_supported when a distance reaches 65,534 (32,767 for
/// dtc) plies; those of LowerSector::failure(); system when the place has no room. Throws
/// std::bad_alloc only.
Result<std::unique_ptr<SolvedPair>> solve_pair(const RuleSet& rules, Pair pair, CodeMeaning wanted,
                                               const LowerSectors& lower, const ClassCache& cache,
                                               const SolveObserver& observe = {},
                                               const StatePlace& place = {});

/// What solve_pair() holds at once at most, lower sectors not counted, when all distances stay
/// below 510 plies.
struct SolverBytes {
  std::uint64_t states = 0;  ///< what may lie in StatePlace::folder
  std::uint64_t rest = 0;    ///< what is in memory in any case
  std::uint64_t all = 0;     ///< both; less than their sum where they are not held at once
};
SolverBytes solver_bytes(Pair pair, const RuleSet& rules, const ClassCache& cache);

}  // namespace mtb
