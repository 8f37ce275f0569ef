#include "probe/tablebase.h"

#include <algorithm>
#include <functional>

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

/// Of the ranked turns that keep the outcome of the first, the one with the nearest end, or, where
/// that is a loss, the farthest; the first where no end is known.
const RankedTurn& with_best_end(std::span<const RankedTurn> ranked) {
  const RankedTurn* best = &ranked.front();
  const Outcome outcome = best->value->outcome;
  for (const RankedTurn& turn : ranked) {
    if (!turn.value || turn.value->outcome != outcome) break;
    const auto& dtw = turn.value->dtw;
    const auto& least = best->value->dtw;
    if (dtw && (!least || (outcome == Outcome::win ? *dtw < *least : *dtw > *least))) best = &turn;
  }
  return *best;
}

RuleSet rules_without_clock(RuleSet rules) {
  rules.clock = {};
  return rules;
}

}  // namespace

Tablebase::Tablebase(FolderContents contents, std::vector<fs::path> folders,
                     std::size_t cache_bytes)
    : known_rules_(contents.rules),
      rules_(contents.rules.value_or(RuleSet{})),
      unclocked_(rules_without_clock(rules_)),
      folders_(std::move(folders)),
      refused_(std::move(contents.refused)),
      duplicates_(std::move(contents.duplicates)),
      tables_(std::make_unique<TableStore>(cache_bytes)) {
  // A table that cannot be used may have known of the clock. Without it, answers from those that do
  // not know would be other ones than were wanted.
  clock_applied_ =
      rules_.clock.plies != 0 && std::ranges::any_of(refused_, [](const Refusal& file) {
        const std::optional<Metric> metric = metric_of_ending(file.path);
        return metric == Metric::wdl || metric == Metric::dtc;
      });
  for (TableFile& table : contents.tables) {
    clock_applied_ = clock_applied_ || table.header().clock == ClockUse::applied;
    tables_->add(std::move(table));
  }
}

Result<Tablebase> Tablebase::open(std::span<const fs::path> folders,
                                  const TablebaseOptions& options) {
  const ClassCache classes;
  Result<FolderContents> contents =
      read_folders(folders, options.expected, classes, options.files, options.may_be_empty);
  if (!contents) return tl::unexpected(std::move(contents.error()));
  if (!contents->rules && !options.may_be_empty) {
    if (!contents->refused.empty()) return tl::unexpected(contents->refused.front().error);
    return fail(Fault::not_found,
                "no tables in " + listed(folders) + "; generate some there or name another folder");
  }
  return Tablebase(std::move(*contents), {folders.begin(), folders.end()}, options.cache_bytes);
}

bool Tablebase::has_ban(const Position& position) {
  return position.ban[Colour::white] || position.ban[Colour::black];
}

Position Tablebase::without_clock(Position position) {
  position.clock = 0;
  return position;
}

std::vector<Sector> Tablebase::sectors(Metric metric) const {
  std::vector<Sector> result = tables_->sectors(metric);
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

/// Outcome and, of a table of distances, distance.
Result<void> Tablebase::read_value(const Table& table, const Position& position, Question& question,
                                   Evaluation& value) const {
  TableStore::LastBlock& last = question.last[static_cast<std::size_t>(table.file.header().metric)];
  const Result<Code> code = tables_->code(table, position, question.control, last);
  if (!code) return tl::unexpected(code.error());
  const CodeMeaning meaning = table.file.header().meaning();
  const std::optional<Outcome> outcome = meaning.outcome(*code);
  if (!outcome) {
    return fail(Fault::damaged, table.file.path().string() + " holds the value " +
                                    std::to_string(*code) +
                                    ", which is no outcome; generate it again");
  }
  value.outcome = *outcome;
  value.clock = table.file.header().clock;
  if (*outcome == Outcome::draw) return {};
  if (meaning.metric == Metric::dtw) value.dtw = meaning.plies(*code);
  if (meaning.metric == Metric::dtc) value.dtc = meaning.plies(*code);
  return {};
}

/// Makes a clock win or clock loss of an outcome that comes too late at the position's clock.
Result<void> Tablebase::apply_clock(const Position& position, Evaluation& value) const {
  const bool by_shot = value.outcome == Outcome::win || value.outcome == Outcome::loss;
  if (!clock_applied_ || position.clock == 0 || !by_shot) return {};
  const Sector sector = position.sector();
  if (!clock_runs(rules_, sector)) return {};
  if (!value.dtc) return tl::unexpected(missing(sector, {Metric::dtc}));
  if (*value.dtc + position.clock > rules_.clock.plies) {
    value.outcome = value.outcome == Outcome::win ? Outcome::clock_win : Outcome::clock_loss;
  }
  return {};
}

/// The table that says the most of what is needed; null when there is none.
const Tablebase::Table* Tablebase::table_for(const Position& position, Sector sector,
                                             Need need) const {
  const Table* const wdl = tables_->find(sector, Metric::wdl);
  // At clock zero the outcome stands in both tables; later it depends on the distance.
  const bool clock_stands = clock_applied_ && clock_runs(rules_, sector) && position.clock != 0;
  if (need == Need::outcome && !clock_stands && wdl != nullptr) return wdl;
  const Table* const distances = tables_->find(sector, clock_applied_ ? Metric::dtc : Metric::dtw);
  return distances == nullptr ? wdl : distances;
}

Result<Evaluation> Tablebase::look_up(const Position& position, Need need,
                                      Question& question) const {
  const Sector sector = position.sector();
  const Table* const table = table_for(position, sector, need);
  if (table == nullptr || (clock_applied_ && table->file.header().clock != ClockUse::applied)) {
    return tl::unexpected(
        missing(sector, {clock_applied_ ? Metric::dtc : Metric::dtw, Metric::wdl}));
  }
  Evaluation value;
  if (const auto done = read_value(*table, position, question, value); !done) {
    return tl::unexpected(done.error());
  }
  if (!clock_applied_) return value;
  if (const auto done = apply_clock(position, value); !done) return tl::unexpected(done.error());
  const Table* const dtw = tables_->find(sector, Metric::dtw);
  if (need == Need::outcome || dtw == nullptr) return value;
  Evaluation end;
  if (const auto done = read_value(*dtw, position, question, end); !done) {
    return tl::unexpected(done.error());
  }
  if (end.outcome != unclocked(value.outcome)) {
    return fail(Fault::damaged, dtw->file.path().string() + " and " + table->file.path().string() +
                                    " contradict each other; generate them again");
  }
  value.dtw = end.dtw;
  return value;
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
                                       Question& question) const {
  if (position.owed > 0) return best_value(valued(position, turns_of(position), need, question));
  Evaluation over = drawn();
  const auto decided = [&](Outcome outcome) {
    over.outcome = outcome;
    over.dtw = 0;
    if (clock_applied_) over.dtc = 0;
    return over;
  };
  switch (verdict(unclocked_, position)) {
    case Verdict::draw:
      return over;
    case Verdict::win:
      return decided(Outcome::win);
    case Verdict::loss:
      return decided(Outcome::loss);
    case Verdict::open:
      break;
  }
  Result<Evaluation> value = has_ban(position) ? evaluate_with_bans(position, need, question)
                                               : look_up(position, need, question);
  // What a drawn game would have been without the clock is known only from tables.
  if (!value && value.error().fault == Fault::not_found && clock_applied_ &&
      verdict(rules_, position) == Verdict::draw) {
    return over;
  }
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
  const Table* const dtc = tables_->find(sector, Metric::dtc);
  return dtc == nullptr ? std::nullopt : std::optional(dtc->file.header().clock_bound);
}

/// All legal turns, as far as the tables know the clock.
std::vector<Turn> Tablebase::turns_of(const Position& position) const {
  return clock_applied_ ? legal_turns(rules_, position)
                        : legal_turns(unclocked_, without_clock(position));
}

RankedTurn Tablebase::valued(const Position& position, const Turn& turn, const Position& after,
                             Need need, Question& question) const {
  if (question.control.wants_stop()) {
    return {turn, after, fail(Fault::stopped, "stopped before the turn was valued")};
  }
  return {turn, after, evaluate(after, need, question).map([&](const Evaluation& of_opponent) {
            return before_turn(position, turn, of_opponent);
          })};
}

/// Those of the turns whose successors are wanted.
std::vector<RankedTurn> Tablebase::valued(
    const Position& position, std::span<const Turn> turns, Need need, Question& question,
    const std::function<bool(const Position&)>& wanted) const {
  std::vector<RankedTurn> result;
  for (const Turn& turn : turns) {
    const Position after = play(rules_, position, turn);
    if (!wanted || wanted(after)) result.push_back(valued(position, turn, after, need, question));
  }
  return result;
}

std::vector<RankedTurn> Tablebase::ranked_turns(const Position& position,
                                                Question& question) const {
  std::vector<RankedTurn> ranked = valued(position, turns_of(position), Need::all, question);
  sort_best_first(ranked);
  return ranked;
}

/// Whether the position can be asked about.
Result<void> Tablebase::check(const Position& position) const {
  if (!known_rules_) {
    return fail(Fault::not_found, "no tables in " + listed(folders_) +
                                      "; generate some there or name another folder");
  }
  return validate(position, rules_);
}

Result<Evaluation> Tablebase::probe(const Position& position, const ProbeControl& control) const {
  if (const auto sound = check(position); !sound) return tl::unexpected(sound.error());
  Question question{control};
  return evaluate(position, Need::all, question);
}

/// The outcome of a position between turns without bans and cows in hand, at clock zero where that
/// matters, when a table of outcomes has it decoded: most of what a search asks. Any other
/// position, a wrong one among them, is not answered. Whether the game is over need not be looked
/// at: the table has that, too.
std::optional<Outcome> Tablebase::quick_outcome(const Position& position) const {
  const PointSet mover = position.mover();
  const PointSet opponent = position.opponent();
  const bool is_plain = position.owed == 0 && position.hand[Colour::white] == 0 &&
                        position.hand[Colour::black] == 0 && !has_ban(position) &&
                        !mover.intersects(opponent) && (position.clock == 0 || !clock_applied_);
  if (!is_plain) return std::nullopt;
  const Sector sector = position.sector();
  if (std::min(sector.mover, sector.opponent) < kMinCows) return std::nullopt;
  // More cows than the rules have would look beyond the tables that there can be.
  if (std::max(sector.mover, sector.opponent) > rules_.cows) return std::nullopt;
  const Table* const table = tables_->find(sector, Metric::wdl);
  if (table == nullptr || (clock_applied_ && table->file.header().clock != ClockUse::applied)) {
    return std::nullopt;
  }
  const std::int32_t code = tables_->cached_code(*table, {mover, opponent});
  if (code == TableStore::kNotKept) return std::nullopt;
  return wdl_code::outcome(static_cast<Code>(code));
}

Result<Outcome> Tablebase::probe_outcome(const Position& position,
                                         const ProbeControl& control) const {
  if (const std::optional<Outcome> outcome = quick_outcome(position)) return *outcome;
  if (const auto sound = check(position); !sound) return tl::unexpected(sound.error());
  Question question{control};
  return evaluate(position, Need::outcome, question).map([](const Evaluation& value) {
    return value.outcome;
  });
}

std::vector<Result<Evaluation>> Tablebase::probe_all(std::span<const Position> positions,
                                                     const ProbeControl& control) const {
  struct Asked {
    std::size_t number;
    std::pair<const Table*, std::uint64_t>
        where;  ///< nowhere when nothing is read, or it cannot be
  };
  std::vector<Result<Evaluation>> results(positions.size());
  std::vector<Asked> order;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (const auto sound = check(positions[i]); !sound) {
      results[i] = tl::unexpected(sound.error());
      continue;
    }
    Asked asked{i, {nullptr, 0}};
    const bool is_plain = positions[i].owed == 0;
    const Sector sector = positions[i].sector();
    if (const Table* table = is_plain ? table_for(positions[i], sector, Need::all) : nullptr) {
      const auto block = tables_->block_of(*table, positions[i], control.reach);
      if (block) asked.where = {table, *block};
    }
    order.push_back(asked);
  }
  std::ranges::stable_sort(order, std::less<>(), &Asked::where);
  Question question{control};
  for (const Asked& asked : order) {
    results[asked.number] = evaluate(positions[asked.number], Need::all, question);
  }
  return results;
}

void Tablebase::prefetch(const Position& position) const {
  if (!check(position) || position.owed != 0) return;
  if (const Table* const table = table_for(position, position.sector(), Need::outcome)) {
    tables_->prefetch(*table, position);
  }
}

Result<std::vector<TableName>> Tablebase::dependencies(TableName of) const {
  if (of.sector.has_hands()) {
    return fail(Fault::not_supported, "sector " + to_string(of.sector) +
                                          " has cows in hand; there are no tables of such sectors");
  }
  std::vector<TableName> names;
  const auto add = [&](Sector sector) {
    const TableName name{sector, of.metric};
    const bool is_over = std::min(sector.mover, sector.opponent) < kMinCows;
    if (!is_over && std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  add(of.sector);
  // Where bans are looked ahead through, turns of turns count as well.
  const bool all_below = rules_.reform != Reform::none;
  for (std::size_t i = 0; i < (all_below ? names.size() : std::min<std::size_t>(1, names.size()));
       ++i) {
    const Sector from = names[i].sector;
    add(from.swapped());
    const int most = rules_.shots == Shots::per_mill && from.mover >= 5 ? 2 : 1;
    for (int shots = 1; shots <= std::min<int>(most, from.opponent); ++shots) {
      add({static_cast<std::uint8_t>(from.opponent - shots), from.mover, 0, 0});
    }
  }
  return names;
}

Result<std::vector<RankedTurn>> Tablebase::rank(const Position& position,
                                                const ProbeControl& control) const {
  if (const auto sound = check(position); !sound) return tl::unexpected(sound.error());
  Question question{control};
  std::vector<RankedTurn> ranked = ranked_turns(position, question);
  for (const RankedTurn& turn : ranked) {
    if (!turn.value && turn.value.error().fault == Fault::stopped) {
      return tl::unexpected(turn.value.error());
    }
  }
  return ranked;
}

Result<std::vector<Turn>> Tablebase::best_line(const Position& position) const {
  Result<Evaluation> value = probe(position);
  if (!value) return tl::unexpected(std::move(value.error()));
  std::vector<Turn> line;
  Position current = position;
  const ProbeControl control;
  Question question{control};
  for (;;) {
    const std::vector<RankedTurn> ranked = ranked_turns(current, question);
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
    const RankedTurn* next = &best;
    const bool decided = value->outcome == Outcome::win || value->outcome == Outcome::loss;
    const bool counted =
        value->clock == ClockUse::applied ? value->dtc.has_value() : value->dtw.has_value();
    // Where the clock runs, each turn that keeps the outcome leads to a shot or the end in time, so
    // that the line ends whichever is taken. Elsewhere the plies to the end may rise again and
    // again where the quickest turn is spoilt by a clock to come; those to the next shot do not.
    if (decided && value->clock == ClockUse::applied && clock_runs(rules_, current.sector())) {
      next = &with_best_end(ranked);
      const bool is_best = !value->dtw || next->value->dtw == value->dtw;
      if (const auto& last = ranked.back().value; !last && !is_best) {
        return tl::unexpected(last.error());
      }
    }
    line.push_back(next->turn);
    if (!decided || !counted) return line;
    current = next->position;
    value = evaluate(current, Need::all, question);
    if (!value) return tl::unexpected(std::move(value.error()));
  }
}

}  // namespace mtb
