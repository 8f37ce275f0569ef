#include "game/notation.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <set>
#include <vector>

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

std::string move_text(Point from, Point to, Coordinates coordinates) {
  return to_string(from, coordinates) + '-' + to_string(to, coordinates);
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
      return std::string(i < 9 ? "0" : "") + std::to_string(i + 1);
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
      text = move_text(turn.from, turn.to, coordinates);
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

// ---- Positions

namespace {

constexpr std::size_t kFenFields = 17;

/// Nodes of the engines' form: three rings from the inside out, each clockwise from twelve o'clock,
/// where our rings run from the outside in and start one step earlier, at the top left.
constexpr Point point_of_node(int node) {
  const int ring = 2 - node / kRingSize;
  return point(ring * kRingSize + (node + 1) % kRingSize);
}

constexpr int node_of_point(Point p) {
  const int ring = 2 - index(p) / kRingSize;
  return ring * kRingSize + (index(p) + kRingSize - 1) % kRingSize;
}

std::string_view letter(Colour colour) { return colour == Colour::white ? "w" : "b"; }

/// Reads fields one by one and remembers the first that is wrong; after it every reading function
/// still returns some value, which nobody gets to see.
class FieldReader {
 public:
  explicit FieldReader(Coordinates coordinates) : coordinates_(coordinates) {}

  Result<Position> result(const Position& position) const {
    if (error_.empty()) return position;
    return fail(Fault::bad_input, error_);
  }

  void refuse(std::string_view field, std::string_view text, const std::string& wanted) {
    say("position field " + std::string(field) + ": " + quoted(text) + " is not " + wanted);
  }

  /// Says `reason` about a field unless it holds.
  void demand(bool holds, std::string_view field, const std::string& reason) {
    if (!holds) say("position field " + std::string(field) + ": " + reason);
  }

  template <class Number>
  Number number(std::string_view field, std::string_view text,
                std::uint64_t most = std::numeric_limits<Number>::max()) {
    const auto value = parse_number(text, most);
    if (!value) refuse(field, text, "a number 0.." + std::to_string(most));
    return static_cast<Number>(value.value_or(0));
  }

  Colour side(std::string_view text) {
    if (text != "w" && text != "b") refuse("side", text, "w or b");
    return text == "b" ? Colour::black : Colour::white;
  }

  PerColour<std::uint8_t> hands(std::string_view text) {
    const auto parts = split(text, ',');
    if (parts.size() != 2) {
      refuse("hand", text, "two numbers, White's and Black's, as in 12,12");
      return {};
    }
    return {number<std::uint8_t>("hand", parts[0], kMaxCows),
            number<std::uint8_t>("hand", parts[1], kMaxCows)};
  }

  PointSet points(std::string_view field, std::string_view text) {
    PointSet points;
    if (text == "-") return points;
    for (std::string_view part : split(text, ',')) {
      const auto p = find_point(part, coordinates_);
      if (!p) refuse(field, part, "a point (" + std::string(form(coordinates_)) + ")");
      if (!p) break;
      demand(!points.contains(*p), field, quoted(part) + " is there twice");
      points = points.with(*p);
    }
    return points;
  }

  std::optional<Ban> ban(std::string_view field, std::string_view text) {
    if (text == "-") return std::nullopt;
    const auto from = find_point(text.substr(0, 2), coordinates_);
    const auto to = find_point(text.substr(std::min<std::size_t>(text.size(), 3)), coordinates_);
    if (!from || !to || from == to || text[2] != '-') {
      refuse(field, text, "a move as in " + move_text(point(9), point(1), coordinates_) + ", or -");
      return std::nullopt;
    }
    return Ban{*from, *to};
  }

  /// The engines' last mill move X-Y, which bans Y-X.
  std::optional<Ban> mill_move(std::string_view from_field, std::string_view from,
                               std::string_view to_field, std::string_view to) {
    const int x = node(from_field, from);
    const int y = node(to_field, to);
    demand((x < 0) == (y < 0), to_field,
           "only one of " + std::string(from_field) + " and " + std::string(to_field) + " is -1");
    demand(x < 0 || x != y, to_field, "the same node as " + std::string(from_field));
    if (x < 0 || y < 0) return std::nullopt;
    return Ban{point_of_node(y), point_of_node(x)};
  }

  PerColour<PointSet> board(std::string_view text) {
    PerColour<PointSet> cows;
    const auto rings = split(text, '/');
    if (rings.size() != 3) {
      refuse("board", text, "three rings, as in ********/********/********");
      return cows;
    }
    for (int node = 0; node < kPointCount; ++node) {
      const std::string_view ring = rings[static_cast<std::size_t>(node / kRingSize)];
      if (ring.size() != kRingSize) {
        refuse("board", ring, "a ring of 8 points");
        break;
      }
      const char c = ring[static_cast<std::size_t>(node % kRingSize)];
      if (c != 'O' && c != '@' && c != '*') refuse("board", ring, "written with O, @ and * alone");
      if (c == 'O') cows[Colour::white] |= PointSet::of(point_of_node(node));
      if (c == '@') cows[Colour::black] |= PointSet::of(point_of_node(node));
    }
    return cows;
  }

 private:
  int node(std::string_view field, std::string_view text) {
    if (text == "-1") return -1;
    const auto value = parse_number(text, kPointCount - 1);
    if (!value) refuse(field, text, "a node 0..23, or -1");
    return static_cast<int>(value.value_or(0));
  }

  void say(const std::string& error) {
    if (error_.empty()) error_ = error;
  }

  Coordinates coordinates_;
  std::string error_;
};

Result<Position> parse_text(const std::vector<std::string_view>& fields, Coordinates coordinates) {
  const std::size_t count = fields.size();
  if (count != 4 && count != 6 && count != 7) {
    return fail(Fault::bad_input, "position has " + std::to_string(count) +
                                      (count == 1 ? " field" : " fields") +
                                      ", write 4, 6 or 7: hand white black side [white-ban "
                                      "black-ban [clock]]");
  }
  FieldReader reader(coordinates);
  Position position;
  position.hand = reader.hands(fields[0]);
  position.cows = {reader.points("white", fields[1]), reader.points("black", fields[2])};
  const PointSet shared = position.cows[Colour::white] & position.cows[Colour::black];
  reader.demand(shared.empty(), "black", "a cow of White stands on a point of this list, too");
  position.side = reader.side(fields[3]);
  if (count > 4) {
    position.ban = {reader.ban("white ban", fields[4]), reader.ban("black ban", fields[5])};
  }
  if (count > 6) position.clock = reader.number<std::uint16_t>("clock", fields[6]);
  return reader.result(position);
}

Result<Position> parse_fen(const std::vector<std::string_view>& fields) {
  if (fields.size() < kFenFields) {
    return fail(Fault::bad_input, "position as FEN has " + std::to_string(fields.size()) +
                                      " fields, write at least " + std::to_string(kFenFields));
  }
  FieldReader reader(Coordinates::standard);
  Position position;
  position.cows = reader.board(fields[0]);
  position.side = reader.side(fields[1]);
  const std::string_view phase = fields[2];
  const std::string_view action = fields[3];
  if (phase != "r" && phase != "p" && phase != "m" && phase != "o") {
    reader.refuse("phase", phase, "r, p, m or o");
  }
  if (action != "p" && action != "s" && action != "r") {
    reader.refuse("action", action, "p, s or r");
  }
  const PerColour<int> on = {reader.number<int>("wOn", fields[4], kPointCount),
                             reader.number<int>("bOn", fields[6], kPointCount)};
  position.hand = {reader.number<std::uint8_t>("wHand", fields[5], kMaxCows),
                   reader.number<std::uint8_t>("bHand", fields[7], kMaxCows)};
  const PerColour<std::uint8_t> owed = {reader.number<std::uint8_t>("wRemove", fields[8], 3),
                                        reader.number<std::uint8_t>("bRemove", fields[9], 3)};
  position.ban = {reader.mill_move("wFrom", fields[10], "wTo", fields[11]),
                  reader.mill_move("bFrom", fields[12], "bTo", fields[13])};
  reader.number<std::uint64_t>("mills", fields[14]);
  position.clock = reader.number<std::uint16_t>("rule50", fields[15]);
  reader.number<std::uint32_t>("fullmove", fields[16]);
  position.owed = owed[position.side];

  for (Colour c : {Colour::white, Colour::black}) {
    const int count = position.cows[c].size();
    reader.demand(on[c] == count, c == Colour::white ? "wOn" : "bOn",
                  std::to_string(on[c]) + " cows, but the board has " + std::to_string(count));
  }
  const bool white_moves = position.side == Colour::white;
  reader.demand(owed[other(position.side)] == 0, white_moves ? "bRemove" : "wRemove",
                "a shot is owed to the side that is not to move");
  reader.demand((action == "r") == (position.owed != 0), "action",
                "it is r exactly when the side to move has a shot, but " +
                    std::string(white_moves ? "wRemove" : "bRemove") + " is " +
                    std::to_string(position.owed));
  // When the game is over, neither says what comes next.
  if (phase != "o") {
    const bool holds_own = position.hand[position.side] != 0;
    const bool holds_any = holds_own || position.hand[other(position.side)] != 0;
    reader.demand(action == "r" || (action == "p") == holds_own, "action",
                  "it is p exactly when the side to move has cows in hand, s otherwise");
    // The shot for a mill closed with the very last cow may still belong to the placing phase.
    reader.demand(phase == "m" ? !holds_any : holds_any || action == "r", "phase",
                  "it is m exactly when no cow is in hand");
  }
  return reader.result(position);
}

}  // namespace

std::string to_string(const Position& position, Coordinates coordinates) {
  if (position.owed != 0) return to_fen(position);
  const auto points = [&](PointSet set) {
    std::set<std::string> names;  // alphabetical order is the easiest to read
    for (Point p : set) names.insert(to_string(p, coordinates));
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
    return text.empty() ? "-" : text;
  };
  const auto ban = [&](const std::optional<Ban>& ban) {
    return ban ? move_text(ban->from, ban->to, coordinates) : "-";
  };
  constexpr Colour w = Colour::white;
  constexpr Colour b = Colour::black;
  std::string text = std::to_string(position.hand[w]) + ',' + std::to_string(position.hand[b]) +
                     ' ' + points(position.cows[w]) + ' ' + points(position.cows[b]) + ' ' +
                     std::string(letter(position.side));
  if (position.ban[w] || position.ban[b] || position.clock != 0) {
    text += ' ' + ban(position.ban[w]) + ' ' + ban(position.ban[b]);
  }
  if (position.clock != 0) text += ' ' + std::to_string(position.clock);
  return text;
}

std::string to_fen(const Position& position) {
  constexpr Colour w = Colour::white;
  constexpr Colour b = Colour::black;
  std::string text;
  for (int node = 0; node < kPointCount; ++node) {
    if (node == kRingSize || node == 2 * kRingSize) text += '/';
    const Point p = point_of_node(node);
    text += position.cows[w].contains(p) ? 'O' : position.cows[b].contains(p) ? '@' : '*';
  }
  const bool placing = position.hand[w] != 0 || position.hand[b] != 0;
  text += ' ' + std::string(letter(position.side)) + (placing ? " p " : " m ");
  text += position.owed != 0 ? 'r' : position.hand[position.side] != 0 ? 'p' : 's';
  for (Colour c : {w, b}) {
    text += ' ' + std::to_string(position.cows[c].size()) + ' ' + std::to_string(position.hand[c]);
  }
  for (Colour c : {w, b}) text += ' ' + std::to_string(position.side == c ? position.owed : 0);
  for (Colour c : {w, b}) {
    const auto& ban = position.ban[c];
    text += ban ? ' ' + std::to_string(node_of_point(ban->to)) + ' ' +
                      std::to_string(node_of_point(ban->from))
                : " -1 -1";
  }
  return text + " 0 " + std::to_string(position.clock) + " 1 ids:nodes";
}

Result<Position> parse_position(std::string_view text, Coordinates coordinates) {
  const auto fields = split_blanks(text);
  return text.find('/') == std::string_view::npos ? parse_text(fields, coordinates)
                                                  : parse_fen(fields);
}

}  // namespace mtb
