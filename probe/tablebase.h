// Asking tables about positions: outcome and distance, all turns ranked, the best line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "format/table.h"
#include "game/position.h"
#include "game/result.h"
#include "game/rule_set.h"
#include "game/sector.h"
#include "game/turns.h"
#include "probe/block_cache.h"
#include "probe/evaluation.h"
#include "probe/folder.h"

namespace mtb {

/// The tables of one rule set, open. Immutable but for a cache inside; safe for concurrent use.
///
/// Distances count complete turns. A position in which shots are owed stands within a turn: its
/// value is that of the best way to shoot, and the turn that the shots complete counts as one ply
/// (so it is as far from the end as the position before that turn, had the turn been the best).
/// A position that is over by the rules needs no table: a lost or won one has distance 0.
///
/// Where some table has the draw clock applied, all answers are exact for the clock of the
/// position. One whose clock has run out is a clock win, a draw or a clock loss. Where no table
/// knows the clock it is left out of all answers, and the plies it counts in a position do not
/// matter.
class Tablebase {
 public:
  static constexpr std::size_t kDefaultCacheBytes = std::size_t{64} << 20;

  /// Opens the tables of the folders, the earlier ones taking precedence; see read_folders() for
  /// which files are used. Without `expected`, at least one usable table must be there.
  /// Errors: not_found (no such folder, no table), system; with files of which none is usable, and
  /// without `expected`, what is wrong with the first.
  static Result<Tablebase> open(std::span<const std::filesystem::path> folders,
                                const std::optional<RuleSet>& expected = std::nullopt,
                                std::size_t cache_bytes = kDefaultCacheBytes);

  const RuleSet& rules() const { return rules_; }

  /// The sectors that have a table of this metric, as they are listed.
  std::vector<Sector> sectors(Metric metric) const;
  /// The last of all sectors that have a table of outcomes or distances.
  std::optional<Sector> largest_sector() const;
  /// The files that are not used, and why.
  const std::vector<Refusal>& refused() const { return refused_; }

  /// Outcome and distances. Where only a table of outcomes is there, the distances stay open.
  /// Errors: bad_input (see validate()); not_found, naming the missing table; the reason of the
  /// refusal when the table is there but was refused; damaged, system.
  Result<Evaluation> probe(const Position& position) const;

  /// The outcome alone: needs only the small tables of outcomes, or else those of distances.
  /// Errors as probe().
  Result<Outcome> probe_outcome(const Position& position) const;

  /// All legal turns, the best first: wins, clock wins by least plies, draws, clock losses, losses
  /// by most plies, then those whose value is an error. With the clock applied, plies to the next
  /// shot come before plies to the end. Within an outcome unknown distances come last; turns that
  /// are equal so far follow the order of turns. Empty when the game is over. Error: bad_input (see
  /// validate()).
  Result<std::vector<RankedTurn>> rank(const Position& position) const;

  /// The best turn again and again. From a decided position to the end; without a clock, exactly
  /// its distance in turns. From a drawn one, or where the distance is not stored, one best turn.
  /// Empty when the game is over. Errors as probe(), for any position of the line and its
  /// successors.
  Result<std::vector<Turn>> best_line(const Position& position) const;

 private:
  /// What is asked: the outcome alone, for which the smallest table will do, or all there is.
  enum class Need : std::uint8_t { outcome, all };
  using TableKey = std::pair<Metric, Sector>;
  struct BannedPositions;

  Tablebase(RuleSet rules, std::vector<std::filesystem::path> folders, std::size_t cache_bytes);

  const TableFile* find(Sector sector, Metric metric) const;
  /// One of these tables is what is missing.
  Error missing(Sector sector, std::initializer_list<Metric> metrics) const;
  Evaluation drawn() const;
  Result<Evaluation> evaluate(const Position& position, Need need,
                              BannedPositions* met = nullptr) const;
  Result<Evaluation> look_up(const Position& position, Need need) const;
  Result<Evaluation> look_ahead(const Position& position, Need need, BannedPositions* met) const;
  Result<Evaluation> value_under_bans(const Position& position, Need need,
                                      BannedPositions& met) const;
  Result<void> read_value(const TableFile& table, const Position& position,
                          Evaluation& value) const;
  Result<void> apply_clock(const Position& position, Evaluation& value) const;
  Result<Code> read_code(const TableFile& table, const Position& position) const;
  Evaluation before_turn(const Position& position, const Turn& turn, Evaluation after) const;
  std::optional<std::uint32_t> clock_bound(Sector sector) const;
  std::vector<Turn> turns_of(const Position& position) const;
  RankedTurn valued(const Position& position, const Turn& turn, const Position& after, Need need,
                    BannedPositions* met) const;
  std::vector<RankedTurn> valued(const Position& position, std::span<const Turn> turns, Need need,
                                 BannedPositions* met,
                                 const std::function<bool(const Position&)>& wanted = {}) const;
  std::vector<RankedTurn> ranked_turns(const Position& position, Need need) const;

  RuleSet rules_;
  RuleSet unclocked_;  ///< the same rules without their draw clock
  std::vector<std::filesystem::path> folders_;
  std::vector<Refusal> refused_;
  bool clock_applied_ = false;            ///< some table has the clock applied
  std::map<TableKey, TableFile> tables_;  ///< a map, since the cache wants stable addresses
  std::unique_ptr<BlockCache> cache_;
};

}  // namespace mtb
