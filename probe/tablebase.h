// Asking tables about positions: outcome and distance, all turns ranked, the best line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "format/table.h"
#include "game/position.h"
#include "game/result.h"
#include "game/rule_set.h"
#include "game/sector.h"
#include "game/turns.h"
#include "probe/evaluation.h"
#include "probe/folder.h"
#include "probe/table_store.h"

namespace mtb {

struct TablebaseOptions {
  /// The rules that all tables must be of; without, those of the first sound table.
  std::optional<RuleSet> expected = std::nullopt;
  /// Of decoded values. Memory is taken as it is used.
  std::size_t cache_bytes = std::size_t{64} << 20;
  OpenFiles files = {};
  /// Whether folders may be missing or hold no usable table. Then probes say what they lack.
  bool may_be_empty = false;
};

/// A table by its name.
struct TableName {
  Sector sector;
  Metric metric = Metric::wdl;
  bool operator==(const TableName&) const = default;
};

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
  /// Opens the tables of the folders, the earlier ones taking precedence; see read_folders() for
  /// which files are used. Only headers are read: damage further on shows when a table is first
  /// asked. Without `expected`, at least one usable table must be there, unless that is allowed.
  /// Errors: not_found (no such folder, no table), system; with files of which none is usable, and
  /// without `expected`, what is wrong with the first. Throws std::bad_alloc only.
  static Result<Tablebase> open(std::span<const std::filesystem::path> folders,
                                const TablebaseOptions& options = {});

  /// The rules that all answers are of; nothing when there is no table to tell them.
  const std::optional<RuleSet>& known_rules() const { return known_rules_; }
  /// The same where there is a table, or rules were expected.
  const RuleSet& rules() const { return rules_; }

  /// Whether answers know the draw clock of the rules.
  ClockUse clock() const { return drawn().clock; }

  /// The sectors that have a table of this metric, as they are listed.
  std::vector<Sector> sectors(Metric metric) const;
  /// The last of all sectors that have a table of outcomes or distances.
  std::optional<Sector> largest_sector() const;
  /// The files that are not used, and why.
  const std::vector<Refusal>& refused() const { return refused_; }
  /// The files that are not used since an earlier folder has their table.
  const std::vector<std::filesystem::path>& duplicates() const { return duplicates_; }

  /// Outcome and distances. Where only a table of outcomes is there, the distances stay open.
  /// Errors: bad_input (see validate()); not_found, naming the missing table; the reason of the
  /// refusal when the table is there but was refused; damaged, out_of_memory, too_many_files,
  /// system; not_cached and stopped, as `control` asks for.
  Result<Evaluation> probe(const Position& position, const ProbeControl& control = {}) const;

  /// The outcome alone: needs only the small tables of outcomes, or else those of distances.
  /// Errors as probe().
  Result<Outcome> probe_outcome(const Position& position, const ProbeControl& control = {}) const;

  /// probe() of many positions, in the order of the tables' blocks, so that each is read once. One
  /// result a position, in the order of positions.
  std::vector<Result<Evaluation>> probe_all(std::span<const Position> positions,
                                            const ProbeControl& control = {}) const;

  /// Makes a later probe of the position quicker, if it can without waiting for a disk.
  void prefetch(const Position& position) const;

  /// The tables of one metric that ranking the turns of a sector's positions may need, its own
  /// first. Error: not_supported for a sector with cows in hand.
  Result<std::vector<TableName>> dependencies(TableName of) const;

  /// All legal turns, the best first: wins, clock wins by least plies, draws, clock losses, losses
  /// by most plies, then those whose value is an error. With the clock applied, plies to the next
  /// shot come before plies to the end. Within an outcome unknown distances come last; turns that
  /// are equal so far follow the order of turns. Empty when the game is over. Errors: bad_input
  /// (see validate()), stopped.
  Result<std::vector<RankedTurn>> rank(const Position& position,
                                       const ProbeControl& control = {}) const;

  /// A best turn again and again. From a decided position to the end; without a clock, exactly
  /// its distance in turns. With the clock applied, every turn keeps the outcome; of these, where
  /// the clock runs, the winner takes one with the least plies to the end, the loser the most;
  /// where it does not run yet, the first that rank() names. No table says how long a game takes
  /// that minds the clock: the line is as long as the distance to the end unless the clock spoils a
  /// quicker turn on the way. From a drawn position, a clock win or loss, or where the distance is
  /// not stored, one best turn. Empty when the game is over. Errors as probe(), for any position of
  /// the line and its successors.
  Result<std::vector<Turn>> best_line(const Position& position) const;

 private:
  /// What is asked: the outcome alone, for which the smallest table will do, or all there is.
  enum class Need : std::uint8_t { outcome, all };
  using Table = TableStore::Table;
  struct BannedPositions;
  /// What is common to all that is looked up for one answer.
  struct Question {
    const ProbeControl& control;
    std::array<TableStore::LastBlock, kMetrics> last = {};  ///< by metric: most want several
    BannedPositions* met = nullptr;  ///< where positions with bans follow from one another
  };

  Tablebase(FolderContents contents, std::vector<std::filesystem::path> folders,
            std::size_t cache_bytes);

  static bool has_ban(const Position& position);
  static Position without_clock(Position position);
  Result<void> check(const Position& position) const;
  /// One of these tables is what is missing.
  Error missing(Sector sector, std::initializer_list<Metric> metrics) const;
  std::optional<Outcome> quick_outcome(const Position& position) const;
  Evaluation drawn() const;
  Result<Evaluation> evaluate(const Position& position, Need need, Question& question) const;
  Result<Evaluation> evaluate_with_bans(const Position& position, Need need,
                                        Question& question) const;
  const Table* table_for(const Position& position, Sector sector, Need need) const;
  Result<Evaluation> look_up(const Position& position, Need need, Question& question) const;
  Result<Evaluation> look_ahead(const Position& position, Need need, Question& question) const;
  Result<Evaluation> value_under_bans(const Position& position, Need need,
                                      Question& question) const;
  Result<void> read_value(const Table& table, const Position& position, Question& question,
                          Evaluation& value) const;
  Result<void> apply_clock(const Position& position, Evaluation& value) const;
  Evaluation before_turn(const Position& position, const Turn& turn, Evaluation after) const;
  std::optional<std::uint32_t> clock_bound(Sector sector) const;
  std::vector<Turn> turns_of(const Position& position) const;
  RankedTurn valued(const Position& position, const Turn& turn, const Position& after, Need need,
                    Question& question) const;
  std::vector<RankedTurn> valued(const Position& position, std::span<const Turn> turns, Need need,
                                 Question& question,
                                 const std::function<bool(const Position&)>& wanted = {}) const;
  std::vector<RankedTurn> ranked_turns(const Position& position, Question& question) const;

  std::optional<RuleSet> known_rules_;
  RuleSet rules_;
  RuleSet unclocked_;  ///< the same rules without their draw clock
  std::vector<std::filesystem::path> folders_;
  std::vector<Refusal> refused_;
  std::vector<std::filesystem::path> duplicates_;
  bool clock_applied_ = false;  ///< some table has the clock applied
  std::unique_ptr<TableStore> tables_;
};

}  // namespace mtb
