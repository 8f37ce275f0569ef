#include "audit/sample.h"

#include <algorithm>
#include <array>
#include <set>

#include "game/notation.h"
#include "grade/turn_grade.h"

namespace mtb {
namespace {

/// Draws for one position that is wanted, after which its kind is taken for exhausted.
constexpr int kMostDraws = 3000;

/// Any placement with equal chances.
Position random_placement(Sector sector, std::mt19937_64& random) {
  Position position;
  for (const auto& [colour, cows] :
       {std::pair(Colour::white, sector.mover), {Colour::black, sector.opponent}}) {
    while (position.cows[colour].size() < cows) {
      const Point p = point(static_cast<int>(random() % kPointCount));
      if (position.free_points().contains(p)) position.cows[colour] = position.cows[colour].with(p);
    }
  }
  return position;
}

struct Kind {
  Sector sector;
  Outcome outcome;
  Difficulty difficulty;
  bool exhausted = false;
};

/// The position as a decision, if it is one.
Result<std::optional<Sampled>> decision(const Tablebase& base, const Position& position) {
  const Result<std::vector<RankedTurn>> ranked = base.rank(position);
  if (!ranked) return tl::unexpected(ranked.error());
  if (ranked->empty()) return std::nullopt;
  const Result<Choice> choice = choice_among(*ranked);
  if (!choice) return tl::unexpected(choice.error());
  if (!choice->is_decision()) return std::nullopt;
  return Sampled{position, choice->best.outcome, choice->turns, choice->keeping, choice->best.dtw};
}

/// Sectors whose every turn can be valued.
Result<std::vector<Sector>> sectors_in_reach(const Tablebase& base) {
  std::vector<Sector> with_table;
  for (const Metric metric : {Metric::wdl, Metric::dtw, Metric::dtc}) {
    for (const Sector sector : base.sectors(metric)) {
      if (std::ranges::find(with_table, sector) == with_table.end()) with_table.push_back(sector);
    }
  }
  std::vector<Sector> result;
  for (const Sector sector : with_table) {
    const auto needed = base.dependencies({sector, Metric::wdl});
    if (!needed) return tl::unexpected(needed.error());
    const bool all_there = std::ranges::all_of(*needed, [&](const TableName& name) {
      return std::ranges::find(with_table, name.sector) != with_table.end();
    });
    if (all_there) result.push_back(sector);
  }
  return result;
}

}  // namespace

std::string_view to_string(Difficulty difficulty) {
  switch (difficulty) {
    case Difficulty::only_turn:
      return "only turn";
    case Difficulty::few:
      return "few turns";
    case Difficulty::many:
      return "many turns";
  }
  return "";
}

Result<std::vector<Sampled>> sample_decisions(const Tablebase& base, const SampleSpec& spec) {
  std::vector<Sector> sectors = spec.sectors;
  if (sectors.empty()) {
    Result<std::vector<Sector>> all = sectors_in_reach(base);
    if (!all) return tl::unexpected(all.error());
    sectors = std::move(*all);
  }
  if (sectors.empty()) {
    return fail(Fault::not_found, "there are no tables of which positions could be drawn");
  }
  std::vector<Kind> kinds;
  for (std::size_t outcome = 0; outcome < kOutcomeCount; ++outcome) {
    for (std::size_t difficulty = 0; difficulty < kDifficulties; ++difficulty) {
      for (const Sector sector : sectors) {
        const Kind kind{sector, static_cast<Outcome>(outcome), static_cast<Difficulty>(difficulty)};
        // Where everything loses there is nothing to decide.
        if (kind.outcome == Outcome::loss) continue;
        if (spec.outcome && *spec.outcome != kind.outcome) continue;
        if (spec.difficulty && *spec.difficulty != kind.difficulty) continue;
        kinds.push_back(kind);
      }
    }
  }
  std::mt19937_64 random(spec.seed);
  std::vector<Sampled> result;
  std::set<std::string> seen;
  while (result.size() < spec.positions && !std::ranges::all_of(kinds, &Kind::exhausted)) {
    for (Kind& kind : kinds) {
      if (kind.exhausted || result.size() == spec.positions) continue;
      kind.exhausted = true;
      for (int draw = 0; draw < kMostDraws && kind.exhausted; ++draw) {
        const Position position = random_placement(kind.sector, random);
        const Result<Outcome> outcome = base.probe_outcome(position);
        if (!outcome) return tl::unexpected(outcome.error());
        if (*outcome != kind.outcome) continue;
        const Result<std::optional<Sampled>> sampled = decision(base, position);
        if (!sampled) return tl::unexpected(sampled.error());
        if (!*sampled || difficulty_of((*sampled)->keeping) != kind.difficulty) continue;
        if (!seen.insert(to_string(position)).second) continue;
        result.push_back(**sampled);
        kind.exhausted = false;
      }
    }
  }
  return result;
}

}  // namespace mtb
