#include "verify/deep.h"

#include <omp.h>

#include <algorithm>
#include <ctime>

#include "verify/findings.h"
#include "verify/needs.h"
#include "verify/plain.h"
#include "verify/row_checker.h"
#include "verify/values.h"

namespace mtb::deep {
namespace {

/// What the program, the sets of the key, and reading take, and each thread.
constexpr std::uint64_t kBaseBytes = 48u << 20;
constexpr std::uint64_t kThreadBytes = 4u << 20;

/// Of dtc tables where the clock does not run (FORMAT.md, "Values"): the one that exceeds all
/// plies.
constexpr std::uint32_t kBound = 126;
constexpr std::uint32_t kLargeBound = 16383;

double cpu_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

/// The slots of a row that stand for the same positions, by symmetry of the representative: where
/// each column goes. None for most rows.
std::vector<std::vector<std::uint32_t>> equivalent_columns(const Geometry& geometry,
                                                           std::uint32_t row) {
  const Set key = geometry.classes->representative(row);
  const Set free = kAllPoints & ~key;
  const int others = geometry.key_is_mover ? geometry.opponent : geometry.mover;
  std::vector<std::vector<std::uint32_t>> maps;
  for (int s = 1; s < kSymmetries; ++s) {
    if (image(s, key) != key) continue;
    std::vector<std::uint32_t>& map = maps.emplace_back(geometry.columns);
    for (std::uint32_t column = 0; column < geometry.columns; ++column) {
      const Set set = spread(set_of_rank(column, others), free);
      map[column] = rank_of(compacted(image(s, set), free));
    }
  }
  return maps;
}

tl::unexpected<Error> wrong(const Facts& facts, const std::string& what) {
  return fail(Fault::damaged, facts.name + " is wrong: " + what + "; generate it again");
}

/// Which canary of the header is not so; empty when all are.
std::string wrong_canary(const Facts& facts, const Values& own) {
  for (const Canary& canary : facts.canaries) {
    const bool fits = ((canary.mover | canary.opponent) & ~kAllPoints) == 0 &&
                      (canary.mover & canary.opponent) == 0 &&
                      size_of(canary.mover) == facts.mover &&
                      size_of(canary.opponent) == facts.opponent;
    if (!fits || own.geometry().slot(canary.mover, canary.opponent) != canary.slot) {
      return "the position of a canary is not that of slot " + std::to_string(canary.slot);
    }
    const Code stored = own.code(canary.slot);
    if (stored == canary.code) continue;
    return "the canary in slot " + std::to_string(canary.slot) + " has code " +
           std::to_string(canary.code) + ", the slot itself " + std::to_string(stored);
  }
  return {};
}

/// What came of checking a table, whose values come first among those held. Errors: those of
/// reading what was held; damaged when all values follow and the header tells something else of
/// them. A sample does not show what the header tells of all.
Result<TableReport> report_of(Findings findings, const std::vector<std::unique_ptr<Values>>& held,
                              const Facts& facts, const Wanted& wanted) {
  const Values& own = *held.front();
  TableReport report;
  report.slots = own.geometry().slots();
  findings.enter(facts, report);
  std::string contradiction;
  if (report.faults == 0) {
    contradiction = wrong_canary(facts, own);
    const bool complete = !wanted.sample && wanted.slots.empty();
    if (complete && contradiction.empty()) contradiction = findings.contradiction(facts);
    if (complete && contradiction.empty() && own.content_hash() != facts.content_hash) {
      contradiction = "its header has another content hash than its values";
    }
  }
  for (const auto& values : held) {
    if (auto failure = values->failure()) return tl::unexpected(std::move(*failure));
  }
  if (!contradiction.empty()) return wrong(facts, contradiction);
  return report;
}

}  // namespace

/// One table of distances at work.
struct DeepVerifier::Work {
  const Game& game;
  const Geometry geometry;
  const Scale scale;
  const Values& own;
  /// Distances up to the bound are to keep away from it: it is not that of a clock.
  const bool bound_is_far;
  const Tables& tables;            ///< for the plain checker
  std::optional<Targets> targets;  ///< for the checker of rows, where it fits

  /// Compares the code of a slot with what follows; whether they are alike.
  bool compare(Slot slot, Code stored, Code expected, std::uint64_t weight,
               Findings& findings) const {
    findings.count(stored, weight);
    const bool too_far = bound_is_far && stored != 0 && scale.plies(stored) == scale.bound;
    if (stored == expected && stored != kNoCode && !too_far) return true;
    findings.fault([&] {
      return FaultySlot{slot, notation(geometry.sets(slot)), stored, expected,
                        describe(scale, stored) + " is stored, its turns give " +
                            describe(scale, expected) +
                            (too_far ? ", which is as far as the bound" : "")};
    });
    return false;
  }

  /// Compares the code of a slot with that of another one that stands for the same position.
  bool compare_equivalent(Slot slot, Code stored, Slot other, Code code, Findings& findings) const {
    if (stored == code) return true;
    findings.fault([&] {
      return FaultySlot{slot, notation(geometry.sets(slot)), stored, code,
                        describe(scale, stored) + " is stored, and " + describe(scale, code) +
                            " in slot " + std::to_string(other) + ", which stands for the same"};
    });
    return false;
  }

  void check_row(std::uint32_t row, RowChecker* rows, PlainChecker& plain,
                 std::vector<Code>& stored, std::vector<Code>& expected, Findings& findings) const {
    stored.resize(geometry.columns);
    expected.resize(geometry.columns);
    const Slot first = Slot{row} * geometry.columns;
    own.codes(first, stored);
    if (rows != nullptr) {
      rows->expect(row, expected);
    } else {
      for (std::uint32_t column = 0; column < geometry.columns; ++column) {
        const Geometry::Sets sets = geometry.sets(first + column);
        expected[column] = plain.expected({sets.mover, sets.opponent});
      }
    }
    const auto weight = static_cast<std::uint64_t>(geometry.classes->images(row));
    const auto maps = equivalent_columns(geometry, row);
    for (std::uint32_t column = 0; column < geometry.columns; ++column) {
      const Slot slot = first + column;
      if (!compare(slot, stored[column], expected[column], weight, findings)) continue;
      for (const std::vector<std::uint32_t>& map : maps) {
        const std::uint32_t other = map[column];
        if (!compare_equivalent(slot, stored[column], first + other, stored[other], findings)) {
          break;
        }
      }
    }
  }

  void check_slot(Slot slot, PlainChecker& plain, Findings& findings) const {
    const Geometry::Sets sets = geometry.sets(slot);
    const Code stored = own.code(slot);
    if (!compare(slot, stored, plain.expected({sets.mover, sets.opponent}), 1, findings)) return;
    const Set key = geometry.key_is_mover ? sets.mover : sets.opponent;
    const Set free = kAllPoints & ~key;
    const Set other = geometry.key_is_mover ? sets.opponent : sets.mover;
    for (int s = 1; s < kSymmetries; ++s) {
      if (image(s, key) != key) continue;
      const Slot equivalent =
          slot - slot % geometry.columns + rank_of(compacted(image(s, other), free));
      if (!compare_equivalent(slot, stored, equivalent, own.code(equivalent), findings)) return;
    }
  }

  Findings run(const Wanted& wanted) const {
    Findings all(wanted.most_faults, own.largest());
    const std::vector<std::uint32_t> rows = rows_wanted(geometry, wanted);
    const std::vector<Slot> slots = slots_sampled(geometry, wanted);
#pragma omp parallel
    {
      Findings mine(wanted.most_faults, own.largest());
      PlainChecker plain(game, tables);
      std::optional<RowChecker> row_checker;
      if (targets && !rows.empty()) row_checker.emplace(game, geometry, scale, *targets);
      std::vector<Code> stored;
      std::vector<Code> expected;
#pragma omp for schedule(dynamic, 4)
      for (std::int64_t i = 0; i < static_cast<std::int64_t>(rows.size()); ++i) {
        check_row(rows[static_cast<std::size_t>(i)], row_checker ? &*row_checker : nullptr, plain,
                  stored, expected, mine);
      }
#pragma omp for schedule(dynamic, 64)
      for (std::int64_t i = 0; i < static_cast<std::int64_t>(slots.size()); ++i) {
        check_slot(slots[static_cast<std::size_t>(i)], plain, mine);
      }
#pragma omp critical
      all.add(std::move(mine));
    }
    return all;
  }
};

DeepVerifier::DeepVerifier(const Rules& rules, std::vector<std::unique_ptr<CodeSource>> sources)
    : game_(rules), sources_(std::move(sources)) {
  std::ranges::stable_sort(sources_, {}, [](const std::unique_ptr<CodeSource>& source) {
    const Facts& facts = source->facts();
    return std::array{facts.mover + facts.opponent, facts.mover, static_cast<int>(facts.metric)};
  });
}

DeepVerifier::~DeepVerifier() = default;

std::vector<Facts> DeepVerifier::tables() const {
  std::vector<Facts> facts;
  for (const auto& source : sources_) facts.push_back(source->facts());
  return facts;
}

const CodeSource* DeepVerifier::find(int mover, int opponent, Metric metric) const {
  for (const auto& source : sources_) {
    const Facts& facts = source->facts();
    if (facts.mover == mover && facts.opponent == opponent && facts.metric == metric) {
      return source.get();
    }
  }
  return nullptr;
}

const Classes& DeepVerifier::classes(int cows) {
  std::unique_ptr<Classes>& kept = classes_[static_cast<std::size_t>(cows)];
  if (!kept) kept = std::make_unique<Classes>(cows);
  return *kept;
}

Geometry DeepVerifier::geometry(const Facts& facts) {
  return {facts.mover, facts.opponent, facts.key_is_mover,
          classes(facts.key_is_mover ? facts.mover : facts.opponent)};
}

/// What a header says, against the rules and FORMAT.md.
Result<void> DeepVerifier::check_facts(const Facts& facts) {
  const Rules& rules = game_.rules();
  if (std::min(facts.mover, facts.opponent) < kLeastCows ||
      std::max(facts.mover, facts.opponent) > rules.cows) {
    return wrong(facts, "there are no positions with so many cows on the board and none in hand");
  }
  if (facts.slots != geometry(facts).slots()) return wrong(facts, "its sector has other slots");
  if (facts.metric != Metric::dtc) return {};
  const bool runs = clock_runs(rules, facts.mover, facts.opponent);
  const bool right = rules.clock_plies == 0
                         ? facts.bound == 0
                         : facts.clock_applied &&
                               (runs ? facts.bound == static_cast<std::uint32_t>(rules.clock_plies)
                                     : facts.bound == kBound || facts.bound == kLargeBound);
  if (right) return {};
  return wrong(facts, "its bound " + std::to_string(facts.bound) + " is not that of the clock");
}

Result<TableReport> DeepVerifier::check(int mover, int opponent, Metric metric, Wanted wanted) {
  const CodeSource* const source = find(mover, opponent, metric);
  if (source == nullptr) {
    return fail(Fault::not_found, "no table " + table_name(mover, opponent, metric));
  }
  if (const auto sound = check_facts(source->facts()); !sound) {
    return tl::unexpected(sound.error());
  }
  // All of a table is checked quicker row by row.
  if (wanted.sample && *wanted.sample >= source->facts().slots) wanted.sample.reset();
  const double start = cpu_seconds();
  Result<TableReport> report =
      metric == Metric::wdl ? check_outcomes(*source, wanted) : check_distances(*source, wanted);
  if (report) report->cpu_seconds = cpu_seconds() - start;
  return report;
}

/// Whether rows can be checked as such, see Targets. In an equal sector the key must be the mover;
/// the quiet moves are followed by exchanging the colours.
bool DeepVerifier::fits_rows(const Facts& facts) const {
  const Sector sector = {facts.mover, facts.opponent};
  if (facts.mover == facts.opponent && !facts.key_is_mover) return false;
  const std::vector<Sector> next = successors_of(sector, game_.rules());
  return std::ranges::all_of(next, [&](const Sector& to) {
    const CodeSource* const source = find(to.first, to.second, facts.metric);
    const bool key_is_shot_twice = !facts.key_is_mover && to.first < facts.opponent - 1;
    return to == sector || key_is_shot_twice || source->facts().key_is_mover != facts.key_is_mover;
  });
}

Result<TableReport> DeepVerifier::check_distances(const CodeSource& source, const Wanted& wanted) {
  const Facts& facts = source.facts();
  const Rules& rules = game_.rules();
  const Geometry own_geometry = geometry(facts);
  const Scale own_scale{facts.metric, facts.bound};
  const bool equal = facts.mover == facts.opponent;
  const bool bans = rules.reform != Reform::none;

  std::vector<Need> needs = {{&source, own_geometry, own_scale, Access::in_order}};
  for (const Sector& sector : sectors_needed({facts.mover, facts.opponent}, rules)) {
    const CodeSource* const other = find(sector.first, sector.second, facts.metric);
    if (other == nullptr) {
      return fail(Fault::not_found, facts.name + " cannot be checked without " +
                                        table_name(sector.first, sector.second, facts.metric) +
                                        ", which is not in the folder; generate it there");
    }
    if (const auto sound = check_facts(other->facts()); !sound) {
      return tl::unexpected(sound.error());
    }
    if (sector == Sector{facts.opponent, facts.mover} && other->facts().bound != facts.bound) {
      return fail(Fault::damaged, facts.name + " and " + other->facts().name +
                                      " have different bounds; generate both again");
    }
    needs.push_back({other, geometry(other->facts()), {facts.metric, other->facts().bound}});
    // Moves of the other player stay in their row.
    const bool same_row = sector == Sector{facts.opponent, facts.mover} && !facts.key_is_mover;
    if (same_row && !equal && !bans && !wanted.sample) needs.back().access = Access::in_order;
  }
  const bool by_rows = !wanted.sample && fits_rows(facts);
  const bool exchange = by_rows && equal;
  if (exchange) {
    needs.push_back({&source, own_geometry, own_scale, Access::exchanged});
    // Without bans, nothing else looks at the sector in its usual order.
    if (!bans) needs.erase(needs.begin() + 1);
  }
  if (wanted.sample) needs.front().access = Access::anywhere;

  const int threads = omp_get_max_threads();
  const auto held =
      hold(needs, threads, kBaseBytes + static_cast<std::uint64_t>(threads) * kThreadBytes,
           wanted.memory_bytes);
  if (!held) return tl::unexpected(held.error());
  Tables tables;
  for (std::size_t i = 0; i < held->size(); ++i) {
    if (needs[i].access != Access::exchanged) tables.set((*held)[i].get());
  }

  Targets targets;
  targets.quiet = exchange ? held->back().get() : tables.find(facts.opponent, facts.mover);
  for (int shots = 1; shots <= most_shots(rules, facts.mover); ++shots) {
    if (facts.opponent - shots < kLeastCows) continue;
    targets.shot[static_cast<std::size_t>(shots)] =
        tables.find(facts.opponent - shots, facts.mover);
  }
  targets.all = bans ? &tables : nullptr;
  const bool bound_is_far = facts.bound != 0 && !clock_runs(rules, facts.mover, facts.opponent);
  Work work{game_, own_geometry, own_scale, *held->front(), bound_is_far, tables, std::nullopt};
  if (by_rows) work.targets = targets;

  return report_of(work.run(wanted), *held, facts, wanted);
}

Result<TableReport> DeepVerifier::check_outcomes(const CodeSource& source, const Wanted& wanted) {
  const Facts& facts = source.facts();
  const Rules& rules = game_.rules();
  // Distances with the clock where the outcomes know of it, without it where they do not.
  const bool with_clock = rules.clock_plies != 0 && facts.clock_applied;
  const CodeSource* distances =
      find(facts.mover, facts.opponent, with_clock ? Metric::dtc : Metric::dtw);
  if (distances == nullptr && rules.clock_plies == 0) {
    distances = find(facts.mover, facts.opponent, Metric::dtc);
  }
  if (distances == nullptr) {
    return fail(
        Fault::not_found,
        facts.name + " cannot be checked without " +
            table_name(facts.mover, facts.opponent, with_clock ? Metric::dtc : Metric::dtw) +
            ": outcomes alone do not tell a win from a circle; generate it in the folder");
  }
  if (const auto sound = check_facts(distances->facts()); !sound) {
    return tl::unexpected(sound.error());
  }
  const Geometry own_geometry = geometry(facts);
  const Geometry other_geometry = geometry(distances->facts());
  const Scale scale{distances->facts().metric, distances->facts().bound};
  const bool alike = own_geometry.key_is_mover == other_geometry.key_is_mover;
  const Access access = wanted.sample || !alike ? Access::anywhere : Access::in_order;
  const int threads = omp_get_max_threads();
  const auto held = hold(
      {{&source, own_geometry, {}, Access::in_order}, {distances, other_geometry, scale, access}},
      threads, kBaseBytes, wanted.memory_bytes);
  if (!held) return tl::unexpected(held.error());
  const Values& own = *held->front();
  const Values& others = *held->back();

  const auto distance_of = [&](Slot slot) {
    if (alike) return others.code(slot);
    const Geometry::Sets sets = own_geometry.sets(slot);
    return others.code(other_geometry.slot(sets.mover, sets.opponent));
  };
  const auto compare = [&](Slot slot, Code stored, Code distance, std::uint64_t weight,
                           Findings& findings) {
    const Code expected = scale.outcome(distance);
    findings.count(stored, weight);
    if (stored == expected) return;
    findings.fault([&] {
      return FaultySlot{slot, notation(own_geometry.sets(slot)), stored, expected,
                        describe_outcome(stored) + " is stored, and " + describe(scale, distance) +
                            " in " + distances->facts().name};
    });
  };
  Findings all(wanted.most_faults, own.largest());
  const std::vector<std::uint32_t> rows = rows_wanted(own_geometry, wanted);
  const std::vector<Slot> slots = slots_sampled(own_geometry, wanted);
#pragma omp parallel
  {
    Findings mine(wanted.most_faults, own.largest());
    std::vector<Code> stored(own_geometry.columns);
    std::vector<Code> distances_there(own_geometry.columns);
#pragma omp for schedule(dynamic, 4)
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(rows.size()); ++i) {
      const std::uint32_t row = rows[static_cast<std::size_t>(i)];
      const Slot first = Slot{row} * own_geometry.columns;
      const auto weight = static_cast<std::uint64_t>(own_geometry.classes->images(row));
      own.codes(first, stored);
      if (alike) others.codes(first, distances_there);
      for (std::uint32_t column = 0; column < own_geometry.columns; ++column) {
        if (!alike) distances_there[column] = distance_of(first + column);
        compare(first + column, stored[column], distances_there[column], weight, mine);
      }
    }
#pragma omp for schedule(dynamic, 64)
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(slots.size()); ++i) {
      const Slot slot = slots[static_cast<std::size_t>(i)];
      compare(slot, own.code(slot), distance_of(slot), 1, mine);
    }
#pragma omp critical
    all.add(std::move(mine));
  }
  return report_of(std::move(all), *held, facts, wanted);
}

}  // namespace mtb::deep
