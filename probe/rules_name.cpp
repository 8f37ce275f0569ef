#include "probe/rules_name.h"

namespace mtb {

std::optional<std::string_view> rule_set_name(const RuleSet& rules) {
  for (const NamedRuleSet& named : named_rule_sets()) {
    if (named.rules == rules) return named.name;
  }
  return std::nullopt;
}

std::string hexadecimal(std::uint64_t value) {
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[value >> shift & 15];
  return text;
}

std::string describe_rules(const RuleSet& rules) {
  if (const auto name = rule_set_name(rules)) return "rules " + std::string(*name);
  return "rules with fingerprint " + hexadecimal(fingerprint(rules));
}

}  // namespace mtb
