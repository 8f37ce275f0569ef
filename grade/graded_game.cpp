#include "grade/graded_game.h"

#include "game/repetition.h"
#include "game/why_illegal.h"
#include "probe/rules_name.h"

namespace mtb {
namespace {

Result<Position> start_of(const Tablebase& base, const GameRecord& record,
                          Coordinates coordinates) {
  if (const std::string* rules = record.tag("Rules")) {
    const auto named = rule_set_named(*rules);
    if (named && *named != base.rules()) {
      return fail(Fault::bad_input,
                  "line " + std::to_string(record.line) + ": the game is one of the rules " +
                      *rules +
                      ", the tables are not; name tables of these rules, or take the tag away");
    }
  }
  for (const char* name : {"Position", "FEN"}) {
    const std::string* text = record.tag(name);
    if (text == nullptr) continue;
    const auto position =
        parse_position(*text, coordinates).and_then([&](const Position& position) {
          return validate(position, base.rules()).map([&] { return position; });
        });
    if (position) return *position;
    return fail(Fault::bad_input, "line " + std::to_string(record.line) + ": tag " + name + ": " +
                                      position.error().message);
  }
  return start_position(base.rules());
}

/// `line 7: move 12 of Black, d6-d5: d5 is taken`.
Error illegal_turn(const RecordedTurn& recorded, std::size_t ply, Colour side,
                   const std::string& reason) {
  return {Fault::bad_input, "line " + std::to_string(recorded.line) + ": move " +
                                std::to_string(ply / 2 + 1) + " of " +
                                (side == Colour::white ? "White" : "Black") + ", " + recorded.text +
                                ": " + reason};
}

}  // namespace

Result<GradedGame> grade_game(const Tablebase& base, const GameRecord& record,
                              Coordinates coordinates) {
  const Result<Position> start = start_of(base, record, coordinates);
  if (!start) return tl::unexpected(start.error());
  GradedGame game;
  game.last = *start;
  Repetitions seen;
  seen.add(*start);
  const std::size_t first_ply = start->side == Colour::black ? 1 : 0;
  for (std::size_t i = 0; i < record.turns.size(); ++i) {
    const RecordedTurn& recorded = record.turns[i];
    const Position& before = game.last;
    const Result<Turn> turn = parse_turn(recorded.text, coordinates);
    std::optional<std::string> reason;
    if (!turn) {
      reason = turn.error().message;
    } else {
      reason = why_illegal(base.rules(), before, *turn, coordinates);
    }
    if (reason) {
      game.illegal = illegal_turn(recorded, first_ply + i, before.side, *reason);
      break;
    }
    GradedTurn graded{before, *turn, std::nullopt, false};
    Result<TurnGrade> grade = grade_turn(base, before, *turn);
    if (grade) {
      graded.grade = std::move(*grade);
    } else if (grade.error().fault != Fault::not_found &&
               grade.error().fault != Fault::not_supported) {
      return tl::unexpected(std::move(grade.error()));
    }
    game.last = play(base.rules(), before, *turn);
    graded.repeats = seen.add(game.last) >= 3;
    game.turns.push_back(std::move(graded));
  }
  game.verdict = verdict(base.rules(), game.last);
  return game;
}

}  // namespace mtb
