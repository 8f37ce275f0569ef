// The deep verifier: whether every value of a table follows from those of all successors.
//
// It trusts nothing that made the tables. Turns and the index are written here once more, from
// RULES.md and FORMAT.md; no code of game/ and gen/ and no index of format/ is used, only the
// reader of files, at one seam (seam.h). check_includes.cmake lets the build fail where that is not
// so.
//
// What is proved, and why (README.md says it at more length): let every value of a sector follow
// from those of its successors, and let the values of the sectors below be right. A win in d has a
// successor lost in d - 1, none lost sooner; a loss in d has successors that are all won, the last
// of them in d - 1; a draw has a successor that is drawn, or a rule that says so, and none that is
// lost. Then all values of the sector are right. For a win in d and a loss in d, by induction on d:
// each rests on values of less distance, so distances fall strictly along what justifies them, and
// no circle of wins can justify one another. For draws: if a drawn position were won, a successor
// of it would be lost; if it were lost, all its successors would be won; by induction on the true
// distance neither can be, since the values of less true distance are right. So nothing can have
// been missed either.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "game/result.h"
#include "verify/index.h"
#include "verify/merit.h"
#include "verify/rules.h"
#include "verify/source.h"
#include "verify/turns.h"

namespace mtb::deep {

struct Wanted {
  /// Bytes for values in memory; without it, all that are needed are taken there.
  std::optional<std::uint64_t> memory_bytes;
  /// Check only so many slots, drawn with `seed`, each once.
  std::optional<std::uint64_t> sample;
  std::uint64_t seed = 1;
  /// Check only the rows that these slots lie in, for tests.
  std::vector<Slot> slots;
  /// Faults that are described; all are counted.
  std::size_t most_faults = 10;
};

/// A value that does not follow.
struct FaultySlot {
  Slot slot = 0;
  std::string position;  ///< `0,0 a7,b6,d2 c3,f2,g4 w`: the mover is White
  Code stored = 0;
  Code expected = kNoCode;
  std::string reason;  ///< for a person: what is stored and what it should be
};

/// What was found in one table.
struct TableReport {
  std::uint64_t slots = 0;
  std::uint64_t checked = 0;
  /// Of the checked slots, by outcome: win, clock win, draw, clock loss, loss.
  std::array<std::uint64_t, 5> outcomes{};
  double cpu_seconds = 0;
  std::uint64_t faults = 0;
  std::vector<FaultySlot> first;  ///< in ascending order of slots
};

/// The tables of one rule set. Not safe for concurrent use; works with the current number of
/// OpenMP threads.
class DeepVerifier {
 public:
  /// At most one source for each sector and metric.
  DeepVerifier(const Rules& rules, std::vector<std::unique_ptr<CodeSource>> sources);
  ~DeepVerifier();

  /// The facts of all tables, fewer cows first.
  std::vector<Facts> tables() const;

  /// Checks one table. Values of distances are checked against those of the same metric of all
  /// sectors that turns lead to; outcomes against the distances of the same sector, with the clock
  /// where they know of it. Errors: not_found when there is no table, or one is missing that the
  /// check needs; damaged when a header contradicts the rules or FORMAT.md, or, all
  /// values following, tells something else than they do; out_of_memory when the memory wanted is
  /// too little; those of reading.
  Result<TableReport> check(int mover, int opponent, Metric metric, Wanted wanted = {});

 private:
  struct Work;

  const CodeSource* find(int mover, int opponent, Metric metric) const;
  const Classes& classes(int cows);
  Geometry geometry(const Facts& facts);
  Result<void> check_facts(const Facts& facts);
  bool fits_rows(const Facts& facts) const;
  Result<TableReport> check_outcomes(const CodeSource& source, const Wanted& wanted);
  Result<TableReport> check_distances(const CodeSource& source, const Wanted& wanted);

  const Game game_;
  std::vector<std::unique_ptr<CodeSource>> sources_;
  std::array<std::unique_ptr<Classes>, kMostCows + 1> classes_;
};

/// "win in 5 plies", from a code.
std::string describe(const Scale& scale, Code code);

}  // namespace mtb::deep
