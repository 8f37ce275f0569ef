#include "gen/cost.h"

#include <cmath>

#include "gen/key_moves.h"
#include "gen/pair_solver.h"

namespace mtb {
namespace {

/// Nanoseconds of one CPU for a unit of each kind of work, in the order of WorkKind. They belong to
/// the algorithm: `mtb_fit_cost` (bench/) finds them from the report of a run (`mtb gen --report`).
/// These are from the whole moving phase of `traditional`: the sum comes out 6 % too quick. Small
/// pairs, that are mostly drawn and soon solved, come out up to four times too slow, and those with
/// few free points, that have many distances, up to three times too quick.
constexpr Work kNanoseconds = {0, 0, 0, 0.157, 34.3, 0, 550, 0, 4.46, 5.41};

/// Bytes a slot of a table, compressed fast: the further the numbers of cows are apart, the fewer
/// positions are in doubt; the more cows, the more distances there are. Least squares of the
/// logarithms, over the whole moving phase of `traditional` and `tournament`
/// (data/reference/moving_phase.csv): the sums come out 3 % (distances) and 9 % (outcomes) low, and
/// the logarithms of single pairs deviate by 0.41 and 0.93.
struct SlotBytes {
  double level;
  double by_difference;
  double by_total;

  double operator()(Pair pair) const {
    return std::exp(level + by_difference * (pair.key - pair.other) + by_total * pair.total());
  }
};
constexpr SlotBytes kDistanceBytes = {-2.20, -0.294, 0.104};
constexpr SlotBytes kOutcomeBytes = {-3.10, -0.996, 0.079};

}  // namespace

Work amounts_of_work(Pair pair, const RuleSet& rules, const ClassCache& cache, Rounds rounds) {
  const double key = pair.key;
  const double other = pair.other;
  const double free = kPointCount - key - other;  // of both
  const auto rows = static_cast<double>(cache.get(pair.key)->count());
  const double sector = rows * pair.columns();
  const double sides = pair.equal() ? 1 : 2;
  const auto row_moves =
      static_cast<double>(estimated_key_moves(pair.key, cache.get(pair.key)->count(), rules));
  double directed_edges = 0;
  for (PointSet neighbours : board(rules.diagonals).neighbours) directed_edges += neighbours.size();

  Work work{};
  const auto amount = [&](WorkKind kind) -> double& {
    return work[static_cast<std::size_t>(kind)];
  };
  amount(WorkKind::states) = sides * sector;
  // A move is there where the other player has no cow on its destination.
  amount(WorkKind::key_moves) = row_moves * pair.columns() * free / (kPointCount - key);
  amount(WorkKind::row_moves) = row_moves;
  amount(WorkKind::key_shots) = sector * other;
  if (pair.equal()) {
    amount(WorkKind::mirrored) = sector;
  } else {
    const bool flies = pair.other <= rules.fly_at;
    const double start_taken = other / kPointCount;
    const double end_free = free / (kPointCount - 1);
    amount(flies ? WorkKind::flights : WorkKind::steps) =
        sector * (flies ? other * free : directed_edges * start_taken * end_free);
    amount(WorkKind::other_shots) = sector * key;
  }
  for (Sector lower : lower_sectors(pair, rules)) {
    if (lower == Sector{}) continue;
    amount(WorkKind::lower_slots) +=
        static_cast<double>(SectorIndex(lower, default_key(lower), cache).slots());
  }
  for (double& solving : work) solving *= rounds.solves;
  amount(WorkKind::written_slots) = sides * sector * rounds.tables;
  return work;
}

Cost cost_of(Pair pair, const RuleSet& rules, const ClassCache& cache, Rounds rounds) {
  const Work amounts = amounts_of_work(pair, rules, cache, rounds);
  Cost cost;
  for (std::size_t i = 0; i < amounts.size(); ++i) {
    (is_of_files(static_cast<WorkKind>(i)) ? cost.files : cost.solving) +=
        1e-9 * amounts[i] * kNanoseconds[i];
  }
  return cost;
}

std::uint64_t estimated_table_bytes(Pair pair, std::uint64_t slots, int tables) {
  const double bytes = kOutcomeBytes(pair) + kDistanceBytes(pair) * (tables - 1);
  return static_cast<std::uint64_t>(static_cast<double>(slots) * bytes);
}

}  // namespace mtb
