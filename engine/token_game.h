// A game as engines are told it: moves and shots as tokens of their own.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "game/position.h"
#include "game/result.h"
#include "game/rule_set.h"
#include "game/turns.h"

namespace mtb {

/// The tokens of a turn: the placement or move, then each shot (`d6-d5`, `xb4`); `x-` for shots
/// that are declined, `--` for a pass.
std::vector<std::string> tokens_of(const Turn& turn);

/// A position that tokens are played on. Between a move that closes a mill and its shots, the
/// position owes them.
class TokenGame {
 public:
  TokenGame(const RuleSet& rules, const Position& start)
      : rules_(rules), position_(start), before_(start) {}

  const Position& position() const { return position_; }

  /// Plays one token, or a whole turn as one. A move after which a shot may be declined, with
  /// another player's move behind it, counts as declined. Error: bad_input, naming the token and
  /// why it cannot be played; the game stays as it was.
  Result<void> play(std::string_view token);

 private:
  Result<void> go_on(const Turn& turn, std::string_view token);

  RuleSet rules_;
  Position position_;
  Position before_;            ///< position_ when the turn that is being played began
  std::optional<Turn> begun_;  ///< what of that turn has been played, when it owes shots
};

}  // namespace mtb
