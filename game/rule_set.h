// Every parameter in which descriptions of Morabaraba differ, as one plain struct, and the rule
// sets that have a name.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "game/board.h"
#include "game/result.h"

namespace mtb {

inline constexpr int kMaxCows = 12;
inline constexpr int kMinCows = 3;  ///< fewer than this, on the board and in hand, has lost

enum class Shots : std::uint8_t { one, per_mill };  ///< earned by closing several mills at once
enum class Shooting : std::uint8_t { forced, optional };  ///< whether a shot may be declined
enum class Targets : std::uint8_t {
  free_first,  ///< TOML `protected`: cows in mills only when all of the opponent's are in mills
  strict,      ///< cows in mills never; without a free cow there is no shot
  any,
};
enum class Blocked : std::uint8_t { loss, pass, draw };  ///< no legal turn for the player to move
enum class FullBoard : std::uint8_t { loss, draw };      ///< all points occupied after placing
enum class ClockTrigger : std::uint8_t { always, either_at_three, both_at_three };
enum class Reform : std::uint8_t { none, cow_if_mill, mill, cow };  ///< bans A, B, C of the rules

/// Draw after `plies` plies of the moving phase without a shot, counted while the trigger holds.
struct Clock {
  std::uint16_t plies = 0;  ///< 0 = no clock; then the trigger is `always` and means nothing
  ClockTrigger trigger = ClockTrigger::always;
  bool operator==(const Clock&) const = default;
};

/// A plain value; the defaults are those of `malom`.
struct RuleSet {
  std::uint8_t cows = 12;  ///< in hand at the start, each: 3..12
  Diagonals diagonals = Diagonals::mills;
  Shots shots = Shots::one;
  Shooting shot = Shooting::forced;
  Targets targets = Targets::free_first;
  std::uint8_t fly_at = 3;  ///< 0 (never), 3 or 4 cows left
  Blocked blocked = Blocked::loss;
  FullBoard full_board = FullBoard::draw;
  Clock clock = {};
  Reform reform = Reform::none;
  bool operator==(const RuleSet&) const = default;
};

struct NamedRuleSet {
  std::string_view name;
  std::string_view source;  ///< where these rules are written, for a person
  RuleSet rules;
};

/// The nine named rule sets, in a fixed order.
std::span<const NamedRuleSet> named_rule_sets();

/// The rules of that name, if there are any.
std::optional<RuleSet> rule_set_named(std::string_view name);

/// Whether a re-forming ban comes with a shot only: a mill cannot be closed without one. Then a
/// position with a ban never comes back to its sector with that ban or another, and its value
/// follows from those of positions without bans.
constexpr bool bans_follow_shots(const RuleSet& rules) {
  return rules.reform == Reform::none ||
         (rules.shot == Shooting::forced && rules.targets != Targets::strict);
}

/// Reads the TOML text of a rule set. All keys must be there, unknown ones are refused, and so are
/// values out of range or in contradiction; the message names key, line and what is allowed.
/// `origin` (a file name, say) goes into messages. Error: bad_input.
Result<RuleSet> parse_rule_set(std::string_view toml, std::string_view origin);

/// The one text of a rule set: keys in fixed order, one a line, LF. parse_rule_set() reads it back.
std::string canonical_text(const RuleSet& rules);

/// The rules of a canonical text; nothing for any other text. For texts that come from files of
/// unknown origin: no parser of TOML sees them.
std::optional<RuleSet> read_canonical_text(std::string_view text);

/// XXH64 (seed 0) of the canonical text: identifies rules in table files.
std::uint64_t fingerprint(const RuleSet& rules);

}  // namespace mtb
