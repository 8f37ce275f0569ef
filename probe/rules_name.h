// How messages call a rule set.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "game/rule_set.h"

namespace mtb {

/// The name under which these very rules are known, if any.
std::optional<std::string_view> rule_set_name(const RuleSet& rules);

/// The 16 digits in which fingerprints and other hashes are written.
std::string hexadecimal(std::uint64_t value);

/// `rules traditional`, or `rules with fingerprint 0123456789abcdef` when they have no name.
std::string describe_rules(const RuleSet& rules);

}  // namespace mtb
