// What `mtb probe` says about one position, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "game/notation.h"
#include "probe/tablebase.h"

namespace mtb::cli {

/// Everything the tables know about a position.
struct ProbeReport {
  RuleSet rules;
  Position position;
  Coordinates coordinates;
  Evaluation value;
  std::vector<RankedTurn> turns;
  Result<std::vector<Turn>> line;  ///< an error when tables along it are missing
};

/// Errors as Tablebase::probe().
Result<ProbeReport> probe_report(const Tablebase& base, const Position& position,
                                 Coordinates coordinates);

/// A drawing, the result in words, the turns in columns, the best line.
std::string to_text(const ProbeReport& report);

/// One JSON object, keys in fixed order: position, fen, rules {name (if any), fingerprint},
/// sector, outcome, dtw and dtc (null for a draw or where it is not stored), clock, turns [{turn,
/// outcome, dtw, dtc, position}], line (null when unknown). A turn of unknown value has null
/// outcome and distances, and a key `unknown` with the reason.
std::string to_json(const ProbeReport& report);

}  // namespace mtb::cli
