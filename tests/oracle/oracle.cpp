#include "tests/oracle/oracle.h"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>

namespace oracle {
namespace {

Cows cows_of(const State& state) { return {state.mover.size(), state.opponent.size()}; }

std::uint32_t packed(const std::optional<Ban>& ban) {
  if (!ban) return 0;
  return static_cast<std::uint32_t>(1 + 24 * mtb::index(ban->from) + mtb::index(ban->to));
}

std::uint32_t packed(const std::optional<Ban>& mover, const std::optional<Ban>& opponent) {
  return packed(mover) << 16 | packed(opponent);
}

std::optional<Ban> unpacked(std::uint32_t half) {
  if (half == 0) return std::nullopt;
  const int both = static_cast<int>(half) - 1;
  return Ban{mtb::point(both / 24), mtb::point(both % 24)};
}

/// Of a turn with a shot, by what it leaves for the opponent. Outcomes that the clock allows come
/// before, or for a loser after, those that it does not, whatever their distances.
Distance dtc_of_shot(Outcome after, int bound) {
  switch (after) {
    case Outcome::loss:
      return 1;
    case Outcome::clock_loss:
      return bound + 1;
    case Outcome::draw:
      return 0;
    case Outcome::clock_win:
      return -(bound + 1) - 1;
    case Outcome::win:
      return -1 - 1;
  }
  return 0;
}

/// What a player with such turns has: the least win, or else, when all are losses, the greatest
/// loss.
class Best {
 public:
  void add(Distance turn) {
    if (turn > 0 && (win_ == 0 || turn < win_)) win_ = turn;
    if (turn >= 0) all_lose_ = false;
    if (turn < loss_) loss_ = turn;
  }
  /// Of at least one turn.
  Distance distance() const { return win_ > 0 ? win_ : all_lose_ ? loss_ : 0; }

 private:
  Distance win_ = 0;
  Distance loss_ = 0;
  bool all_lose_ = true;
};

int sign(Distance distance) { return (distance > 0) - (distance < 0); }

}  // namespace

/// The turns of all states of a pair of sectors as a graph, and the fixpoints over it.
class Oracle::PairSolver {
 public:
  PairSolver(Oracle& oracle, const std::vector<Cows>& sectors);

  void find_dtw();
  void find_clock_outcomes(bool clock_runs);
  void find_dtc(int bound);

 private:
  struct Edge {
    Node target;  ///< kEnd: the turn leaves the opponent too few cows
    bool shoots;
  };
  static constexpr Node kEnd = 0x7FFFFFFF;
  static constexpr Node kShot = 0x80000000;

  static Edge edge(std::uint32_t code) { return {code & ~kShot, (code & kShot) != 0}; }

  void list_edges();
  void list_callers();
  /// Settles all distances, the least first. The option of an edge is the distance that it is worth
  /// to its player, who takes the least win or else, when all are losses, the greatest loss.
  template <class Option>
  std::vector<Distance> settle(Option option) const;
  /// Win 1, loss -1, else 0, from such values of the quiet turns' targets.
  int decision(std::uint32_t local, const std::vector<std::int8_t>& after) const;
  void find_running();
  void find_standing_still();
  /// Visits the states whose best turn may be another one now that this one is decided: if it is
  /// lost, all that have a quiet turn to it; if it is won, those of them that have no quiet turn to
  /// one that is not won left, which `left` counts by state.
  template <class Visit>
  void for_each_affected(std::uint32_t local, bool is_won, std::vector<std::uint32_t>& left,
                         Visit visit) const {
    for (auto i = first_caller_[local]; i < first_caller_[local + 1]; ++i) {
      if (!is_won || --left[callers_[i]] == 0) visit(callers_[i]);
    }
  }

  Oracle& oracle_;
  Node base_;            ///< the first node of the pair; local numbers count from here
  std::uint32_t count_;  ///< of nodes
  std::vector<Standing> standing_;
  std::vector<std::uint64_t> first_edge_;
  std::vector<std::uint32_t> edges_;
  std::vector<std::uint32_t> quiet_turns_;  ///< by local node: how many
  std::vector<std::uint64_t> first_caller_;
  std::vector<std::uint32_t> callers_;  ///< local nodes with a quiet turn to this one
};

Oracle::PairSolver::PairSolver(Oracle& oracle, const std::vector<Cows>& sectors)
    : oracle_(oracle),
      base_(oracle.sectors_.at(sectors.front()).first_node),
      count_(static_cast<std::uint32_t>(oracle.values_.size()) - base_) {
  first_edge_.push_back(0);
  std::vector<Turn> turns;
  for (const Cows& cows : sectors) {
    for (std::uint32_t i = 0; i < oracle.count(cows); ++i) {
      standing_.push_back(oracle.game_.list_turns(oracle.state(cows, i), turns));
      for (const Turn& turn : turns) {
        const bool ends = turn.next.mover.size() < 3;
        const auto target = ends ? kEnd : oracle.find(turn.next);
        if (!target) throw std::logic_error("a ban that was not foreseen");
        edges_.push_back(*target | (turn.shot_count > 0 ? kShot : 0));
      }
      first_edge_.push_back(edges_.size());
    }
  }
  list_callers();
}

void Oracle::PairSolver::list_callers() {
  first_caller_.assign(count_ + 2, 0);
  const auto for_each_quiet = [&](auto visit) {
    for (std::uint32_t n = 0; n < count_; ++n) {
      for (auto i = first_edge_[n]; i < first_edge_[n + 1]; ++i) {
        if (!edge(edges_[i]).shoots) visit(n, edges_[i] - base_);
      }
    }
  };
  quiet_turns_.assign(count_, 0);
  for_each_quiet([&](std::uint32_t n, std::uint32_t target) {
    ++quiet_turns_[n];
    ++first_caller_[target + 2];
  });
  for (std::uint32_t n = 0; n < count_; ++n) first_caller_[n + 2] += first_caller_[n + 1];
  callers_.resize(first_caller_.back());
  for_each_quiet(
      [&](std::uint32_t n, std::uint32_t target) { callers_[first_caller_[target + 1]++] = n; });
}

template <class Option>
std::vector<Distance> Oracle::PairSolver::settle(Option option) const {
  std::vector<Distance> distances(count_, 0);
  const auto look = [&](std::uint32_t n) -> Distance {
    if (standing_[n] == Standing::drawn) return 0;
    if (standing_[n] == Standing::lost) return -1;
    Best best;
    for (auto i = first_edge_[n]; i < first_edge_[n + 1]; ++i) {
      const Edge e = edge(edges_[i]);
      best.add(e.shoots ? option(e.target) : before_turn(distances[e.target - base_]));
    }
    return best.distance();
  };

  std::vector<std::uint32_t> left = quiet_turns_;
  std::map<int, std::vector<std::uint32_t>> due;
  for (std::uint32_t n = 0; n < count_; ++n) due[0].push_back(n);
  while (!due.empty()) {
    const auto [now, nodes] = std::move(*due.begin());
    due.erase(due.begin());
    std::vector<std::uint32_t> settled;
    for (const std::uint32_t n : nodes) {
      if (distances[n] != 0) continue;
      const Distance found = look(n);
      if (found == 0) continue;
      if (plies(found) < now) throw std::logic_error("a distance comes too late");
      if (plies(found) > now) {
        due[plies(found)].push_back(n);
        continue;
      }
      distances[n] = found;
      settled.push_back(n);
    }
    for (const std::uint32_t n : settled) {
      for_each_affected(n, distances[n] > 0, left, [&, next = now + 1](std::uint32_t caller) {
        if (distances[caller] == 0) due[next].push_back(caller);
      });
    }
  }
  return distances;
}

void Oracle::PairSolver::find_dtw() {
  const auto distances = settle([&](Node target) -> Distance {
    return target == kEnd ? 1 : before_turn(oracle_.values_[target].dtw);
  });
  for (std::uint32_t n = 0; n < count_; ++n) oracle_.values_[base_ + n].dtw = distances[n];
}

void Oracle::PairSolver::find_dtc(int bound) {
  const auto distances = settle([&](Node target) -> Distance {
    return target == kEnd ? 1 : dtc_of_shot(oracle_.values_[target].at_zero, bound);
  });
  for (std::uint32_t n = 0; n < count_; ++n) oracle_.values_[base_ + n].dtc = distances[n];
}

int Oracle::PairSolver::decision(std::uint32_t n, const std::vector<std::int8_t>& after) const {
  if (standing_[n] == Standing::drawn) return 0;
  int best = -1;
  for (auto i = first_edge_[n]; i < first_edge_[n + 1]; ++i) {
    const Edge e = edge(edges_[i]);
    int worth = 0;
    if (e.target == kEnd) {
      worth = 1;
    } else if (e.shoots) {
      const Outcome outcome = oracle_.values_[e.target].at_zero;
      worth = outcome == Outcome::loss ? 1 : outcome == Outcome::win ? -1 : 0;
    } else {
      worth = -after[e.target - base_];
    }
    best = std::max(best, worth);
  }
  return best;
}

/// From the last count down to zero: what a state is worth at a count follows from the states after
/// it at the next count. A count below the last two differs from the one after it only in states
/// that lead to one for which the two counts after them differ.
void Oracle::PairSolver::find_running() {
  const int limit = oracle_.game_.rules().clock;
  std::vector<std::int8_t> after(count_, 0);  // at the count after the present one
  std::vector<std::uint32_t> affected;
  for (std::uint32_t n = 0; n < count_; ++n) {
    affected.push_back(n);
    if (standing_[n] == Standing::lost) {
      after[n] = -1;
      oracle_.values_[base_ + n].plies_needed = -1;
    }
  }
  std::vector<std::uint32_t> left = quiet_turns_;
  std::vector<std::pair<std::uint32_t, int>> changes;
  for (int count = limit - 1; count >= 0 && !affected.empty(); --count) {
    changes.clear();
    for (const std::uint32_t n : affected) {
      const int now = decision(n, after);
      if (now != after[n]) changes.emplace_back(n, now);
    }
    affected.clear();
    for (const auto& [n, now] : changes) {
      // What can be won with little time can be won with more, if this is a game at all.
      if (after[n] != 0) throw std::logic_error("more time on the clock undoes a win");
      after[n] = static_cast<std::int8_t>(now);
      const int needed = limit - count;
      oracle_.values_[base_ + n].plies_needed = now > 0 ? needed : -needed - 1;
      for_each_affected(n, now > 0, left,
                        [&](std::uint32_t caller) { affected.push_back(caller); });
    }
    std::sort(affected.begin(), affected.end());
    affected.erase(std::unique(affected.begin(), affected.end()), affected.end());
  }
  for (std::uint32_t n = 0; n < count_; ++n) {
    oracle_.values_[base_ + n].at_zero = static_cast<Outcome>(2 * after[n]);
  }
}

/// No count, and yet the shots may lead to where there is one: wins and losses spread until nothing
/// changes.
void Oracle::PairSolver::find_standing_still() {
  std::vector<std::int8_t> found(count_, 0);
  std::vector<std::uint32_t> affected;
  for (std::uint32_t n = 0; n < count_; ++n) affected.push_back(n);
  std::vector<std::uint32_t> left = quiet_turns_;
  while (!affected.empty()) {
    const std::uint32_t n = affected.back();
    affected.pop_back();
    if (found[n] != 0) continue;
    found[n] = static_cast<std::int8_t>(decision(n, found));
    if (found[n] == 0) continue;
    for_each_affected(n, found[n] > 0, left,
                      [&](std::uint32_t caller) { affected.push_back(caller); });
  }
  for (std::uint32_t n = 0; n < count_; ++n) {
    oracle_.values_[base_ + n].at_zero = static_cast<Outcome>(2 * found[n]);
  }
}

void Oracle::PairSolver::find_clock_outcomes(bool clock_runs) {
  clock_runs ? find_running() : find_standing_still();
  for (std::uint32_t n = 0; n < count_; ++n) {
    Value& value = oracle_.values_[base_ + n];
    if (value.at_zero == Outcome::draw) {
      value.at_zero = static_cast<Outcome>(sign(value.dtw));
    } else if (value.at_zero != static_cast<Outcome>(2 * sign(value.dtw))) {
      throw std::logic_error("the clock wins what is not won without it");
    }
  }
}

Oracle::Oracle(const Rules& rules, Cows cows) : game_(rules) { solve_pair(cows); }

void Oracle::solve_pair(Cows cows) {
  const auto [a, b] = cows;
  if (std::min(a, b) < 3 || sectors_.count(cows) != 0) return;
  solve_pair({a, b - 1});
  solve_pair({a - 1, b});
  std::vector<Cows> sectors = {cows};
  if (a != b) sectors.emplace_back(b, a);
  for (const Cows& sector : sectors) add_sector(sector);
  PairSolver solver(*this, sectors);
  solver.find_dtw();
  solver.find_clock_outcomes(game_.clock_runs(a, b));
  solver.find_dtc(clock_bound(cows));
}

void Oracle::add_sector(Cows cows) {
  order_.push_back(cows);
  Sector& sector = sectors_.emplace(cows, cows).first->second;
  sector.first_node = static_cast<Node>(values_.size());
  for (std::uint32_t p = 0; p < sector.positions.count(); ++p) {
    const PointSet mover = sector.positions.mover(p);
    const PointSet opponent = sector.positions.opponent(p);
    std::vector<std::optional<Ban>> mover_bans = {std::nullopt};
    std::vector<std::optional<Ban>> opponent_bans = {std::nullopt};
    for (const Ban ban : game_.possible_bans(mover, opponent, true)) mover_bans.push_back(ban);
    for (const Ban ban : game_.possible_bans(opponent, mover, false)) opponent_bans.push_back(ban);
    sector.nodes_of.push_back(static_cast<Node>(values_.size()));
    for (const auto& m : mover_bans) {
      for (const auto& o : opponent_bans) {
        sector.bans.push_back(packed(m, o));
        sector.places.push_back(p);
        values_.emplace_back();
      }
    }
  }
  sector.nodes_of.push_back(static_cast<Node>(values_.size()));
}

std::uint32_t Oracle::count(Cows cows) const {
  return static_cast<std::uint32_t>(sectors_.at(cows).bans.size());
}

State Oracle::state(Cows cows, std::uint32_t index) const {
  const Sector& sector = sectors_.at(cows);
  const std::uint32_t place = sector.places[index];
  const std::uint32_t bans = sector.bans[index];
  return {sector.positions.mover(place), sector.positions.opponent(place), unpacked(bans >> 16),
          unpacked(bans & 0xFFFF)};
}

int Oracle::images(Cows cows, std::uint32_t index) const {
  const Sector& sector = sectors_.at(cows);
  return sector.positions.images(sector.places[index]);
}

Value Oracle::value(Cows cows, std::uint32_t index) const {
  return values_[sectors_.at(cows).first_node + index];
}

Value Oracle::value(const State& state) const {
  const auto node = find(state);
  return node ? values_[*node] : value_by_turns(state);
}

bool Oracle::holds(const State& state) const { return find(state).has_value(); }

std::optional<Oracle::Node> Oracle::find(const State& state) const {
  const Sector& sector = sectors_.at(cows_of(state));
  const auto [place, symmetry] = sector.positions.find(state.mover, state.opponent);
  const PointSet occupied = state.mover | state.opponent;
  // Bans of cows that were shot have lapsed, and now nobody can go to a point that is taken.
  const bool mover_is_bound = state.mover_ban && state.mover.contains(state.mover_ban->from) &&
                              !occupied.contains(state.mover_ban->to);
  const bool opponent_is_bound =
      state.opponent_ban && state.opponent.contains(state.opponent_ban->from);
  const auto image = [s = symmetry](const Ban& ban) { return Ban{s(ban.from), s(ban.to)}; };
  const std::uint32_t bans =
      packed(mover_is_bound ? std::optional(image(*state.mover_ban)) : std::nullopt,
             opponent_is_bound ? std::optional(image(*state.opponent_ban)) : std::nullopt);
  Node found = sector.nodes_of[place];
  while (found < sector.nodes_of[place + 1] && sector.bans[found - sector.first_node] < bans) {
    ++found;
  }
  if (found == sector.nodes_of[place + 1] || sector.bans[found - sector.first_node] != bans) {
    return std::nullopt;
  }
  return found;
}

Value Oracle::value_by_turns(const State& state) const {
  const Cows cows = cows_of(state);
  const bool clock_runs = game_.clock_runs(cows.first, cows.second);
  Value value;
  std::vector<Turn> turns;
  const Standing standing = game_.list_turns(state, turns);
  if (standing == Standing::drawn) return value;
  value.at_zero = Outcome::loss;
  value.dtw = value.dtc = -1;
  value.plies_needed = clock_runs ? -1 : 0;
  if (standing == Standing::lost) return value;
  Best dtw, dtc, plies_needed;
  for (const Turn& turn : turns) {
    const auto after = value_after(turn);
    const bool shoots = turn.shot_count > 0;
    dtw.add(after ? before_turn(after->dtw) : 1);
    dtc.add(dtc_from(after, turn, cows));
    value.at_zero = std::max(value.at_zero, outcome_from(after, turn, cows, 0));
    plies_needed.add(!after                            ? 1
                     : !shoots                         ? before_turn(after->plies_needed)
                     : after->at_zero == Outcome::loss ? 1
                     : after->at_zero == Outcome::win  ? -1 - 1
                                                       : 0);
  }
  value.dtw = dtw.distance();
  value.dtc = dtc.distance();
  const Distance needed = plies_needed.distance();
  value.plies_needed =
      clock_runs && needed != 0 && plies(needed) <= game_.rules().clock ? needed : 0;
  return value;
}

std::optional<Value> Oracle::value_after(const Turn& turn) const {
  if (turn.next.mover.size() < 3) return std::nullopt;
  return value(turn.next);
}

int Oracle::clock_bound(Cows cows) const {
  return game_.clock_runs(cows.first, cows.second) ? game_.rules().clock : kNoBound;
}

Outcome Oracle::outcome(const Value& value, Cows cows, int clock) const {
  if (!game_.clock_runs(cows.first, cows.second)) return value.at_zero;
  const bool in_time =
      value.plies_needed != 0 && plies(value.plies_needed) <= game_.rules().clock - clock;
  return static_cast<Outcome>((in_time ? 2 : 1) * sign(value.dtw));
}

Outcome Oracle::outcome_from(const std::optional<Value>& after, const Turn& turn, Cows cows,
                             int clock) const {
  if (!after) return Outcome::win;
  const bool quiet = turn.shot_count == 0;
  return -outcome(*after, quiet ? Cows{cows.second, cows.first} : cows_of(turn.next),
                  quiet ? clock + 1 : 0);
}

Distance Oracle::dtc_from(const std::optional<Value>& after, const Turn& turn, Cows cows) const {
  if (!after) return 1;
  if (turn.shot_count == 0) return before_turn(after->dtc);
  return dtc_of_shot(after->at_zero, clock_bound(cows));
}

TurnValue Oracle::value_of(const Turn& turn, Cows cows, int clock) const {
  const auto after = value_after(turn);
  return {outcome_from(after, turn, cows, clock), after ? before_turn(after->dtw) : 1,
          dtc_from(after, turn, cows)};
}

}  // namespace oracle
