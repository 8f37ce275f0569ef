#include "game/notation.h"

#include <array>
#include <cctype>
#include <optional>

#include "game/text.h"

namespace mtb {
namespace {

constexpr std::array<std::string_view, kPointCount> kNames = {
    "a7", "d7", "g7", "g4", "g1", "d1", "a1", "a4",   // outer
    "b6", "d6", "f6", "f4", "f2", "d2", "b2", "b4",   // middle
    "c5", "d5", "e5", "e4", "e3", "d3", "c3", "c4"};  // inner

constexpr std::string_view kMssaRings = "EAR";

constexpr std::array<std::string_view, 3> kCoordinateNames = {"standard", "mssa", "numbers"};
constexpr std::array<std::string_view, 3> kPointForms = {"a1..g7", "E1..E8, A1..A8 or R1..R8",
                                                         "01..24"};

constexpr std::string_view form(Coordinates coordinates) {
  return kPointForms[static_cast<std::size_t>(coordinates)];
}

std::optional<Point> find_point(std::string_view text, Coordinates coordinates) {
  if (text.size() != 2) return std::nullopt;
  for (int i = 0; i < kPointCount; ++i) {
    if (to_string(point(i), coordinates) == text) return point(i);
  }
  return std::nullopt;
}

}  // namespace

// ---- Points

std::string to_string(Point p, Coordinates coordinates) {
  const int i = index(p);
  switch (coordinates) {
    case Coordinates::standard:
      break;
    case Coordinates::mssa:
      return kMssaRings[static_cast<std::size_t>(i / kRingSize)] +
             std::to_string(i % kRingSize + 1);
    case Coordinates::numbers:
      return (i < 9 ? "0" : "") + std::to_string(i + 1);
  }
  return std::string(kNames[static_cast<std::size_t>(i)]);
}

Result<Point> parse_point(std::string_view text, Coordinates coordinates) {
  if (const auto p = find_point(text, coordinates)) return *p;
  return fail(Fault::bad_input,
              quoted(text) + " is no point, write " + std::string(form(coordinates)));
}

Result<Coordinates> parse_coordinates(std::string_view name) {
  for (std::size_t i = 0; i < kCoordinateNames.size(); ++i) {
    if (kCoordinateNames[i] == name) return static_cast<Coordinates>(i);
  }
  return fail(Fault::bad_input,
              "coordinates " + quoted(name) + " are unknown, write standard, mssa or numbers");
}

// ---- Turns

std::string to_string(const Turn& turn, Coordinates coordinates) {
  std::string text;
  switch (turn.kind) {
    case Turn::Kind::pass:
      return "--";
    case Turn::Kind::place:
      text = to_string(turn.to, coordinates);
      break;
    case Turn::Kind::move:
      text = to_string(turn.from, coordinates) + '-' + to_string(turn.to, coordinates);
      break;
    case Turn::Kind::shoot:
      break;
  }
  for (std::size_t i = 0; i < turn.shot_count; ++i) {
    text += 'x' + to_string(turn.shots[i], coordinates);
  }
  if (turn.declined) text += "x-";
  return text;
}

Result<Turn> parse_turn(std::string_view text, Coordinates coordinates) {
  Turn turn;
  if (text == "--") return turn;

  std::size_t at = 0;
  const auto wrong = [&](std::string_view wanted) {
    return fail(Fault::bad_input, "turn " + quoted(text) + ", character " + std::to_string(at + 1) +
                                      ": " + std::string(wanted) + " is wanted");
  };
  const auto take_point = [&](Point& into) {
    const auto p = find_point(text.substr(at, 2), coordinates);
    if (!p) return false;
    into = *p;
    at += 2;
    return true;
  };
  const std::string a_point = "a point (" + std::string(form(coordinates)) + ")";

  if (text.empty() || text[0] != 'x') {
    turn.kind = Turn::Kind::place;
    if (!take_point(turn.to)) return wrong(a_point);
    if (at < text.size() && text[at] == '-') {
      turn.kind = Turn::Kind::move;
      turn.from = turn.to;
      ++at;
      if (!take_point(turn.to)) return wrong(a_point);
    }
  } else {
    turn.kind = Turn::Kind::shoot;
  }
  while (at < text.size()) {
    if (turn.declined) return wrong("the end, after x-,");
    if (text[at] != 'x') return wrong("a shot (x and a point) or the end");
    ++at;
    if (text.substr(at) == "-") {
      turn.declined = true;
      ++at;
    } else if (turn.shot_count == turn.shots.size()) {
      --at;
      return wrong("the end, after three shots,");
    } else if (!take_point(turn.shots[turn.shot_count])) {
      return wrong(a_point + " or a final -");
    } else {
      ++turn.shot_count;
    }
  }
  return turn;
}

}  // namespace mtb
