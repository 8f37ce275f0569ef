// The rules of Morabaraba a second time, for tests: written from the rules text alone, with points
// as strings and positions as maps, as plainly as possible and without a line of the library.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace naive {

using Points = std::vector<std::string>;

/// The parameters of a rule set as the rules text writes them; a clock is `off` or `50, always`.
using Rules = std::map<std::string, std::string>;

/// The table of named rule sets of the rules text, in its order.
inline std::vector<std::pair<std::string, Rules>> named_rules() {
  std::istringstream table(R"(
    traditional      12 mills per_mill forced   protected 3 loss loss 50,always          none
    tournament       12 mills per_mill forced   protected 0 loss loss 20,always          none
    koti             12 mills per_mill forced   any       3 pass draw 50,always          none
    just2easy        12 mills one      forced   protected 3 loss draw 20,either_at_three none
    gar              12 mills one      forced   protected 3 loss draw 20,either_at_three cow_if_mill
    iggamecenter     12 mills one      optional protected 3 loss loss 20,both_at_three   cow
    malom            12 mills one      forced   protected 3 loss draw off                none
    sanmill          12 mills per_mill forced   protected 3 loss loss 100,always         none
    nine-mens-morris 9  none  one      forced   protected 3 loss loss off                none)");
  std::vector<std::pair<std::string, Rules>> named;
  for (std::string name; table >> name;) {
    Rules rules;
    for (const char* key : {"cows", "diagonals", "shots", "shot", "targets", "fly_at", "blocked",
                            "full_board", "clock", "reform"}) {
      table >> rules[key];
    }
    named.emplace_back(name, rules);
  }
  return named;
}

/// A TOML file with these rules.
inline std::string toml(const Rules& rules) {
  std::string text;
  for (const auto& [key, value] : rules) {
    const bool number = key == "cows" || key == "fly_at";
    text += key + " = " + (number ? value : '"' + value + '"') + '\n';
  }
  return text;
}

inline std::string at(int file, int rank) {
  return {static_cast<char>('a' + file - 1), static_cast<char>('0' + rank)};
}

/// The drawn straight lines of three points, seen from the centre of the board at d4.
inline std::vector<Points> drawn_lines(bool diagonals) {
  std::vector<Points> lines;
  for (int size = 1; size <= 3; ++size) {
    const int low = 4 - size;
    const int high = 4 + size;
    lines.push_back({at(low, high), at(4, high), at(high, high)});
    lines.push_back({at(low, low), at(4, low), at(high, low)});
    lines.push_back({at(low, low), at(low, 4), at(low, high)});
    lines.push_back({at(high, low), at(high, 4), at(high, high)});
  }
  lines.push_back({"a4", "b4", "c4"});
  lines.push_back({"e4", "f4", "g4"});
  lines.push_back({"d7", "d6", "d5"});
  lines.push_back({"d3", "d2", "d1"});
  if (diagonals) {
    lines.push_back({"a7", "b6", "c5"});
    lines.push_back({"g7", "f6", "e5"});
    lines.push_back({"g1", "f2", "e3"});
    lines.push_back({"a1", "b2", "c3"});
  }
  return lines;
}

/// The board of a rule set: every point with its neighbours, and the mills.
struct Board {
  std::map<std::string, std::set<std::string>> neighbours;
  std::vector<Points> mills;

  explicit Board(const std::string& diagonals) : mills(drawn_lines(diagonals == "mills")) {
    for (const Points& line : drawn_lines(diagonals != "none")) {
      for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        neighbours[line[i]].insert(line[i + 1]);
        neighbours[line[i + 1]].insert(line[i]);
      }
    }
  }
};

/// What a mill move X-Y leaves behind for its player's next turn.
struct Ban {
  std::string x, y;
  std::vector<Points> broken;
};

struct State {
  std::map<std::string, char> cows;  ///< point to colour, 'w' or 'b'
  std::map<char, int> hand = {{'w', 0}, {'b', 0}};
  char side = 'w';
  std::map<char, Ban> ban;
  int clock = 0;

  int on_board(char colour) const {
    int count = 0;
    for (const auto& [point, owner] : cows) count += owner == colour ? 1 : 0;
    return count;
  }
  int total(char colour) const { return on_board(colour) + hand.at(colour); }
  bool has(const std::string& point, char colour) const {
    const auto found = cows.find(point);
    return found != cows.end() && found->second == colour;
  }
  bool is_mill(const Points& line, char colour) const {
    return std::all_of(line.begin(), line.end(),
                       [&](const std::string& point) { return has(point, colour); });
  }
};

/// A position without bans, from comma lists of points.
inline State state(int white_hand, int black_hand, const std::string& white,
                   const std::string& black, char side) {
  State result;
  result.hand = {{'w', white_hand}, {'b', black_hand}};
  result.side = side;
  for (std::size_t i = 0; i < white.size(); i += 3) result.cows[white.substr(i, 2)] = 'w';
  for (std::size_t i = 0; i < black.size(); i += 3) result.cows[black.substr(i, 2)] = 'b';
  return result;
}

inline char enemy(char colour) { return colour == 'w' ? 'b' : 'w'; }

/// The form for people.
inline std::string text(const State& state) {
  const auto points = [&](char colour) {
    std::string list;
    for (const auto& [point, owner] : state.cows) {
      if (owner == colour) list += (list.empty() ? "" : ",") + point;
    }
    return list.empty() ? "-" : list;
  };
  const auto ban = [&](char colour) {
    const auto found = state.ban.find(colour);
    return found == state.ban.end() ? "-" : found->second.y + '-' + found->second.x;
  };
  std::string result = std::to_string(state.hand.at('w')) + ',' +
                       std::to_string(state.hand.at('b')) + ' ' + points('w') + ' ' + points('b') +
                       ' ' + state.side;
  if (!state.ban.empty() || state.clock != 0) result += ' ' + ban('w') + ' ' + ban('b');
  if (state.clock != 0) result += ' ' + std::to_string(state.clock);
  return result;
}

class Game {
 public:
  explicit Game(Rules rules) : rules_(std::move(rules)), board_(rules_.at("diagonals")) {
    const std::string clock = rules_.at("clock");
    if (clock != "off") {
      plies_ = std::stoi(clock);
      trigger_ = clock.substr(clock.find_first_of("abe", clock.find(',')));
    }
  }

  const Rules& rules() const { return rules_; }
  const Board& board() const { return board_; }

  State start() const {
    State state;
    state.hand = {{'w', std::stoi(rules_.at("cows"))}, {'b', std::stoi(rules_.at("cows"))}};
    return state;
  }

  /// `open`, `win`, `loss` or `draw` for the player to move.
  std::string result(const State& state) const {
    if (state.total(state.side) < 3) return "loss";
    if (state.total(enemy(state.side)) < 3) return "win";
    const bool placing = state.hand.at('w') + state.hand.at('b') > 0;
    if (state.cows.size() == 24 && !placing) return rules_.at("full_board");
    if (actions(state).empty()) {
      if (rules_.at("blocked") != "pass") return rules_.at("blocked");
      State passed = state;
      passed.side = enemy(state.side);
      if (actions(passed).empty()) return "draw";
    }
    return plies_ != 0 && clock_runs(state) && state.clock >= plies_ ? "draw" : "open";
  }

  /// Every legal turn as a token, with the position it leads to.
  std::vector<std::pair<std::string, State>> turns(const State& state) const {
    std::vector<std::pair<std::string, State>> found;
    if (result(state) != "open") return found;
    for (const auto& [from, to] : actions(state)) {
      const auto [next, mills] = moved(state, from, to);
      const int earned = mills > 0 && rules_.at("shots") == "one" ? 1 : mills;
      shoot(state, next, from.empty() ? to : from + '-' + to, earned, false, found);
    }
    if (found.empty()) {
      State next = state;
      next.ban.erase(state.side);
      finish(state, next, "--", false, found);
    }
    return found;
  }

  std::uint64_t perft(const State& state, int depth) const {
    if (depth == 0) return 1;
    std::uint64_t count = 0;
    for (const auto& turn : turns(state)) count += perft(turn.second, depth - 1);
    return count;
  }

 private:
  using Action = std::pair<std::string, std::string>;  // from (empty for a placement) and to
  using Found = std::vector<std::pair<std::string, State>>;

  std::vector<Action> actions(const State& state) const {
    std::vector<Action> found;
    for (const auto& [to, ignored] : board_.neighbours) {
      if (state.cows.count(to) != 0) continue;
      if (state.hand.at(state.side) > 0) {
        found.emplace_back("", to);
        continue;
      }
      const bool flies = state.on_board(state.side) <= std::stoi(rules_.at("fly_at"));
      for (const auto& [from, owner] : state.cows) {
        if (owner != state.side) continue;
        if (!flies && board_.neighbours.at(from).count(to) == 0) continue;
        if (!is_banned(state, from, to)) found.emplace_back(from, to);
      }
    }
    return found;
  }

  bool is_banned(const State& state, const std::string& from, const std::string& to) const {
    const auto ban = state.ban.find(state.side);
    if (ban == state.ban.end()) return false;
    const bool goes_back = from == ban->second.y && to == ban->second.x;
    if (rules_.at("reform") == "cow") return goes_back;
    const auto [next, mills] = moved(state, from, to);
    if (rules_.at("reform") == "cow_if_mill") return goes_back && mills > 0;
    // `mill`: what was broken may not stand again.
    for (const Points& mill : ban->second.broken) {
      if (next.is_mill(mill, state.side)) return true;
    }
    return false;
  }

  /// The position with the cow placed or moved, nothing shot yet, and the number of mills closed.
  std::pair<State, int> moved(const State& state, const std::string& from,
                              const std::string& to) const {
    State next = state;
    std::vector<Points> broken;
    if (from.empty()) {
      --next.hand[state.side];
    } else {
      for (const Points& mill : mills_at(state, from, state.side)) broken.push_back(mill);
      next.cows.erase(from);
    }
    next.cows[to] = state.side;
    const int closed = static_cast<int>(mills_at(next, to, state.side).size());
    next.ban.erase(state.side);
    if (rules_.at("reform") != "none" && !broken.empty() && closed > 0) {
      next.ban[state.side] = {from, to, broken};
    }
    return {next, closed};
  }

  void shoot(const State& before, const State& now, const std::string& token, int owed, bool shot,
             Found& found) const {
    const char victim = enemy(before.side);
    Points aims;
    if (owed > 0 && now.total(victim) >= 3) aims = targets(now, victim);
    if (aims.empty()) return finish(before, now, token, shot, found);
    if (rules_.at("shot") == "optional") finish(before, now, token + "x-", shot, found);
    for (const std::string& aim : aims) {
      State next = now;
      next.cows.erase(aim);
      const auto ban = next.ban.find(victim);
      if (ban != next.ban.end() && ban->second.y == aim) next.ban.erase(ban);
      shoot(before, next, token + 'x' + aim, owed - 1, true, found);
    }
  }

  Points targets(const State& state, char victim) const {
    Points all;
    Points in_no_mill;
    for (const auto& [point, owner] : state.cows) {
      if (owner != victim) continue;
      all.push_back(point);
      if (mills_at(state, point, victim).empty()) in_no_mill.push_back(point);
    }
    const std::string rule = rules_.at("targets");
    if (rule == "any" || (rule == "protected" && in_no_mill.empty())) return all;
    return in_no_mill;
  }

  void finish(const State& before, State now, const std::string& token, bool shot,
              Found& found) const {
    now.side = enemy(before.side);
    now.clock = !shot && clock_runs(before) && clock_runs(now) ? before.clock + 1 : 0;
    found.emplace_back(token, now);
  }

  bool clock_runs(const State& state) const {
    if (state.hand.at('w') + state.hand.at('b') > 0) return false;
    const bool white = state.on_board('w') <= 3;
    const bool black = state.on_board('b') <= 3;
    if (trigger_ == "either_at_three") return white || black;
    if (trigger_ == "both_at_three") return white && black;
    return true;
  }

  std::vector<Points> mills_at(const State& state, const std::string& point, char colour) const {
    std::vector<Points> found;
    for (const Points& mill : board_.mills) {
      const bool here = std::find(mill.begin(), mill.end(), point) != mill.end();
      if (here && state.is_mill(mill, colour)) found.push_back(mill);
    }
    return found;
  }

  Rules rules_;
  Board board_;
  int plies_ = 0;
  std::string trigger_ = "always";
};

}  // namespace naive
