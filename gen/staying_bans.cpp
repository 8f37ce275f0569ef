#include "gen/staying_bans.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gen/ban_search.h"

namespace mtb {
namespace {

/// Puts the values of a solved pair among those that are looked up.
void keep_values(Pair pair, const SolvedPair& solved, FinishedSectors& finished,
                 const ClassCache& cache) {
  for (const Sector sector : pair.sectors()) {
    const bool key_to_move = sector == pair.key_to_move();
    finished.add(sector,
                 LowerSector::from_codes(SectorIndex(sector, default_key(sector), cache),
                                         solved.largest_code(key_to_move),
                                         [&](Slot first, std::span<Code> codes) {
                                           solved.fill_codes(key_to_move, first, codes);
                                         }),
                 solved.meaning());
  }
}

/// Whether all values of a solved pair are those that are looked up.
bool has_values(Pair pair, const SolvedPair& solved, const FinishedSectors& finished) {
  for (const Sector sector : pair.sectors()) {
    const LowerSector& values = finished.values(sector);
    const std::uint64_t slots = values.index().slots();
    const auto blocks = static_cast<std::int64_t>((slots + kBlockSlots - 1) / kBlockSlots);
    bool equal = true;
#pragma omp parallel for schedule(dynamic, 4) reduction(&& : equal)
    for (std::int64_t block = 0; block < blocks; ++block) {
      const Slot first = static_cast<std::uint64_t>(block) * kBlockSlots;
      std::vector<Code> codes(std::min<std::uint64_t>(kBlockSlots, slots - first));
      solved.fill_codes(sector == pair.key_to_move(), first, codes);
      for (std::size_t i = 0; i < codes.size(); ++i) {
        equal = equal && codes[i] == values.code(first + i);
      }
    }
    if (!equal) return false;
  }
  return true;
}

}  // namespace

Result<std::unique_ptr<SolvedPair>> solve_with_staying_bans(const RuleSet& rules, Pair pair,
                                                            Metric metric, LowerSectors lower,
                                                            FinishedSectors& finished,
                                                            const ClassCache& cache,
                                                            const SolveOnce& solve_once) {
  auto solved = solve_once(lower);
  const BanSearch search(rules, metric, finished);
  lower.staying = &search;
  for (bool changed = true; changed && solved && *solved != nullptr;) {
    keep_values(pair, **solved, finished, cache);
    solved->reset();  // two solutions at once would take twice the memory
    solved = solve_once(lower);
    if (auto error = finished.failure()) return tl::unexpected(std::move(*error));
    changed = solved && *solved != nullptr && !has_values(pair, **solved, finished);
  }
  return solved;
}

}  // namespace mtb
