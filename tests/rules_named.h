// Named rule sets for tests.
#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "game/rule_set.h"

namespace mtb::tests {

/// Fails the test when there is no such name.
inline RuleSet rules_named(std::string_view name) {
  const auto rules = rule_set_named(name);
  if (!rules) ADD_FAILURE() << "no rule set " << name;
  return rules.value_or(RuleSet{});
}

}  // namespace mtb::tests
