#include "cli/words.h"

#include <array>
#include <string_view>

namespace mtb::cli {
namespace {

std::string why_it_ended(const RuleSet& rules, const Position& position) {
  for (const Colour c : {Colour::white, Colour::black}) {
    if (position.total(c) < kMinCows) return to_text(c) + " has fewer than three cows";
  }
  RuleSet unclocked = rules;
  unclocked.clock = {};
  if (verdict(unclocked, position) == Verdict::open) {
    return std::to_string(rules.clock.plies) + " plies have passed without a shot";
  }
  if (position.free_points().empty()) return "the board is full";
  return to_text(position.side) + " has no legal turn";
}

}  // namespace

std::string to_text(Colour colour) { return colour == Colour::white ? "White" : "Black"; }

std::string to_text(ClockUse clock) {
  switch (clock) {
    case ClockUse::none:
      break;
    case ClockUse::ignored:
      return "ignored";
    case ClockUse::applied:
      return "applied";
  }
  return "none";
}

std::string how_it_ended(const RuleSet& rules, const Position& position) {
  const std::string why = why_it_ended(rules, position);
  switch (verdict(rules, position)) {
    case Verdict::win:
      return why + ": " + to_text(position.side) + " wins";
    case Verdict::loss:
      return why + ": " + to_text(other(position.side)) + " wins";
    case Verdict::draw:
    case Verdict::open:
      break;
  }
  return why + ": a draw";
}

std::string draw_board(const Position& position, Diagonals diagonals) {
  // Each point is the letter of its place in the bit order, A..X; diagonals are / and \.
  constexpr std::array<std::string_view, 14> picture = {
      "7  A-----------B-----------C",  //
      "   | \\         |         / |", "6  |   I-------J-------K   |",
      "   |   | \\     |     / |   |", "5  |   |   Q---R---S   |   |",
      "   |   |   |       |   |   |",  "4  H---P---X       T---L---D",
      "   |   |   |       |   |   |",  "3  |   |   W---V---U   |   |",
      "   |   | /     |     \\ |   |", "2  |   O-------N-------M   |",
      "   | /         |         \\ |", "1  G-----------F-----------E",
      "   a   b   c   d   e   f   g"};
  std::string drawing;
  for (const std::string_view line : picture) {
    for (const char c : line) {
      if (c >= 'A' && c <= 'X') {
        const Point p = point(c - 'A');
        drawing += position.cows[Colour::white].contains(p)   ? 'O'
                   : position.cows[Colour::black].contains(p) ? '@'
                                                              : '.';
      } else {
        drawing += (c == '/' || c == '\\') && diagonals == Diagonals::none ? ' ' : c;
      }
    }
    drawing += '\n';
  }
  return drawing;
}

}  // namespace mtb::cli
