// A recorded game, replayed and graded turn by turn.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "game/notation.h"
#include "game/record.h"
#include "grade/turn_grade.h"
#include "probe/tablebase.h"

namespace mtb {

struct GradedTurn {
  Position before;
  Turn turn;
  std::optional<TurnGrade> grade;  ///< nothing where the tables do not reach
  bool repeats = false;            ///< the position behind it was there twice before, or more often
};

struct GradedGame {
  std::vector<GradedTurn>
      turns;  ///< those that were legal; fewer than recorded after one that is not
  Position last;
  /// How the rules say that it stands at its end; a game may be given up before that.
  Verdict verdict = Verdict::open;
  std::optional<Error> illegal;  ///< of the turn that could not be replayed: its number and reason
  /// The record's result where it contradicts itself or the end of the game.
  std::optional<Error> contradiction;
};

/// Replays a record from the position of its tag `Position` or `FEN`, or from the start of a game.
/// A tag `Rules` that names a rule set must be that of the tables. Errors: bad_input (such a tag,
/// or two positions that differ); damaged, out_of_memory, too_many_files, system of the tables.
/// What tables are missing is no error.
Result<GradedGame> grade_game(const Tablebase& base, const GameRecord& record,
                              Coordinates coordinates = Coordinates::standard);

}  // namespace mtb
