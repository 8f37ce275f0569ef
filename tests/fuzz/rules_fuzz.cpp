// Rule sets as text: refused with one line, or read, and then written and read as the same.
#include "game/rule_set.h"
#include "tests/fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mtb;
  const auto canonical = read_canonical_text(fuzz::text(data, size));
  const auto rules = parse_rule_set(fuzz::text(data, size), "input");
  fuzz::demand(!canonical || (rules && *rules == *canonical));
  if (!rules) {
    fuzz::demand(rules.error().message.find('\n') == std::string::npos);
    return 0;
  }
  const std::string text = canonical_text(*rules);
  const auto again = parse_rule_set(text, "its own text");
  fuzz::demand(again.has_value() && *again == *rules && read_canonical_text(text) == *rules);
  return 0;
}
