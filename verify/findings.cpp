#include "verify/findings.h"

#include <algorithm>
#include <iterator>

namespace mtb::deep {
namespace {

/// A generator of evenly spread numbers (SplitMix64), the same everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t below(std::uint64_t bound) {
    std::uint64_t x = state_ += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return (x ^ (x >> 31)) % bound;
  }

 private:
  std::uint64_t state_;
};

/// Place in the counts of the outcome that a code of the table stands for.
std::size_t place_of(const Facts& facts, Code code) {
  constexpr std::array<std::size_t, 5> places = {2, 0, 4, 1, 3};  // by wdl code
  const Scale scale{facts.metric, facts.bound};
  return places[facts.metric == Metric::wdl ? code : scale.outcome(code)];
}

}  // namespace

std::string table_name(int mover, int opponent, Metric metric) {
  constexpr std::array<const char*, 3> names = {".wdl", ".dtw", ".dtc"};
  return std::to_string(mover) + 'v' + std::to_string(opponent) +
         names[static_cast<std::size_t>(metric)];
}

std::string describe_outcome(Code code) {
  constexpr std::array<const char*, 5> names = {"draw", "win", "loss", "clock win", "clock loss"};
  return code < names.size() ? names[code] : "no outcome (" + std::to_string(code) + ")";
}

std::string describe(const Scale& scale, Code code) {
  if (code == 0) return "draw";
  if (code == kNoCode) return "nothing";
  const std::string outcome = describe_outcome(scale.outcome(code));
  return outcome + " in " + std::to_string(scale.plies(code)) +
         (scale.metric == Metric::dtc ? " to the next shot" : "");
}

std::string notation(const Geometry::Sets& sets) {
  return "0,0 " + set_name(sets.mover) + ' ' + set_name(sets.opponent) + " w";
}

std::vector<std::uint32_t> rows_wanted(const Geometry& geometry, const Wanted& wanted) {
  std::vector<std::uint32_t> rows;
  if (wanted.sample) return rows;
  if (wanted.slots.empty()) {
    rows.resize(geometry.classes->rows());
    for (std::uint32_t row = 0; row < rows.size(); ++row) rows[row] = row;
    return rows;
  }
  for (const Slot slot : wanted.slots) {
    rows.push_back(static_cast<std::uint32_t>(slot / geometry.columns));
  }
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

std::vector<Slot> slots_sampled(const Geometry& geometry, const Wanted& wanted) {
  // One of each of as many parts, so that none is drawn twice.
  std::vector<Slot> slots(wanted.sample.value_or(0));
  Random random(wanted.seed);
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const Slot first = geometry.slots() * i / slots.size();
    const Slot end = geometry.slots() * (i + 1) / slots.size();
    slots[i] = first + random.below(end - first);
  }
  return slots;
}

void Findings::add(Findings&& other) {
  faults_ += other.faults_;
  for (std::size_t code = 0; code < counts_.size(); ++code) {
    counts_[code].slots += other.counts_[code].slots;
    counts_[code].placements += other.counts_[code].placements;
  }
  std::ranges::move(other.first_, std::back_inserter(first_));
  std::ranges::stable_sort(first_, {}, &FaultySlot::slot);
  if (first_.size() > most_) first_.resize(most_);
}

std::string Findings::contradiction(const Facts& facts) const {
  std::array<std::uint64_t, 5> placements{};
  std::uint32_t longest_win = 0;
  std::uint32_t longest_loss = 0;
  const Scale scale{facts.metric, facts.bound};
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    const auto code = static_cast<Code>(i);
    if (counts_[i].slots == 0) continue;
    placements[place_of(facts, code)] += counts_[i].placements;
    if (facts.metric == Metric::wdl || code == 0) continue;
    (Scale::is_win(code) ? longest_win : longest_loss) = scale.plies(code);  // codes ascend
  }
  const auto differ = [](const std::string& what, std::uint64_t said, std::uint64_t found) {
    return "its header says " + std::to_string(said) + what + ", its values have " +
           std::to_string(found);
  };
  constexpr std::array<const char*, 5> outcomes = {"won", "won without the clock", "drawn",
                                                   "lost without the clock", "lost"};
  for (std::size_t i = 0; i < placements.size(); ++i) {
    if (placements[i] == facts.placements[i]) continue;
    return differ(std::string(" placements that are ") + outcomes[i], facts.placements[i],
                  placements[i]);
  }
  if (longest_win != facts.longest_win) {
    return differ(" plies of the longest win", facts.longest_win, longest_win);
  }
  if (longest_loss != facts.longest_loss) {
    return differ(" plies of the longest loss", facts.longest_loss, longest_loss);
  }
  return {};
}

void Findings::enter(const Facts& facts, TableReport& report) {
  for (std::size_t code = 0; code < counts_.size(); ++code) {
    if (counts_[code].slots == 0) continue;
    report.outcomes[place_of(facts, static_cast<Code>(code))] += counts_[code].slots;
    report.checked += counts_[code].slots;
  }
  report.faults = faults_;
  report.first = std::move(first_);
}

}  // namespace mtb::deep
