// The working state of a slot while its pair is being solved, and scores of shots.
#pragma once

#include <cstdint>
#include <optional>

#include "format/values.h"
#include "game/position.h"
#include "game/turns.h"
#include "gen/key_moves.h"
#include "gen/lower_sector.h"
#include "gen/pair.h"
#include "gen/pair_solver.h"
#include "gen/subset_table.h"

namespace mtb {

/// One unsigned word a slot. Below kOpen: the distance to the end, final once the sweep has reached
/// it, until then the best known; even for a loss and odd for a win. Of dtw that is the number of
/// plies; of dtc, whose plies may be even or odd, twice that, and one more for a win. From kOpen
/// on: not decided, with the number of quiet moves that are not known to lose (one more, never to
/// be settled, when a shot holds the draw or the rules call a blocked player's game drawn), and
/// half the distance of the slowest losing shot.
template <class Word>
struct StateCode {
  using State = Word;
  static constexpr int kWidth = 8 * static_cast<int>(sizeof(Word));
  static constexpr int kLossBits = kWidth - 8;  // leaves 7 bits for up to 80 moves, and kOpen
  static constexpr State kOpen = static_cast<State>(State{1} << (kWidth - 1));
  static constexpr State kOneMove = static_cast<State>(State{1} << kLossBits);
  static constexpr State kLossMask = static_cast<State>(kOneMove - 1);
  static constexpr State kMoveMask = static_cast<State>((kOpen - 1) & ~kLossMask);
  /// Codes have 16 bits, and half a loss has kLossBits.
  static constexpr std::uint32_t kMaxDistance = kWidth == 16 ? 510 : 65534;

  /// `slowest_loss`: even, 0 when no shot loses.
  static constexpr State open(std::uint32_t moves, std::uint32_t slowest_loss) {
    return static_cast<State>(kOpen | moves * kOneMove | slowest_loss / 2);
  }
  static constexpr bool is_open(State state) { return (state & kOpen) != 0; }
  /// Open, and without an open move: every move and shot is known to lose.
  static constexpr bool is_lost(State state) { return (state & (kOpen | kMoveMask)) == kOpen; }
  /// An open state with `moves` open moves less; a decided one stays as it is.
  static constexpr State moves_less(State state, std::uint32_t moves) {
    return static_cast<State>(state - ((state >> (kWidth - 1)) * moves << kLossBits));
  }
  static constexpr State slowest_loss(State state) {
    return static_cast<State>((state & kLossMask) * 2);
  }

  // Scores compare what shots lead to: better for the shooter is larger; 0 when there is no shot.
  static constexpr State kNoShot = 0;
  static constexpr State kDrawScore = kOpen / 2;
  static constexpr State win_score(std::uint32_t plies) {
    return static_cast<State>(kOpen - plies);
  }
  static constexpr State loss_score(std::uint32_t plies) { return static_cast<State>(plies + 1); }
  static constexpr bool wins(State score) { return score > kDrawScore; }
  static constexpr std::uint32_t win_plies(State score) { return kOpen - score; }
  static constexpr std::uint32_t loss_plies(State score) { return score - 1u; }

  /// Score of a move to a position of the pair where the opponent, to move, has the value `code`;
  /// nothing when the distance is too large for the width. `win_step`: PairTask::win_step().
  static constexpr std::optional<State> score_after_move(Code code, std::uint32_t win_step) {
    if (code == dtw_code::draw()) return kDrawScore;
    // By one ply more, the code of a decided value is the distance before it (of dtc, doubled).
    const bool won = code % 2 != 0;
    const std::uint32_t distance = won ? code - 1u + win_step : code;
    if (distance > kMaxDistance) return std::nullopt;
    return won ? win_score(distance) : loss_score(distance);
  }
  /// Score of a shot after which the opponent, to move, has the value `code` (LowerSector).
  static constexpr State score_after(Code code) {
    // With no branches: codes are as good as random. A decided code is the distance of the shot
    // that leads there, odd for the opponent's loss.
    const State won = win_score(code);
    const State lost = loss_score(code);
    const State decided = code % 2 != 0 ? won : lost;
    return code == dtw_code::draw() ? kDrawScore : decided;
  }
};

/// Lower codes of one byte and states of 16 bits: all that ordinary pairs need.
struct NarrowWidth : StateCode<std::uint16_t> {
  using LowerCode = std::uint8_t;
};

/// For pairs with distances beyond 510 plies, or above sectors with codes of two bytes.
struct WideWidth : StateCode<std::uint32_t> {
  using LowerCode = Code;
};

/// The other player's sets as columns: of the pair itself, and of the sectors that shots lead to.
struct PairColumns {
  explicit PairColumns(Pair pair)
      : own(kPointCount - pair.key, pair.other),
        after_one(kPointCount - pair.key, pair.other - 1),
        after_two(kPointCount - pair.key, pair.other - 2),
        key_less(kPointCount - pair.key + 1, pair.other),
        key_two_less(kPointCount - pair.key + 2, pair.other) {}

  SubsetTable own;
  SubsetTable after_one;     ///< one cow of the other player shot
  SubsetTable after_two;     ///< two cows of the other player shot
  SubsetTable key_less;      ///< a cow of the key shot: one free point more
  SubsetTable key_two_less;  ///< two cows of the key shot
};

/// What all steps of solving a pair refer to.
struct PairTask {
  const RuleSet& rules;
  Pair pair;
  Metric metric;  ///< dtw or dtc
  const LowerSectors& lower;
  const ClassCache& cache;
  const KeyClasses& classes;  ///< of the key: the rows
  const PairColumns& all_columns;
  const KeyMoves& key_moves;
  const Board& board;

  const SubsetTable& columns() const { return all_columns.own; }
  bool key_flies() const { return pair.key <= rules.fly_at; }
  bool other_flies() const { return pair.other <= rules.fly_at; }
  /// By how much the distance of a win exceeds that of the loss that its best move leads to. (The
  /// distance of a loss exceeds by 1 that of the win.)
  std::uint32_t win_step() const { return metric == Metric::dtc ? 3 : 1; }
  std::size_t slot_count() const { return std::size_t{classes.count()} * columns().count(); }

  /// Which of `cows`, those of `in_mills` in mills, may be shot under the rules. Works on board
  /// sets and on compact ones.
  std::uint32_t targets(std::uint32_t cows, std::uint32_t in_mills) const {
    if (rules.targets == Targets::any) return cows;
    const std::uint32_t free = cows & ~in_mills;
    return free == 0 && rules.targets == Targets::free_first ? cows : free;
  }
  PointSet targets(PointSet cows) const { return mtb::targets(rules, cows); }
  /// Whether a mill can be closed without a shot, so that the position stays in the pair.
  bool has_quiet_mills() const {
    return rules.shot == Shooting::optional || rules.targets == Targets::strict;
  }
  /// Whether it can where `cows`, those of `in_mills` in mills, are the opponent's.
  bool is_quiet_mill(std::uint32_t cows, std::uint32_t in_mills) const {
    return rules.shot == Shooting::optional || targets(cows, in_mills) == 0;
  }
  /// The ban that a move leaves behind when it closes a mill; `before` is the set it started from.
  std::optional<Ban> ban_after(Point from, Point to, PointSet before) const {
    if (rules.reform == Reform::none || board.mills_at(from, before) == 0) return std::nullopt;
    return Ban{to, from};
  }
  /// Whether a key move, when it earns no shot, leads to a position with a ban, which is no slot of
  /// the pair. `key` is the set it starts from.
  bool leaves_slots(const KeyMove& move, PointSet key) const {
    return lower.staying != nullptr && move.mills > 0 && ban_after(move.from, move.to, key);
  }
  /// Shots earned by closing `mills` mills at once.
  int shots_for(int mills) const { return rules.shots == Shots::one && mills > 1 ? 1 : mills; }
};

}  // namespace mtb
