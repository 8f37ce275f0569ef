#include "gen/key_moves.h"

#include <algorithm>

namespace mtb {
namespace {

PointSet destinations(Point from, PointSet key, const Board& board, bool flies) {
  const PointSet reach = flies ? ~key : board.neighbours[static_cast<std::size_t>(index(from))];
  return reach - key;
}

}  // namespace

KeyMoves::KeyMoves(const KeyClasses& classes, const RuleSet& rules) {
  const Board& board = mtb::board(rules.diagonals);
  const bool flies = classes.cows() <= rules.fly_at;
  const auto rows = static_cast<std::int64_t>(classes.count());
  first_.assign(classes.count() + std::size_t{1}, 0);

#pragma omp parallel for schedule(static)
  for (std::int64_t row = 0; row < rows; ++row) {
    const PointSet key = classes.representative(static_cast<std::uint32_t>(row));
    std::uint64_t count = 0;
    for (Point from : key) {
      count += static_cast<std::uint64_t>(destinations(from, key, board, flies).size());
    }
    first_[static_cast<std::size_t>(row) + 1] = count;
  }
  for (std::size_t row = 0; row < classes.count(); ++row) first_[row + 1] += first_[row];
  moves_.resize(first_.back());

#pragma omp parallel for schedule(dynamic, 256)
  for (std::int64_t row = 0; row < rows; ++row) {
    const PointSet key = classes.representative(static_cast<std::uint32_t>(row));
    KeyMove* out = moves_.data() + first_[static_cast<std::size_t>(row)];
    KeyMove* const begin = out;
    for (Point from : key) {
      for (Point to : destinations(from, key, board, flies)) {
        const PointSet moved = key.without(from).with(to);
        const auto canonical = classes.classify(moved);
        *out++ = {canonical.row, static_cast<std::uint8_t>(canonical.symmetry.number()), from, to,
                  static_cast<std::uint8_t>(board.mills_at(to, moved))};
      }
    }
    std::stable_sort(begin, out,
                     [](const KeyMove& a, const KeyMove& b) { return a.mills < b.mills; });
  }
}

std::uint64_t estimated_key_moves(int cows, std::uint64_t rows, const RuleSet& rules) {
  const auto k = static_cast<double>(cows);
  const double free = kPointCount - k;
  if (cows <= rules.fly_at) return rows * static_cast<std::uint64_t>(k * free);
  int edges = 0;
  for (PointSet neighbours : board(rules.diagonals).neighbours) edges += neighbours.size();
  // A directed edge is a move when its start is taken and its end is not.
  const double share = k * free / (kPointCount * (kPointCount - 1.0));
  return static_cast<std::uint64_t>(static_cast<double>(rows) * edges * share) + 1;
}

}  // namespace mtb
