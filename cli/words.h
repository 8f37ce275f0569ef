// Positions and results in words and drawings, for people.
#pragma once

#include <string>

#include "format/table.h"
#include "game/position.h"
#include "game/rule_set.h"
#include "game/turns.h"

namespace mtb::cli {

/// `White`, `Black`.
std::string to_text(Colour colour);

/// `none`, `ignored`, `applied`.
std::string to_text(ClockUse clock);

/// How a game that is over came to its end: `White has fewer than three cows: Black wins`.
/// verdict(rules, position) is not `open`.
std::string how_it_ended(const RuleSet& rules, const Position& position);

/// The board in 14 lines: O White's cows, @ Black's, . free points; drawn lines as the rules have
/// them.
std::string draw_board(const Position& position, Diagonals diagonals);

}  // namespace mtb::cli
