#include "game/board.h"

namespace mtb {
namespace {

constexpr int at(int ring, int spot) { return ring * kRingSize + (spot & (kRingSize - 1)); }

constexpr void join(Board& board, int a, int b) {
  const auto i = static_cast<std::size_t>(a);
  const auto j = static_cast<std::size_t>(b);
  board.neighbours[i] = board.neighbours[i].with(point(b));
  board.neighbours[j] = board.neighbours[j].with(point(a));
}

constexpr void add_line(Board& board, int a, int b, int c) {
  const PointSet line = PointSet().with(point(a)).with(point(b)).with(point(c));
  board.lines[static_cast<std::size_t>(board.line_count++)] = line;
  for (Point p : line) {
    const auto i = static_cast<std::size_t>(index(p));
    board.mates[i][board.mate_count[i]++] = line.without(p);
  }
}

constexpr Board make_board(Diagonals diagonals) {
  Board board;
  for (int ring = 0; ring < 3; ++ring) {
    for (int spot = 0; spot < kRingSize; ++spot) {
      join(board, at(ring, spot), at(ring, spot + 1));
      if (spot % 2 == 0) add_line(board, at(ring, spot), at(ring, spot + 1), at(ring, spot + 2));
    }
  }
  // Lines across the rings: midlines at odd spots always, diagonals at even spots by the rules.
  for (int spot = 0; spot < kRingSize; ++spot) {
    const bool diagonal = spot % 2 == 0;
    if (!diagonal || diagonals != Diagonals::none) {
      join(board, at(0, spot), at(1, spot));
      join(board, at(1, spot), at(2, spot));
    }
    if (!diagonal || diagonals == Diagonals::mills) {
      add_line(board, at(0, spot), at(1, spot), at(2, spot));
    }
  }
  return board;
}

constexpr std::array<Board, 3> kBoards = {
    make_board(Diagonals::mills), make_board(Diagonals::moves_only), make_board(Diagonals::none)};

}  // namespace

const Board& board(Diagonals diagonals) { return kBoards[static_cast<std::size_t>(diagonals)]; }

}  // namespace mtb
