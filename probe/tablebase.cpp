#include "probe/tablebase.h"

#include <algorithm>

#include "game/notation.h"
#include "probe/rules_name.h"

namespace mtb {
namespace {

namespace fs = std::filesystem;

/// For messages.
std::string listed(std::span<const fs::path> folders) {
  std::string names;
  for (const fs::path& folder : folders) names += (names.empty() ? "" : ", ") + folder.string();
  return names.empty() ? "no folder" : names;
}

RuleSet without_clock(RuleSet rules) {
  rules.clock = {};
  return rules;
}

Position without_clock(Position position) {
  position.clock = 0;
  return position;
}

/// Whether the mover's ban forbids a move of some cow onto its free point, however far.
bool binds(const RuleSet& rules, PointSet mover, PointSet free, const Ban& ban) {
  if (!free.contains(ban.to)) return false;
  for (Point from : mover) {
    if (is_banned(rules, mover, ban, from, ban.to)) return true;
  }
  return false;
}

/// The position, between turns, without bans that forbid nothing, whatever comes. Tables are of
/// positions without bans.
Position without_idle_bans(const RuleSet& rules, Position position) {
  for (const Colour c : {Colour::white, Colour::black}) {
    std::optional<Ban>& ban = position.ban[c];
    if (!ban) continue;
    const bool has_cow = rules.reform != Reform::none && position.cows[c].contains(ban->from);
    const bool is_due = c == position.side;
    if (!has_cow || (is_due && !binds(rules, position.mover(), position.free_points(), *ban))) {
      ban.reset();
    }
  }
  return position;
}

bool has_ban(const Position& position) {
  return position.ban[Colour::white] || position.ban[Colour::black];
}

}  // namespace

Tablebase::Tablebase(RuleSet rules, std::vector<fs::path> folders, std::size_t cache_bytes)
    : rules_(rules),
      unclocked_(without_clock(rules)),
      folders_(std::move(folders)),
      cache_(std::make_unique<BlockCache>(cache_bytes)) {}

Result<Tablebase> Tablebase::open(std::span<const fs::path> folders,
                                  const std::optional<RuleSet>& expected, std::size_t cache_bytes) {
  const ClassCache classes;
  Result<FolderContents> contents = read_folders(folders, expected, classes);
  if (!contents) return tl::unexpected(std::move(contents.error()));
  if (!contents->rules) {
    if (!contents->refused.empty()) return tl::unexpected(contents->refused.front().error);
    return fail(Fault::not_found,
                "no tables in " + listed(folders) + "; generate some there or name another folder");
  }
  Tablebase base(*contents->rules, {folders.begin(), folders.end()}, cache_bytes);
  base.refused_ = std::move(contents->refused);
  base.clock_applied_ = std::ranges::any_of(contents->tables, [](const TableFile& table) {
    return table.header().clock == ClockUse::applied;
  });
  for (TableFile& table : contents->tables) {
    const TableKey key{table.header().metric, table.header().sector};
    base.tables_.emplace(key, std::move(table));
  }
  return base;
}

std::vector<Sector> Tablebase::sectors(Metric metric) const {
  std::vector<Sector> result;
  for (const auto& [key, table] : tables_) {
    if (key.first == metric) result.push_back(key.second);
  }
  std::sort(result.begin(), result.end(), listed_before);
  return result;
}

std::optional<Sector> Tablebase::largest_sector() const {
  std::optional<Sector> largest;
  for (const Metric metric : kAllMetrics) {
    for (const Sector sector : sectors(metric)) {
      if (!largest || listed_before(*largest, sector)) largest = sector;
    }
  }
  return largest;
}

const TableFile* Tablebase::find(Sector sector, Metric metric) const {
  const auto found = tables_.find({metric, sector});
  return found == tables_.end() ? nullptr : &found->second;
}

Error Tablebase::missing(Sector sector, std::initializer_list<Metric> metrics) const {
  std::string names;
  for (const Metric metric : metrics) {
    const std::string name = table_file_name(sector, metric);
    for (const Refusal& refusal : refused_) {
      if (refusal.path.filename() == name) return refusal.error;
    }
    names += (names.empty() ? "" : " or ") + std::string(to_string(metric));
  }
  return {Fault::not_found, "no table " + to_string(sector) + " (" + names + ", " +
                                describe_rules(rules_) + ") in " + listed(folders_) +
                                "; generate it or name its folder"};
}

Result<Code> Tablebase::read_code(const TableFile& table, const Position& position) const {
  const Slot slot = table.index().slot({position.mover(), position.opponent()});
  const Result<BlockCache::Block> block = cache_->get(table, table.block_of(slot));
  if (!block) return tl::unexpected(block.error());
  return unpack_one(table.header().packing, **block, table.place_of(slot));
}

/// Outcome and, of a table of distances, distance.
Result<void> Tablebase::read_value(const TableFile& table, const Position& position,
                                   Evaluation& value) const {
  const Result<Code> code = read_code(table, position);
  if (!code) return tl::unexpected(code.error());
  const CodeMeaning meaning = table.header().meaning();
  const std::optional<Outcome> outcome = meaning.outcome(*code);
  if (!outcome) {
    return fail(Fault::damaged, table.path().string() + " holds the value " +
                                    std::to_string(*code) +
                                    ", which is no outcome; generate it again");
  }
  value.outcome = *outcome;
  value.clock = table.header().clock;
  if (*outcome == Outcome::draw) return {};
  if (meaning.metric == Metric::dtw) value.dtw = meaning.plies(*code);
  if (meaning.metric == Metric::dtc) value.dtc = meaning.plies(*code);
  return {};
}

/// Makes a clock win or clock loss of an outcome that comes too late at the position's clock.
Result<void> Tablebase::apply_clock(const Position& position, Evaluation& value) const {
  const Sector sector = position.sector();
  const bool by_shot = value.outcome == Outcome::win || value.outcome == Outcome::loss;
  if (!clock_applied_ || !clock_runs(rules_, sector) || position.clock == 0 || !by_shot) return {};
  if (!value.dtc) return tl::unexpected(missing(sector, {Metric::dtc}));
  if (*value.dtc + position.clock > rules_.clock.plies) {
    value.outcome = value.outcome == Outcome::win ? Outcome::clock_win : Outcome::clock_loss;
  }
  return {};
}

Result<Evaluation> Tablebase::look_up(const Position& position, Need need) const {
  const Sector sector = position.sector();
  const TableFile* const wdl = find(sector, Metric::wdl);
  const TableFile* const dtw = find(sector, Metric::dtw);
  const TableFile* const dtc = find(sector, Metric::dtc);
  Evaluation value;
  if (!clock_applied_) {
    const bool outcome_only = need == Need::outcome && wdl != nullptr;
    const TableFile* const table = outcome_only || dtw == nullptr ? wdl : dtw;
    if (table == nullptr) return tl::unexpected(missing(sector, {Metric::dtw, Metric::wdl}));
    return read_value(*table, position, value).map([&] { return value; });
  }

  // At clock zero the outcome stands in both tables; later it depends on the distance.
  const std::uint32_t clock = clock_runs(rules_, sector) ? position.clock : 0;
  const bool outcome_only = need == Need::outcome && clock == 0 && wdl != nullptr;
  const TableFile* const table = outcome_only || dtc == nullptr ? wdl : dtc;
  if (table == nullptr || table->header().clock != ClockUse::applied) {
    return tl::unexpected(missing(sector, {Metric::dtc, Metric::wdl}));
  }
  if (const auto done = read_value(*table, position, value); !done) {
    return tl::unexpected(done.error());
  }
  if (const auto done = apply_clock(position, value); !done) return tl::unexpected(done.error());
  if (need == Need::outcome || dtw == nullptr) return value;
  Evaluation end;
  if (const auto done = read_value(*dtw, position, end); !done) return tl::unexpected(done.error());
  if (end.outcome != unclocked(value.outcome)) {
    return fail(Fault::damaged, dtw->path().string() + " and " + table->path().string() +
                                    " contradict each other; generate them again");
  }
  value.dtw = end.dtw;
  return value;
}

/// Positions with bans, at clock zero, whose values follow from one another, with what is known of
/// these. Mostly there are few: a ban lasts for one turn.
struct Tablebase::BannedPositions {
  struct Entry {
    Position position;
    Evaluation value;
  };
  std::vector<Entry> entries;
  std::map<std::array<std::int64_t, 6>, std::size_t> places;
  bool asked = false;  ///< a value among them was used

  /// A position that has not been met is a draw until more is known.
  const Evaluation& value(const Position& position, const Evaluation& draw) {
    const auto number = [&](Colour c) -> std::int64_t {
      const std::optional<Ban>& ban = position.ban[c];
      return ban ? index(ban->from) * kPointCount + index(ban->to) : -1;
    };
    const auto [place, is_new] = places.try_emplace(
        {position.cows[Colour::white].bits(), position.cows[Colour::black].bits(),
         position.hand[Colour::white] * (kMaxCows + 1) + position.hand[Colour::black],
         position.side == Colour::white, number(Colour::white), number(Colour::black)},
        entries.size());
    if (is_new) entries.push_back({position, draw});
    asked = true;
    return entries[place->second].value;
  }
};

/// Of a position with bans, which tables do not have, from its turns. Distances do not depend on
/// the clock, and when it has run out there are no turns: they are looked at as if it had just
/// started.
///
/// Where a new ban can come without a shot, positions with bans may come back to themselves. All
/// that are met begin as draws and are evaluated again until nothing changes. On the way every win
/// and loss that is said is one, at that distance or a shorter one; at the end each value follows
/// from those of its successors, and only the right ones do so.
Result<Evaluation> Tablebase::look_ahead(const Position& position, Need need,
                                         BannedPositions* met) const {
  const Evaluation draw = drawn();
  // Outcomes at other counts of the clock follow from distances.
  if (clock_applied_) need = Need::all;
  if (met != nullptr) {
    // Turns come back to a position only through one that has just got a ban.
    const bool is_new = position.ban[other(position.side)].has_value();
    Result<Evaluation> value = is_new ? met->value(without_clock(position), draw)
                                      : value_under_bans(without_clock(position), need, *met);
    if (!value) return value;
    return apply_clock(position, *value).map([&] { return *value; });
  }
  BannedPositions positions;
  positions.value(without_clock(position), draw);
  for (bool changed = true; changed;) {
    changed = false;
    positions.asked = false;
    const std::size_t known = positions.entries.size();
    for (std::size_t i = known; i-- > 0;) {
      const Position of = positions.entries[i].position;
      const Result<Evaluation> value = value_under_bans(of, need, positions);
      if (!value) return value;
      changed = changed || *value != positions.entries[i].value;
      positions.entries[i].value = *value;
    }
    changed = positions.asked && (changed || positions.entries.size() != known);
  }
  Evaluation value = positions.entries.front().value;
  return apply_clock(position, value).map([&] { return value; });
}

/// From the turns of a position with bans. Most are not looked at: what the position is worth
/// without bans mostly tells what it is worth with them.
Result<Evaluation> Tablebase::value_under_bans(const Position& position, Need need,
                                               BannedPositions& met) const {
  const std::vector<Turn> turns = turns_of(position);
  const std::optional<Ban>& ban = position.ban[position.side];
  const bool loses_when_blocked = rules_.blocked == Blocked::loss;
  if (position.ban[other(position.side)] && (ban || !loses_when_blocked)) {
    return best_value(valued(position, turns, need, &met));
  }
  Position free = position;
  free.ban = {};
  const Result<Evaluation> plain = look_up(free, need);
  if (!plain) return plain;
  const auto leads_to_ban = [&](const Position& after) {
    return has_ban(without_idle_bans(rules_, after));
  };

  if (!ban) {
    // The opponent's ban only helps, and only where it binds after the turn.
    std::vector<RankedTurn> ranked = valued(position, turns, need, &met, leads_to_ban);
    ranked.push_back({Turn{}, free, plain});
    return best_value(ranked);
  }

  // A ban does its player no good where being blocked is a loss, or cannot be. It matters only if a
  // turn that it forbids is as good as the best, and that turn's own ban makes it no better.
  const bool flies = position.mover().size() <= rules_.fly_at;
  const bool only_hurts = loses_when_blocked || (flies && position.free_points().size() >= 2);
  std::vector<Turn> forbidden = turns_of(free);
  std::erase_if(forbidden, [&](const Turn& turn) {
    return !is_banned(rules_, position.mover(), *ban, turn.from, turn.to);
  });
  bool matters = false;
  for (const Turn& turn : forbidden) {
    Position after = play(rules_, free, turn);
    matters = matters || (has_ban(after) && !only_hurts);
    if (matters) break;
    after.ban = {};
    const Result<Evaluation> value = evaluate(after, need, &met);
    if (!value) return value;
    // Without its own ban the turn may even be better than the position it is made in.
    const Evaluation most = before_turn(free, turn, *value);
    matters = may_make(most, *plain) || may_improve(most, *plain);
  }
  if (!matters) return plain;

  std::vector<RankedTurn> ranked = valued(
      position, turns, need, &met, [&](const Position& after) { return !leads_to_ban(after); });
  std::optional<Evaluation> best;
  if (!ranked.empty()) {
    const Result<Evaluation> value = best_value(ranked);
    if (!value) return value;
    best = *value;
  }
  for (const Turn& turn : turns) {
    Position after = play(rules_, position, turn);
    if (!leads_to_ban(after)) continue;
    if (only_hurts && best) {
      Position unbanned = after;
      unbanned.ban = {};
      const Result<Evaluation> most = evaluate(unbanned, need, &met);
      if (most && !may_improve(before_turn(position, turn, *most), *best)) continue;
    }
    ranked.push_back(valued(position, turn, after, need, &met));
  }
  return best_value(ranked);
}

/// A drawn game.
Evaluation Tablebase::drawn() const {
  Evaluation draw;
  draw.clock = clock_applied_            ? ClockUse::applied
               : rules_.clock.plies != 0 ? ClockUse::ignored
                                         : ClockUse::none;
  return draw;
}

Result<Evaluation> Tablebase::evaluate(const Position& position, Need need,
                                       BannedPositions* met) const {
  if (position.owed > 0) return best_value(valued(position, turns_of(position), need, met));
  Evaluation over = drawn();
  const auto decided = [&](Outcome outcome) {
    over.outcome = outcome;
    over.dtw = 0;
    if (clock_applied_) over.dtc = 0;
    return over;
  };
  switch (verdict(unclocked_, without_clock(position))) {
    case Verdict::draw:
      return over;
    case Verdict::win:
      return decided(Outcome::win);
    case Verdict::loss:
      return decided(Outcome::loss);
    case Verdict::open:
      break;
  }
  const Position needed = without_idle_bans(rules_, position);
  Result<Evaluation> value =
      has_ban(needed) ? look_ahead(needed, need, met) : look_up(needed, need);
  const bool expired = clock_applied_ && verdict(rules_, position) == Verdict::draw;
  // What a drawn game would have been without the clock is known only from tables.
  if (!value && expired && value.error().fault == Fault::not_found) return over;
  return value;
}

/// The value of a turn for its player, from the value of the position that it leads to.
Evaluation Tablebase::before_turn(const Position& position, const Turn& turn,
                                  Evaluation after) const {
  const bool late = after.outcome == Outcome::clock_win || after.outcome == Outcome::clock_loss;
  after.outcome = reversed(after.outcome);
  if (after.dtw) ++*after.dtw;
  if (after.clock != ClockUse::applied || after.outcome == Outcome::draw) return after;
  if (turn.shot_count == 0) {
    if (after.dtc) ++*after.dtc;
    return after;
  }
  // A shot ends the distance; one that only wins without the clock comes after all that the clock
  // allows.
  after.dtc = 1;
  if (late) {
    const std::optional<std::uint32_t> bound = clock_bound(position.sector());
    after.dtc = bound ? std::optional(*bound + 1) : std::nullopt;
  }
  return after;
}

/// Nothing when no table of the sector says it.
std::optional<std::uint32_t> Tablebase::clock_bound(Sector sector) const {
  if (clock_runs(rules_, sector)) return rules_.clock.plies;
  const TableFile* const dtc = find(sector, Metric::dtc);
  return dtc == nullptr ? std::nullopt : std::optional(dtc->header().clock_bound);
}

/// All legal turns, as far as the tables know the clock.
std::vector<Turn> Tablebase::turns_of(const Position& position) const {
  return clock_applied_ ? legal_turns(rules_, position)
                        : legal_turns(unclocked_, without_clock(position));
}

RankedTurn Tablebase::valued(const Position& position, const Turn& turn, const Position& after,
                             Need need, BannedPositions* met) const {
  return {turn, after, evaluate(after, need, met).map([&](const Evaluation& of_opponent) {
            return before_turn(position, turn, of_opponent);
          })};
}

/// Those of the turns whose successors are wanted.
std::vector<RankedTurn> Tablebase::valued(
    const Position& position, std::span<const Turn> turns, Need need, BannedPositions* met,
    const std::function<bool(const Position&)>& wanted) const {
  std::vector<RankedTurn> result;
  for (const Turn& turn : turns) {
    const Position after = play(rules_, position, turn);
    if (!wanted || wanted(after)) result.push_back(valued(position, turn, after, need, met));
  }
  return result;
}

std::vector<RankedTurn> Tablebase::ranked_turns(const Position& position, Need need) const {
  std::vector<RankedTurn> ranked = valued(position, turns_of(position), need, nullptr);
  sort_best_first(ranked);
  return ranked;
}

Result<Evaluation> Tablebase::probe(const Position& position) const {
  return validate(position, rules_).and_then([&] { return evaluate(position, Need::all); });
}

Result<Outcome> Tablebase::probe_outcome(const Position& position) const {
  return validate(position, rules_)
      .and_then([&] { return evaluate(position, Need::outcome); })
      .map([](const Evaluation& value) { return value.outcome; });
}

Result<std::vector<RankedTurn>> Tablebase::rank(const Position& position) const {
  return validate(position, rules_).map([&] { return ranked_turns(position, Need::all); });
}

Result<std::vector<Turn>> Tablebase::best_line(const Position& position) const {
  Result<Evaluation> value = probe(position);
  if (!value) return tl::unexpected(std::move(value.error()));
  std::vector<Turn> line;
  Position current = position;
  for (;;) {
    const std::vector<RankedTurn> ranked = ranked_turns(current, Need::all);
    if (ranked.empty()) return line;
    const RankedTurn& best = ranked.front();
    const auto agrees = [](const auto& of_turn, const auto& of_position) {
      return !of_turn || !of_position || *of_turn == *of_position;
    };
    // The best turn by the clock need not be the quickest to the end.
    if (!best.value || best.value->outcome != value->outcome ||
        !(value->clock == ClockUse::applied ? agrees(best.value->dtc, value->dtc)
                                            : agrees(best.value->dtw, value->dtw))) {
      // A better turn should be there: its table is missing, or the tables contradict each other.
      for (const RankedTurn& turn : ranked) {
        if (!turn.value) return tl::unexpected(turn.value.error());
      }
      return fail(Fault::damaged, "the tables contradict each other about the turns of `" +
                                      to_string(current) + "`; generate them again");
    }
    line.push_back(best.turn);
    const bool decided = value->outcome == Outcome::win || value->outcome == Outcome::loss;
    const bool counted =
        value->clock == ClockUse::applied ? value->dtc.has_value() : value->dtw.has_value();
    if (!decided || !counted) return line;
    current = best.position;
    value = evaluate(current, Need::all);
    if (!value) return tl::unexpected(std::move(value.error()));
  }
}

}  // namespace mtb
