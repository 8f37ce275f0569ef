#include "tests/oracle/game.h"

#include <algorithm>
#include <map>
#include <string>

namespace oracle {
namespace {

constexpr std::size_t at(Point p) { return static_cast<std::size_t>(mtb::index(p)); }

template <class Value>
Value word(const naive::Rules& words, const std::string& key,
           const std::map<std::string, Value>& meanings) {
  return meanings.at(words.at(key));
}

}  // namespace

Rules rules_of(const naive::Rules& words) {
  Rules rules;
  rules.diagonals = word<mtb::Diagonals>(words, "diagonals",
                                         {{"mills", mtb::Diagonals::mills},
                                          {"moves_only", mtb::Diagonals::moves_only},
                                          {"none", mtb::Diagonals::none}});
  rules.shot_for_each_mill = word<bool>(words, "shots", {{"one", false}, {"per_mill", true}});
  rules.may_decline = word<bool>(words, "shot", {{"forced", false}, {"optional", true}});
  rules.targets = word<Targets>(words, "targets",
                                {{"protected", Targets::free_cows_first},
                                 {"strict", Targets::free_cows_only},
                                 {"any", Targets::any}});
  rules.fly_at = std::stoi(words.at("fly_at"));
  rules.blocked = word<WhenBlocked>(
      words, "blocked",
      {{"loss", WhenBlocked::loses}, {"pass", WhenBlocked::passes}, {"draw", WhenBlocked::draws}});
  rules.reform = word<Reform>(words, "reform",
                              {{"none", Reform::free},
                               {"cow_if_mill", Reform::cow_if_mill},
                               {"mill", Reform::mill},
                               {"cow", Reform::cow}});
  const std::string clock = words.at("clock");
  if (clock == "off") return rules;
  rules.clock = std::stoi(clock);
  const std::map<std::string, Trigger> triggers = {{"always", Trigger::always},
                                                   {"either_at_three", Trigger::either_at_three},
                                                   {"both_at_three", Trigger::both_at_three}};
  rules.trigger = triggers.at(clock.substr(clock.find_first_not_of(" ", clock.find(',') + 1)));
  return rules;
}

Game::Game(const Rules& rules) : rules_(rules), board_(mtb::board(rules.diagonals)) {
  const std::vector<PointSet> lines(board_.lines.begin(), board_.lines.begin() + board_.line_count);
  for (const PointSet line : lines) {
    for (const Point p : line) lines_through_[at(p)].push_back(line);
  }
  for (const PointSet broken : lines) {
    for (const PointSet closed : lines) {
      for (const Point x : broken - closed) {
        for (const Point y : closed - broken) {
          const PointSet cows = broken.without(x) | closed;
          const bool is_step = board_.neighbours[at(x)].contains(y);
          if (is_step || cows.size() <= rules.fly_at) {
            patterns_[at(y)].push_back({{y, x}, cows, is_step});
          }
        }
      }
    }
  }
}

int Game::mills_through(Point p, PointSet cows) const {
  return static_cast<int>(std::count_if(lines_through_[at(p)].begin(), lines_through_[at(p)].end(),
                                        [&](PointSet line) { return cows.contains(line); }));
}

bool Game::is_banned(const State& state, Point from, Point to) const {
  if (!state.mover_ban) return false;
  const auto [y, x] = *state.mover_ban;
  if (!state.mover.contains(y)) return false;
  const PointSet after = state.mover.without(from).with(to);
  const bool goes_back = from == y && to == x;
  switch (rules_.reform) {
    case Reform::free:
      return false;
    case Reform::cow_if_mill:
      return goes_back && mills_through(x, after) > 0;
    case Reform::cow:
      return goes_back;
    case Reform::mill:
      // The broken mills are the lines through X that could be full while Y was still empty.
      return std::any_of(lines_through_[at(x)].begin(), lines_through_[at(x)].end(),
                         [&, y = y](PointSet line) {
                           return line.contains(to) && !line.contains(y) && after.contains(line);
                         });
  }
  return false;
}

PointSet Game::destinations(const State& state, Point from) const {
  const PointSet empty = ~(state.mover | state.opponent);
  PointSet result = empty;
  if (state.mover.size() > rules_.fly_at) result = empty & board_.neighbours[at(from)];
  if (!state.mover_ban) return result;
  for (const Point to : result) {
    if (is_banned(state, from, to)) result = result.without(to);
  }
  return result;
}

bool Game::can_move(const State& state) const {
  for (const Point from : state.mover) {
    if (!destinations(state, from).empty()) return true;
  }
  return false;
}

PointSet Game::targets(PointSet cows) const {
  if (rules_.targets == Targets::any) return cows;
  PointSet free = cows;
  for (const Point cow : cows) {
    if (mills_through(cow, cows) > 0) free = free.without(cow);
  }
  if (free.empty() && rules_.targets == Targets::free_cows_first) return cows;
  return free;
}

void Game::shoot(const Turn& turn, int owed, std::vector<Turn>& turns) const {
  const PointSet victims = turn.next.mover;
  const bool is_over = victims.size() < 3;
  const PointSet aims = owed > 0 && !is_over ? targets(victims) : PointSet();
  if (aims.empty()) {
    turns.push_back(turn);
    return;
  }
  if (rules_.may_decline) {
    turns.push_back(turn);
    turns.back().declined = true;
  }
  for (const Point aim : aims) {
    Turn longer = turn;
    longer.shots[longer.shot_count++] = aim;
    longer.next.mover = victims.without(aim);
    if (longer.next.mover_ban && longer.next.mover_ban->from == aim) longer.next.mover_ban.reset();
    shoot(longer, owed - 1, turns);
  }
}

Standing Game::list_turns(const State& state, std::vector<Turn>& turns) const {
  turns.clear();
  for (const Point from : state.mover) {
    const bool breaks = mills_through(from, state.mover) > 0;
    for (const Point to : destinations(state, from)) {
      Turn turn;
      turn.from = from;
      turn.to = to;
      const PointSet cows = state.mover.without(from).with(to);
      turn.next = {state.opponent, cows, state.opponent_ban, std::nullopt};
      const int closed = mills_through(to, cows);
      if (rules_.reform != Reform::free && breaks && closed > 0) {
        turn.next.opponent_ban = Ban{to, from};
      }
      shoot(turn, rules_.shot_for_each_mill ? closed : std::min(closed, 1), turns);
    }
  }
  if (!turns.empty()) return Standing::open;
  if (rules_.blocked == WhenBlocked::loses) return Standing::lost;
  if (rules_.blocked == WhenBlocked::draws) return Standing::drawn;
  Turn pass;
  pass.passes = true;
  pass.next = {state.opponent, state.mover, state.opponent_ban, std::nullopt};
  if (!can_move(pass.next)) return Standing::drawn;
  turns.push_back(pass);
  return Standing::open;
}

bool Game::clock_runs(int mover, int opponent) const {
  if (rules_.clock == 0) return false;
  switch (rules_.trigger) {
    case Trigger::always:
      return true;
    case Trigger::either_at_three:
      return mover <= 3 || opponent <= 3;
    case Trigger::both_at_three:
      return mover <= 3 && opponent <= 3;
  }
  return false;
}

std::vector<Ban> Game::possible_bans(PointSet own, PointSet other, bool answered) const {
  std::vector<Ban> bans;
  if (rules_.reform == Reform::free) return bans;
  // Cows of the pattern may have been shot in the answer; then its mills still stand.
  int shots = 0;
  if (answered) {
    const auto lines = board_.lines.begin();
    shots = static_cast<int>(std::count_if(lines, lines + board_.line_count,
                                           [&](PointSet line) { return other.contains(line); }));
    shots = std::min(shots, rules_.shot_for_each_mill ? 3 : 1);
  }
  for (const Point y : own) {
    for (const BanPattern& pattern : patterns_[at(y)]) {
      const PointSet shot = pattern.cows - own;
      if (shot.size() > shots || shot.intersects(other)) continue;
      if ((own | other).contains(pattern.ban.to)) continue;
      if (!pattern.is_step && own.size() + shot.size() > rules_.fly_at) continue;
      bans.push_back(pattern.ban);
    }
  }
  std::sort(bans.begin(), bans.end());
  bans.erase(std::unique(bans.begin(), bans.end()), bans.end());
  return bans;
}

}  // namespace oracle
