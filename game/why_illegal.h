// Why a turn may not be played.
#pragma once

#include <optional>
#include <string>

#include "game/notation.h"
#include "game/position.h"
#include "game/rule_set.h"
#include "game/turns.h"

namespace mtb {

/// The reason, for a person, in a few words (`d6 is taken`); nothing for a turn that is one of
/// legal_turns().
std::optional<std::string> why_illegal(const RuleSet& rules, const Position& position,
                                       const Turn& turn,
                                       Coordinates coordinates = Coordinates::standard);

}  // namespace mtb
