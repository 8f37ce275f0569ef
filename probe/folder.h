// Finding the table files of some folders and telling the usable ones from the others.
#pragma once

#include <cstddef>
#include <cstdint>
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

/// A file with the name of a table that is not used, or a folder that cannot be read, and why.
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
  /// Files whose table an earlier folder has, in the same order.
  std::vector<std::filesystem::path> duplicates;
};

/// How the files of tables are held open.
struct OpenFiles {
  enum class Access : std::uint8_t {
    read,  ///< with at most `limit` descriptors, and one more for each thread that reads
    map,   ///< mapped, without descriptors; where the system can do that safely (ReadFile::mapped)
  };
  Access access = Access::read;
  std::size_t limit = 128;
};

/// Opens all files `*.wdl`, `*.dtw` and `*.dtc` of the folders, headers checked. All tables are of
/// the expected rules, or else of those of the first sound one. Refused are damaged files, those of
/// other rules or another format, and those with another name than their contents ask for. Later
/// folders add what earlier ones lack. Hidden files, the half-written ones among them, and other
/// names are passed over. Errors: not_found when a folder is not there, unless `may_be_missing`,
/// where it counts as refused; system.
Result<FolderContents> read_folders(std::span<const std::filesystem::path> folders,
                                    const std::optional<RuleSet>& expected, const ClassCache& cache,
                                    const OpenFiles& files = {}, bool may_be_missing = false);

}  // namespace mtb
