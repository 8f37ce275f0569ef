// Positions as text, in either form: refused with one line, or read, and then written and read as
// the same. What is valid under some rules can be played on.
#include <string>

#include "game/notation.h"
#include "game/turns.h"
#include "tests/fuzz/target.h"

namespace {

using namespace mtb;

void demand_same(const Position& position, const std::string& text, Coordinates coordinates) {
  const auto again = parse_position(text, coordinates);
  fuzz::demand(again.has_value() && *again == position);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto input = fuzz::bytes(data, size);
  const auto coordinates = static_cast<Coordinates>(fuzz::take(input, 1) % 3);
  const auto rule_sets = named_rule_sets();
  const RuleSet& rules = rule_sets[fuzz::take(input, 1) % rule_sets.size()].rules;
  const std::string_view text(reinterpret_cast<const char*>(input.data()), input.size());
  const auto position = parse_position(text, coordinates);
  if (!position) {
    fuzz::demand(position.error().message.find('\n') == std::string::npos);
    fuzz::demand(!position.error().message.empty());
    return 0;
  }
  demand_same(*position, to_string(*position, coordinates), coordinates);
  if (!validate(*position, rules)) return 0;
  demand_same(*position, to_fen(*position), coordinates);
  for (const Turn& turn : legal_turns(rules, *position)) {
    const auto read = parse_turn(to_string(turn, coordinates), coordinates);
    fuzz::demand(read.has_value() && *read == turn);
    const Position after = play(rules, *position, turn);
    static_cast<void>(verdict(rules, after));
  }
  return 0;
}
