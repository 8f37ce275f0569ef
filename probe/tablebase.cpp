#include "probe/tablebase.h"

#include <algorithm>
#include <limits>
#include <tuple>

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

/// Whether a player carries a ban that may bind on that player's next turn.
bool has_live_ban(const RuleSet& rules, const Position& position) {
  if (rules.reform == Reform::none) return false;
  for (const Colour c : {Colour::white, Colour::black}) {
    if (position.ban[c] && position.cows[c].contains(position.ban[c]->from)) return true;
  }
  return false;
}

/// The value of a turn for its player, from the value of the position that it leads to.
Evaluation before_turn(Evaluation after) {
  after.outcome = reversed(after.outcome);
  if (after.dtw) ++*after.dtw;
  return after;
}

/// Smaller is better for the player who makes the turn.
std::tuple<std::size_t, std::int64_t> badness(const RankedTurn& ranked) {
  constexpr std::int64_t kUnknownDistance = std::numeric_limits<std::int64_t>::max();
  if (!ranked.value) return {kOutcomeCount, 0};
  const Outcome outcome = ranked.value->outcome;
  std::int64_t distance = 0;
  if (outcome == Outcome::win || outcome == Outcome::loss) {
    distance = !ranked.value->dtw        ? kUnknownDistance
               : outcome == Outcome::win ? std::int64_t{*ranked.value->dtw}
                                         : -std::int64_t{*ranked.value->dtw};
  }
  return {static_cast<std::size_t>(outcome), distance};
}

/// The value of a position from those of all its turns, at least one, the best first.
Result<Evaluation> best_value(const std::vector<RankedTurn>& ranked) {
  for (const RankedTurn& turn : ranked) {
    if (!turn.value) return turn.value;
  }
  Evaluation best = *ranked.front().value;
  for (const RankedTurn& turn : ranked) {
    // A turn as good as the best, at an unknown distance, may be nearer (or, losing, farther).
    if (turn.value->outcome == best.outcome && !turn.value->dtw) best.dtw.reset();
  }
  return best;
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
  for (const Metric metric : {Metric::wdl, Metric::dtw}) {
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

Error Tablebase::missing(Sector sector) const {
  for (const Metric metric : {Metric::dtw, Metric::wdl}) {
    const std::string name = table_file_name(sector, metric);
    for (const Refusal& refusal : refused_) {
      if (refusal.path.filename() == name) return refusal.error;
    }
  }
  return {Fault::not_found,
          "no table " + to_string(sector) + " (dtw or wdl, " + describe_rules(rules_) + ") in " +
              listed(folders_) +
              (has_plain_positions(rules_) ? "; generate it or name its folder"
                                           : "; this version makes none for rules with re-forming "
                                             "bans or optional shots")};
}

Result<Code> Tablebase::read_code(const TableFile& table, const Position& position) const {
  const Slot slot = table.index().slot({position.mover(), position.opponent()});
  const Result<BlockCache::Block> block = cache_->get(table, table.block_of(slot));
  if (!block) return tl::unexpected(block.error());
  return unpack_one(table.header().packing, **block, table.place_of(slot));
}

Result<Evaluation> Tablebase::look_up(const Position& position, Metric preferred) const {
  const Sector sector = position.sector();
  const TableFile* table = find(sector, preferred);
  if (table == nullptr) {
    table = find(sector, preferred == Metric::wdl ? Metric::dtw : Metric::wdl);
  }
  if (table == nullptr) return tl::unexpected(missing(sector));
  if (table->header().clock == ClockUse::applied) {
    return fail(Fault::not_supported, table->path().string() +
                                          " has the draw clock applied, which this version does "
                                          "not read; generate it again without");
  }
  const Result<Code> code = read_code(*table, position);
  if (!code) return tl::unexpected(code.error());

  Evaluation value;
  value.clock = table->header().clock;
  if (table->header().metric == Metric::dtw) {
    value.outcome = dtw_code::outcome(*code);
    if (value.outcome != Outcome::draw) value.dtw = dtw_code::plies(*code);
    return value;
  }
  const std::optional<Outcome> outcome = wdl_code::outcome(*code);
  if (!outcome) {
    return fail(Fault::damaged, table->path().string() + " holds the value " +
                                    std::to_string(*code) +
                                    ", which is no outcome; generate it again");
  }
  value.outcome = *outcome;
  return value;
}

Result<Evaluation> Tablebase::evaluate(const Position& position, Metric preferred) const {
  if (position.owed > 0) return best_value(ranked_turns(position, preferred));
  const ClockUse clock = rules_.clock.plies == 0 ? ClockUse::none : ClockUse::ignored;
  switch (verdict(unclocked_, without_clock(position))) {
    case Verdict::win:
      return Evaluation{Outcome::win, 0, clock};
    case Verdict::draw:
      return Evaluation{Outcome::draw, std::nullopt, clock};
    case Verdict::loss:
      return Evaluation{Outcome::loss, 0, clock};
    case Verdict::open:
      break;
  }
  if (has_live_ban(rules_, position)) {
    return fail(Fault::not_supported,
                "a ban on re-forming a mill is in force, and tables do not cover that; "
                "leave the ban out to ask about the position without it");
  }
  return look_up(position, preferred);
}

std::vector<RankedTurn> Tablebase::ranked_turns(const Position& position, Metric preferred) const {
  std::vector<RankedTurn> ranked;
  for (const Turn& turn : legal_turns(unclocked_, without_clock(position))) {
    const Position after = play(rules_, position, turn);
    ranked.push_back({turn, after, evaluate(after, preferred).map(before_turn)});
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const RankedTurn& a, const RankedTurn& b) {
    return badness(a) < badness(b);
  });
  return ranked;
}

Result<Evaluation> Tablebase::probe(const Position& position) const {
  return validate(position, rules_).and_then([&] { return evaluate(position, Metric::dtw); });
}

Result<Outcome> Tablebase::probe_outcome(const Position& position) const {
  return validate(position, rules_)
      .and_then([&] { return evaluate(position, Metric::wdl); })
      .map([](const Evaluation& value) { return value.outcome; });
}

Result<std::vector<RankedTurn>> Tablebase::rank(const Position& position) const {
  return validate(position, rules_).map([&] { return ranked_turns(position, Metric::dtw); });
}

Result<std::vector<Turn>> Tablebase::best_line(const Position& position) const {
  Result<Evaluation> value = probe(position);
  if (!value) return tl::unexpected(std::move(value.error()));
  std::vector<Turn> line;
  Position current = position;
  for (;;) {
    const std::vector<RankedTurn> ranked = ranked_turns(current, Metric::dtw);
    if (ranked.empty()) return line;
    const RankedTurn& best = ranked.front();
    const bool agrees = best.value && best.value->outcome == value->outcome &&
                        (!value->dtw || best.value->dtw == value->dtw);
    if (!agrees) {
      // A better turn should be there: its table is missing, or the tables contradict each other.
      for (const RankedTurn& turn : ranked) {
        if (!turn.value) return tl::unexpected(turn.value.error());
      }
      return fail(Fault::damaged, "the tables contradict each other about the turns of `" +
                                      to_string(current) + "`; generate them again");
    }
    line.push_back(best.turn);
    if (!value->dtw) return line;
    value->outcome = reversed(value->outcome);
    --*value->dtw;
    current = best.position;
  }
}

}  // namespace mtb
