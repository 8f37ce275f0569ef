// Finding the table files of some folders and telling the usable ones from the others.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "format/index.h"
#include "format/table.h"
#include "game/result.h"
#include "game/rule_set.h"

namespace mtb {

/// The order in which sectors are listed: fewer cows first, then fewer of the mover's.
bool listed_before(Sector a, Sector b);

/// A file with the name of a table that is not used, and why.
struct Refusal {
  std::filesystem::path path;
  Error error;
};

/// What some folders hold.
struct FolderContents {
  /// Of `tables`; without any, those that were expected.
  std::optional<RuleSet> rules;
  /// One per sector and metric, all of one rule set; by metric, then as sectors are listed.
  std::vector<TableFile> tables;
  /// Folder by folder, by file name.
  std::vector<Refusal> refused;
};

/// Opens all files `*.wdl`, `*.dtw` and `*.dtc` of the folders, headers and block indexes checked.
/// All tables are of the expected rules, or else of those of the first sound one. Refused are
/// damaged files, those of other rules or another format, and those with another name than their
/// contents ask for. Later folders add what earlier ones lack. Hidden files, the half-written ones
/// among them, and other names are passed over.
/// Errors: not_found when a folder is not there, system.
Result<FolderContents> read_folders(std::span<const std::filesystem::path> folders,
                                    const std::optional<RuleSet>& expected,
                                    const ClassCache& cache);

}  // namespace mtb
