#include "verify/needs.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

namespace mtb::deep {
namespace {

/// Blocks for each thread, of a table that stays in its file. Neighbouring rows of a sector lead to
/// neighbouring rows elsewhere, so that a few blocks serve for many rows.
constexpr std::uint64_t kBlocksAnywhere = 8;
constexpr std::uint64_t kBlocksInOrder = 2;

std::uint64_t whole_bytes(const Need& need) {
  return need.geometry.slots() * Values::bytes_a_slot(need.source->facts());
}

std::uint64_t least_bytes(const Need& need, int threads) {
  if (need.access == Access::exchanged) return 2 * whole_bytes(need);
  const std::uint64_t blocks = need.access == Access::in_order ? kBlocksInOrder : kBlocksAnywhere;
  return std::min(whole_bytes(need), blocks * static_cast<std::uint64_t>(threads) *
                                         Values::kBlockSlots *
                                         Values::bytes_a_slot(need.source->facts()));
}

}  // namespace

std::vector<Sector> successors_of(Sector sector, const Rules& rules) {
  const auto [mover, opponent] = sector;
  std::vector<Sector> sectors = {{opponent, mover}};
  for (int shots = 1; shots <= most_shots(rules, mover); ++shots) {
    if (opponent - shots >= kLeastCows) sectors.emplace_back(opponent - shots, mover);
  }
  return sectors;
}

std::vector<Sector> sectors_needed(Sector sector, const Rules& rules) {
  if (rules.reform == Reform::none) return successors_of(sector, rules);
  std::set<Sector> found = {sector};
  std::vector<Sector> order = {sector};
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const Sector& next : successors_of(order[i], rules)) {
      if (found.insert(next).second) order.push_back(next);
    }
  }
  return order;
}

Result<std::vector<std::unique_ptr<Values>>> hold(const std::vector<Need>& needs, int threads,
                                                  std::uint64_t base_bytes,
                                                  std::optional<std::uint64_t> memory_bytes) {
  std::vector<std::uint64_t> bytes;
  std::uint64_t taken = base_bytes;
  for (const Need& need : needs) taken += bytes.emplace_back(least_bytes(need, threads));
  const std::uint64_t limit = memory_bytes.value_or(std::numeric_limits<std::uint64_t>::max());
  if (taken > limit) {
    return fail(Fault::out_of_memory, "checking takes " + std::to_string((taken >> 20) + 1) +
                                          " MiB at least, give more with --memory");
  }
  // The smallest first: of these most fit.
  std::vector<std::size_t> order(needs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return whole_bytes(needs[i]); });
  for (const std::size_t i : order) {
    if (needs[i].access != Access::anywhere) continue;
    const std::uint64_t more = std::min(limit - taken, whole_bytes(needs[i]) - bytes[i]);
    bytes[i] += more;
    taken += more;
  }
  std::vector<std::unique_ptr<Values>> values;
  for (std::size_t i = 0; i < needs.size(); ++i) {
    const Need& need = needs[i];
    if (bytes[i] < whole_bytes(need)) {
      values.push_back(Values::in_file(*need.source, need.geometry, need.scale, bytes[i]));
      continue;
    }
    auto whole = Values::whole(*need.source, need.geometry, need.scale);
    if (!whole) return tl::unexpected(whole.error());
    values.push_back(need.access == Access::exchanged ? Values::exchanged(**whole)
                                                      : std::move(*whole));
  }
  return values;
}

}  // namespace mtb::deep
