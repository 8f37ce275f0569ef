#include "grade/graded_game.h"

#include <string>
#include <string_view>

#include "game/repetition.h"
#include "game/text.h"
#include "game/why_illegal.h"
#include "probe/rules_name.h"

namespace mtb {
namespace {

std::string at_line(std::size_t line) { return "line " + std::to_string(line) + ": "; }

Result<Position> start_of(const Tablebase& base, const GameRecord& record,
                          Coordinates coordinates) {
  const auto wrong = [&](const std::string& what) {
    return fail(Fault::bad_input, at_line(record.line) + what);
  };
  if (const std::string* rules = record.tag("Rules")) {
    const auto named = rule_set_named(*rules);
    if (named && *named != base.rules()) {
      return wrong("the game is one of the rules " + quoted(std::string_view(*rules)) +
                   ", the tables are not; name tables of these rules, or take the tag away");
    }
  }
  std::optional<Position> start;
  for (const char* name : {"Position", "FEN"}) {
    const std::string* text = record.tag(name);
    if (text == nullptr) continue;
    const auto position =
        parse_position(*text, coordinates).and_then([&](const Position& position) {
          return validate(position, base.rules()).map([&] { return position; });
        });
    if (!position) {
      return wrong(std::string("tag ") + name + ": " + position.error().message);
    }
    if (start && *start != *position) {
      return wrong("the tags Position and FEN say different positions; take one away");
    }
    start = *position;
  }
  return start.value_or(start_position(base.rules()));
}

/// `line 7: move 12 of Black, d6-d5: d5 is taken`.
Error illegal_turn(const RecordedTurn& recorded, std::size_t ply, Colour side,
                   const std::string& reason) {
  return {Fault::bad_input, at_line(recorded.line) + "move " + std::to_string(ply / 2 + 1) +
                                " of " + (side == Colour::white ? "White" : "Black") + ", " +
                                quoted(std::string_view(recorded.text)) + ": " + reason};
}

/// What a result has to be when the game has ended by the rules.
std::optional<std::string> result_by_rules(const GradedGame& game) {
  const bool white = game.last.side == Colour::white;
  switch (game.verdict) {
    case Verdict::open:
      return std::nullopt;
    case Verdict::win:
      return white ? "1-0" : "0-1";
    case Verdict::loss:
      return white ? "0-1" : "1-0";
    case Verdict::draw:
      return "1/2-1/2";
  }
  return std::nullopt;
}

/// `*` contradicts nothing: a record may be one of a game that goes on elsewhere.
std::optional<Error> contradiction_of(const GameRecord& record, const GradedGame& game) {
  const auto is_said = [](const std::string& result) { return !result.empty() && result != "*"; };
  const std::string* tag = record.tag("Result");
  const auto contradiction = [&](const std::string& what) {
    return Error{Fault::bad_input, at_line(record.line) + what};
  };
  if (tag != nullptr && is_said(*tag) && is_said(record.result) && *tag != record.result) {
    return contradiction("the tag Result says " + quoted(std::string_view(*tag)) +
                         ", the end of the record " + quoted(std::string_view(record.result)));
  }
  const std::string& said = tag != nullptr && is_said(*tag) ? *tag : record.result;
  const auto by_rules = result_by_rules(game);
  if (!is_said(said) || !by_rules || *by_rules == said) return std::nullopt;
  return contradiction("the result is " + quoted(std::string_view(said)) +
                       ", but the game ended as " + *by_rules);
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
  if (!game.illegal) game.contradiction = contradiction_of(record, game);
  return game;
}

}  // namespace mtb
