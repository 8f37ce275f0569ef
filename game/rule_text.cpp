#include <array>
#include <string>

#include "game/rule_set.h"

namespace mtb {
namespace {

// The words of the rules text, in the order of the enumerators.
constexpr std::array<std::string_view, 3> kDiagonals = {"mills", "moves_only", "none"};
constexpr std::array<std::string_view, 2> kShots = {"one", "per_mill"};
constexpr std::array<std::string_view, 2> kShooting = {"forced", "optional"};
constexpr std::array<std::string_view, 3> kTargets = {"protected", "strict", "any"};
constexpr std::array<std::string_view, 3> kBlocked = {"loss", "pass", "draw"};
constexpr std::array<std::string_view, 2> kFullBoard = {"loss", "draw"};
constexpr std::array<std::string_view, 3> kTriggers = {"always", "either_at_three",
                                                       "both_at_three"};
constexpr std::array<std::string_view, 4> kReform = {"none", "cow_if_mill", "mill", "cow"};

/// `"word"`, as TOML writes it.
template <class Enum, std::size_t N>
std::string word(const std::array<std::string_view, N>& words, Enum value) {
  return '"' + std::string(words[static_cast<std::size_t>(value)]) + '"';
}

}  // namespace

std::string canonical_text(const RuleSet& rules) {
  const std::string clock = rules.clock.plies == 0
                                ? "\"off\""
                                : "{ plies = " + std::to_string(rules.clock.plies) +
                                      ", trigger = " + word(kTriggers, rules.clock.trigger) + " }";
  return "cows = " + std::to_string(rules.cows) +
         "\ndiagonals = " + word(kDiagonals, rules.diagonals) +
         "\nshots = " + word(kShots, rules.shots) + "\nshot = " + word(kShooting, rules.shot) +
         "\ntargets = " + word(kTargets, rules.targets) +
         "\nfly_at = " + std::to_string(rules.fly_at) +
         "\nblocked = " + word(kBlocked, rules.blocked) +
         "\nfull_board = " + word(kFullBoard, rules.full_board) + "\nclock = " + clock +
         "\nreform = " + word(kReform, rules.reform) + '\n';
}

}  // namespace mtb
