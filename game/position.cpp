#include "game/position.h"

#include <string>

#include "game/notation.h"
#include "game/turns.h"

namespace mtb {
namespace {

constexpr std::string_view name(Colour colour) {
  return colour == Colour::white ? "White" : "Black";
}

std::optional<Ban> transformed(const std::optional<Ban>& ban, Symmetry symmetry) {
  if (!ban) return std::nullopt;
  return Ban{symmetry(ban->from), symmetry(ban->to)};
}

}  // namespace

Position start_position(const RuleSet& rules) {
  Position position;
  position.hand = {rules.cows, rules.cows};
  return position;
}

Position transformed(const Position& position, Symmetry symmetry) {
  Position image = position;
  for (Colour c : {Colour::white, Colour::black}) {
    image.cows[c] = symmetry(position.cows[c]);
    image.ban[c] = transformed(position.ban[c], symmetry);
  }
  return image;
}

Position colours_swapped(const Position& position) {
  Position swapped = position;
  swapped.side = other(position.side);
  for (Colour c : {Colour::white, Colour::black}) {
    swapped.cows[c] = position.cows[other(c)];
    swapped.hand[c] = position.hand[other(c)];
    swapped.ban[c] = position.ban[other(c)];
  }
  return swapped;
}

Result<void> validate(const Position& position, const RuleSet& rules) {
  const PointSet shared = position.cows[Colour::white] & position.cows[Colour::black];
  if (!shared.empty()) {
    return fail(Fault::bad_input,
                "both colours have a cow on " + to_string(*shared.begin()) + ", keep one of them");
  }
  for (Colour c : {Colour::white, Colour::black}) {
    if (position.total(c) > rules.cows) {
      return fail(Fault::bad_input, std::string(name(c)) + " has " +
                                        std::to_string(position.total(c)) +
                                        " cows on the board and in hand, the rules have " +
                                        std::to_string(rules.cows));
    }
  }
  if (position.total(Colour::white) < kMinCows && position.total(Colour::black) < kMinCows) {
    return fail(Fault::bad_input, "both players have fewer than three cows, one needs three");
  }
  if (position.owed != 0) {
    const int most = rules.shots == Shots::one ? 1 : 3;
    if (position.owed > most) {
      return fail(Fault::bad_input, std::to_string(position.owed) +
                                        " shots are owed, a turn earns at most " +
                                        std::to_string(most));
    }
    const Colour target = other(position.side);
    if (position.total(target) < kMinCows || targets(rules, position.cows[target]).empty()) {
      return fail(Fault::bad_input, "a shot is owed, but " + std::string(name(target)) +
                                        " has no cow that may be shot");
    }
  }
  for (Colour c : {Colour::white, Colour::black}) {
    const auto& ban = position.ban[c];
    if (ban && position.cows[c].contains(ban->to)) {
      return fail(Fault::bad_input, "the ban " + to_string(ban->from) + '-' + to_string(ban->to) +
                                        " of " + std::string(name(c)) +
                                        " leads onto a cow of that colour");
    }
  }
  return {};
}

}  // namespace mtb
