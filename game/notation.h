// Text forms of points, turns and positions.
#pragma once

#include <string>
#include <string_view>

#include "game/position.h"
#include "game/result.h"
#include "game/turns.h"

namespace mtb {

/// How points are written: `standard` a1..g7; `mssa` E1..E8 outer, A1..A8 middle, R1..R8 inner;
/// `numbers` 01..24. The latter two run clockwise from the top left of each ring, outer to inner.
enum class Coordinates : std::uint8_t { standard, mssa, numbers };

std::string to_string(Point p, Coordinates coordinates = Coordinates::standard);
Result<Point> parse_point(std::string_view text, Coordinates coordinates = Coordinates::standard);
Result<Coordinates> parse_coordinates(std::string_view name);

/// One token: `d6`, `d6xb4`, `d6-d5xb4xg7`, `d6-d5x-` (declined), `--` (pass), `xb4` (owed shots).
std::string to_string(const Turn& turn, Coordinates coordinates = Coordinates::standard);

/// Reads one token. Says nothing about legality. Error: bad_input, with the place in the token.
Result<Turn> parse_turn(std::string_view text, Coordinates coordinates = Coordinates::standard);

/// The form for people: `<hand> <white> <black> <side> [<white ban> <black ban> [<clock>]]`; the
/// last two groups are written only when they say something. Cannot express owed shots: a position
/// that owes some is written as FEN instead.
std::string to_string(const Position& position, Coordinates coordinates = Coordinates::standard);

/// The form for engines: 17 fields, standing mills as 0, move number 1, `ids:nodes`.
std::string to_fen(const Position& position);

/// Reads either form (a FEN is known by its `/`). `coordinates` applies to the form for people.
/// Only the text is checked here, contradicting counts included; see validate() for the rest.
/// Error: bad_input, naming the field.
Result<Position> parse_position(std::string_view text,
                                Coordinates coordinates = Coordinates::standard);

}  // namespace mtb
