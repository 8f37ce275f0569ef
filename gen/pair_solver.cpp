#include "gen/pair_solver.h"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "game/turns.h"
#include "gen/big_array.h"
#include "gen/distance_phase.h"
#include "gen/pair_state.h"
#include "gen/shot_phase.h"

namespace mtb {
namespace {

template <class Width>
class SolvedStates : public SolvedPair {
 public:
  using State = typename Width::State;

  SolvedStates(CodeMeaning meaning, BigArray<State> key, BigArray<State> other)
      : meaning_(meaning), key_(std::move(key)), other_(std::move(other)) {}

  State* key() { return key_.data(); }
  State* other() { return other_.data(); }
  /// An equal pair has one sector; the second array is only room for its shots.
  void drop_other() { other_ = BigArray<State>(); }

  CodeMeaning meaning() const override { return meaning_; }

  void fill_codes(bool key_to_move, Slot first, std::span<Code> codes) const override {
    const State* states = sector(key_to_move).data() + first;
    for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = code(states[i]);
  }

  Code largest_code(bool key_to_move) const override {
    return largest_code_up_to(key_to_move, std::numeric_limits<Code>::max());
  }

  /// The largest code that is not above a limit.
  Code largest_code_up_to(bool key_to_move, Code limit) const {
    const BigArray<State>& states = sector(key_to_move);
    const auto slots = static_cast<std::int64_t>(states.size());
    // Draws are above all distances; they and what is above the limit count as nothing.
    const State end = static_cast<State>(std::min<std::uint32_t>(limit, Width::kOpen));
    State largest = 0;
#pragma omp parallel for simd reduction(max : largest)
    for (std::int64_t i = 0; i < slots; ++i) {
      const auto here = static_cast<State>(states[static_cast<std::size_t>(i)] + 1);
      largest = std::max(largest, here <= end ? here : State{0});
    }
    return static_cast<Code>(largest);
  }

 private:
  const BigArray<State>& sector(bool key_to_move) const {
    return key_to_move || other_.empty() ? key_ : other_;
  }
  /// The codes of dtw and of dtc are made for that: one more than the distances of the states.
  static Code code(State state) {
    return Width::is_open(state) ? dtw_code::draw() : static_cast<Code>(state + 1);
  }

  CodeMeaning meaning_;
  BigArray<State> key_;
  BigArray<State> other_;
};

/// Holds anything at first. Error: system, see map_unnamed_file().
template <class State>
Result<BigArray<State>> make_states(std::size_t slots, const StatePlace& place) {
  if (!place.folder.empty()) return BigArray<State>::in_file(place.folder, slots);
  if (place.reserve != nullptr) return BigArray<State>::from(*place.reserve, slots);
  return BigArray<State>(slots);
}

/// Nothing when a distance does not fit the width. Errors: of make_states() and LowerSector.
template <class Width>
Result<std::unique_ptr<SolvedStates<Width>>> solve_with(const PairTask& task, CodeMeaning wanted,
                                                        const SolveObserver& observe,
                                                        const StatePlace& place) {
  using State = typename Width::State;
  const std::size_t slots = task.slot_count();
  Result<BigArray<State>> key = make_states<State>(slots, place);
  if (!key) return tl::unexpected(key.error());
  Result<BigArray<State>> other = make_states<State>(slots, place);
  if (!other) return tl::unexpected(other.error());
  auto solved = std::make_unique<SolvedStates<Width>>(wanted, std::move(*key), std::move(*other));
  ShotPhase<Width> shots(task, solved->key(), solved->other());
  std::atomic<std::uint64_t> rows{0};
  std::mutex observing;
  const auto on_rows = [&](std::uint32_t count) {
    // The rows of the shot phase are gone through twice.
    const std::uint64_t done = rows.fetch_add(count) + count;
    if (!observe || done % 256 != 0 || !observing.try_lock()) return;
    observe(
        {task.metric, SolveProgress::Phase::shots, 0, done * task.columns().count(), 2 * slots});
    observing.unlock();
  };
  const bool fits = shots.run(on_rows);
  for (const LowerSector* sector : task.lower.all()) {
    if (sector == nullptr) continue;
    if (std::optional<Error> error = sector->failure()) return tl::unexpected(std::move(*error));
  }
  if (!fits) return nullptr;
  if (task.pair.equal()) {
    solved->drop_other();
    if (place.reserve != nullptr) place.reserve->shrink(0);  // the news take that memory
  }
  DistancePhase<Width> distances(task, solved->key(), solved->other());
  if (distances.run(observe) == DistancePhase<Width>::End::too_far) return nullptr;
  return solved;
}

/// Where the clock does not run, distances to shots that keep the outcome follow one another
/// without a gap, and those beyond the bound begin above it. So the bound parts them when no
/// distance is exactly the bound.
template <class Width>
bool bound_parts(const SolvedStates<Width>& solved, const PairTask& task, std::uint32_t bound) {
  if (bound == 0 || clock_runs(task.rules, task.pair.key_to_move())) return true;
  for (const bool key_to_move : {true, false}) {
    const Code largest = solved.largest_code_up_to(key_to_move, dtc_code::win(bound));
    if (largest >= dtc_code::loss(bound)) return false;
  }
  return true;
}

bool all_narrow(const LowerSectors& lower) {
  const auto fits = [](const LowerSector* sector) { return sector == nullptr || sector->narrow(); };
  const auto bans_fit = [](const BanTable* bans) {
    return bans == nullptr || bans->largest_code() <= kLargestByte;
  };
  return std::ranges::all_of(lower.all(), fits) && std::ranges::all_of(lower.bans, bans_fit);
}

}  // namespace

std::array<Sector, 4> lower_sectors(Pair pair, const RuleSet& rules) {
  const auto sector = [](int mover, int opponent) {
    if (mover < kMinCows || opponent < kMinCows) return Sector{};
    return Sector{static_cast<std::uint8_t>(mover), static_cast<std::uint8_t>(opponent), 0, 0};
  };
  // With all points taken nobody moves; and two lines through one point take five cows.
  const bool moves = pair.total() < kPointCount;
  const bool key_doubles = rules.shots == Shots::per_mill && pair.key >= 5;
  const bool other_doubles = rules.shots == Shots::per_mill && pair.other >= 5;
  std::array<Sector, 4> lower{};
  if (moves) lower[0] = sector(pair.other - 1, pair.key);
  if (moves && key_doubles) lower[1] = sector(pair.other - 2, pair.key);
  if (moves && !pair.equal()) lower[2] = sector(pair.key - 1, pair.other);
  if (moves && !pair.equal() && other_doubles) lower[3] = sector(pair.key - 2, pair.other);
  return lower;
}

bool bans_stay(Pair pair, const RuleSet& rules) {
  // A step breaks a mill and closes another, and the two have no point in common: that takes five
  // cows. A flight may leave two of a mill's cows where they are, but no line has both of them and
  // the new point as well, so it takes a fourth cow.
  const auto may_reform = [&](int cows) { return cows >= (cows <= rules.fly_at ? 4 : 5); };
  return !bans_follow_shots(rules) && (may_reform(pair.key) || may_reform(pair.other));
}

std::array<std::uint32_t, 2> clock_bounds(const RuleSet& rules, Pair pair) {
  // The first is the largest with which outcomes as codes fit a byte, the second a word.
  if (rules.clock.plies == 0) return {};
  if (clock_runs(rules, pair.key_to_move())) return {rules.clock.plies, rules.clock.plies};
  return {126, 16383};
}

std::array<Code, kOutcomeCount> outcome_map(std::uint32_t clock_bound) {
  // A shot is one ply, and leads to the opponent's outcome.
  const auto after = [](Code distance) { return static_cast<Code>(distance - 1); };
  std::array<Code, kOutcomeCount> map{};
  map[wdl_code::of(Outcome::loss)] = after(dtc_code::win(1));
  map[wdl_code::of(Outcome::win)] = after(dtc_code::loss(1));
  map[wdl_code::of(Outcome::clock_loss)] = after(dtc_code::win(clock_bound + 1));
  map[wdl_code::of(Outcome::clock_win)] = after(dtc_code::loss(clock_bound + 1));
  return map;
}

Result<std::unique_ptr<SolvedPair>> solve_pair(const RuleSet& rules, Pair pair, CodeMeaning wanted,
                                               const LowerSectors& lower, const ClassCache& cache,
                                               const SolveObserver& observe,
                                               const StatePlace& place) {
  const auto classes = cache.get(pair.key);
  const PairColumns columns(pair);
  const KeyMoves key_moves(*classes, rules);
  const PairTask task{rules,   pair,      wanted.metric,         lower, cache, *classes,
                      columns, key_moves, board(rules.diagonals)};
  const auto checked = [&](auto& solved) -> std::unique_ptr<SolvedPair> {
    if (!bound_parts(**solved, task, wanted.clock_bound)) return nullptr;
    return std::move(*solved);
  };
  if (all_narrow(lower)) {
    auto solved = solve_with<NarrowWidth>(task, wanted, observe, place);
    if (!solved) return tl::unexpected(std::move(solved.error()));
    if (*solved != nullptr) return checked(solved);
  }
  auto solved = solve_with<WideWidth>(task, wanted, observe, place);
  if (!solved) return tl::unexpected(std::move(solved.error()));
  if (*solved == nullptr) {
    return fail(
        Fault::not_supported,
        "pair " + to_string(pair) + " has a distance of more plies than the table format can hold");
  }
  return checked(solved);
}

SolverBytes solver_bytes(Pair pair, const RuleSet& rules, const ClassCache& cache) {
  const std::uint64_t rows = cache.get(pair.key)->count();
  const std::uint64_t states = rows * pair.columns() * sizeof(NarrowWidth::State);
  const std::uint64_t news = DistancePhase<NarrowWidth>::bytes(pair, rows);
  const std::uint64_t moves =
      estimated_key_moves(pair.key, rows, rules) * sizeof(KeyMove) + rows * sizeof(Slot);
  SolverBytes bytes;
  bytes.states = 2 * states;
  bytes.rest = news + moves;
  bytes.all = states + (pair.equal() ? std::max(states, news) : states + news) + moves;
  return bytes;
}

}  // namespace mtb
