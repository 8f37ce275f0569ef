// What the values of a whole row must be: the key's set stands still, and what its moves do is
// worked out once for all columns.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "verify/plain.h"
#include "verify/turns.h"
#include "verify/values.h"

namespace mtb::deep {

/// The tables that the turns from one sector lead to. The key is the same player in all, so in the
/// others it is the mover where it is not in the sector that is checked; but where the key is shot
/// at twice or more it may be the other player.
struct Targets {
  /// The same cows, the other player to move, and the key as in the sector that is checked: of an
  /// equal sector, Values::exchanged().
  const Values* quiet = nullptr;
  /// By shots, one to three: fewer cows, the same key.
  std::array<const Values*, 4> shot{};
  /// All sectors, for turns that leave a ban; null under rules without.
  const Tables* all = nullptr;
};

/// Works out rows, one at a time; each thread has its own.
class RowChecker {
 public:
  RowChecker(const Game& game, const Geometry& sector, const Scale& scale, const Targets& targets);

  /// The codes that follow for a row, one for each column.
  void expect(std::uint32_t row, std::span<Code> codes);

 private:
  /// The points that the key leaves free, numbered in ascending order; and what of the board lies
  /// among them.
  struct Frame {
    Set key = 0;
    Set free = 0;
    int count = 0;                                    ///< of free points
    std::array<int, kPoints> points{};                ///< by number
    std::vector<Set> lines;                           ///< those wholly free
    std::array<Set, kPoints> ways{};                  ///< by number
    std::array<std::array<Set, 3>, kPoints> mates{};  ///< by number; see mate_count
    std::array<int, kPoints> mate_count{};
  };

  /// Takes sets of free points to those of another row, by seven points at a time.
  struct Relabelling {
    std::array<std::array<Set, 128>, 3> parts;
    Set operator()(Set set) const {
      return parts[0][set & 127] | parts[1][(set >> 7) & 127] | parts[2][set >> 14];
    }
  };

  void enter(std::uint32_t row);
  Merit& raise(std::size_t column, Merit merit) {
    return best_[column] = std::max(best_[column], merit);
  }
  Set in_mills(Set set) const;
  Set aims_at(Set set) const;
  int shots_for(int mills) const { return game_.rules().shot_per_mill || mills < 1 ? mills : 1; }
  /// After the symmetry, in the row of `representative`. A free point that is taken there, by the
  /// key's moved cow, goes nowhere.
  void relabel(int symmetry, Set representative, Relabelling& to) const;
  std::span<const Merit> fetch(const Values& values, std::span<const Merit> merits,
                               std::uint32_t row, std::vector<Merit>& room) const;

  void move_key();
  void move_key(int from, int to);
  /// `aims`: of `set`; `there`: the set as it lies in the rows of the targets.
  Merit shoot_others(Set set, Set aims, Set there, int owed, int shots,
                     const Relabelling& relabelling) const;
  void count_mills();
  void move_others();
  void move_others(std::size_t column);
  void collect_losses(Set removed, int owed, std::vector<Set>& losses) const;
  void score_shots_at_key(int owed);
  void be_blocked();
  Merit merit_when_blocked(std::size_t column, std::span<const Merit> passed, Set key_reach) const;
  /// The best of a move that leaves a ban, if it may be better than what is known. From and to are
  /// points.
  void take_banned(std::size_t column, Merit without_ban, int from, int to);

  const Game& game_;
  const Geometry& sector_;
  const Scale scale_;
  const Targets targets_;
  const bool key_moves_;
  const Ranks& ranks_ = Ranks::get();
  std::vector<Set> sets_;            ///< of the other player, by column, in numbers
  std::vector<Merit> quiet_merits_;  ///< by code
  std::array<std::vector<Merit>, 4> shot_merits_;
  std::optional<PlainChecker> plain_;  ///< under rules with bans

  std::uint32_t row_ = 0;
  Frame frame_;
  std::vector<Merit> best_;
  /// Points that are in at least one, two, three mills of the other player, by column.
  std::array<std::vector<Set>, 3> mills_;
  std::vector<Set> aims_;  ///< those that the key may shoot first, by column
  bool aims_known_ = false;
  std::vector<Merit> quiet_room_;
  std::array<std::vector<Merit>, 4> shot_rooms_;
  std::span<const Merit> quiet_row_;
  std::array<std::span<const Merit>, 4> shot_rows_;
  /// By shots owed: what shooting at the key is worth, by column, and whether none may be shot.
  std::array<std::vector<Merit>, 4> key_shots_;
  std::array<bool, 4> may_stay_quiet_{};
};

}  // namespace mtb::deep
