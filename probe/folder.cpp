#include "probe/folder.h"

#include <algorithm>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "format/file_pool.h"
#include "probe/rules_name.h"

namespace mtb {
namespace {

namespace fs = std::filesystem;

bool has_table_name(const fs::path& path) {
  const std::string name = path.filename().string();
  const std::string ending = path.extension().string();
  return !name.starts_with('.') && !ending.empty() && parse_metric(ending.substr(1)).has_value();
}

/// The files of a folder that are named like tables, by name.
Result<std::vector<fs::path>> table_paths(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    if (!error || error == std::errc::no_such_file_or_directory) {
      return fail(Fault::not_found,
                  "no folder " + folder.string() + "; name one that holds tables");
    }
    return fail(Fault::system, "cannot look into " + folder.string() + ": " + error.message());
  }
  std::vector<fs::path> paths;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (has_table_name(it->path())) paths.push_back(it->path());
  }
  if (error) {
    return fail(Fault::system, "cannot read folder " + folder.string() + ": " + error.message());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

Result<std::unique_ptr<FileBytes>> open_file(const fs::path& path, OpenFiles::Access access,
                                             FilePool& pool) {
  if (access == OpenFiles::Access::read) return pool.open(path);
  return ReadFile::open(path).and_then([](const ReadFile& file) { return file.mapped(); });
}

/// Opens a table and checks that it is what its name and its folder promise.
Result<TableFile> open_table(const fs::path& path, OpenFiles::Access access, FilePool& pool,
                             const std::optional<RuleSet>& rules, const ClassCache& cache) {
  Result<std::unique_ptr<FileBytes>> file = open_file(path, access, pool);
  if (!file) return tl::unexpected(std::move(file.error()));
  Result<TableFile> table = TableFile::open_header(std::move(*file), cache);
  if (!table) return table;
  const TableHeader& header = table->header();
  if (rules && header.rules != *rules) {
    return fail(Fault::foreign, path.string() + " is for " + describe_rules(header.rules) +
                                    ", not for " + describe_rules(*rules) +
                                    "; keep each rule set in a folder of its own");
  }
  const std::string name = table_file_name(header.sector, header.metric);
  if (path.filename() != name) {
    return fail(Fault::foreign, path.string() + " holds the table " + name + "; rename it");
  }
  return table;
}

}  // namespace

bool listed_before(Sector a, Sector b) {
  const auto cows = [](Sector s) { return s.mover + s.opponent + s.mover_hand + s.opponent_hand; };
  return std::pair(cows(a), a) < std::pair(cows(b), b);
}

Result<FolderContents> read_folders(std::span<const fs::path> folders,
                                    const std::optional<RuleSet>& expected, const ClassCache& cache,
                                    const OpenFiles& files, bool may_be_missing) {
  FolderContents contents;
  contents.rules = expected;
  const auto pool = std::make_shared<FilePool>(files.limit);
  std::set<std::pair<Metric, Sector>> known;
  for (const fs::path& folder : folders) {
    const Result<std::vector<fs::path>> paths = table_paths(folder);
    if (!paths) {
      if (!may_be_missing) return tl::unexpected(paths.error());
      contents.refused.push_back({folder, paths.error()});
      continue;
    }
    for (const fs::path& path : *paths) {
      Result<TableFile> table = open_table(path, files.access, *pool, contents.rules, cache);
      if (!table) {
        contents.refused.push_back({path, std::move(table.error())});
        continue;
      }
      const TableHeader& header = table->header();
      if (!contents.rules) contents.rules = header.rules;
      if (known.emplace(header.metric, header.sector).second) {
        contents.tables.push_back(std::move(*table));
      }
    }
  }
  std::sort(contents.tables.begin(), contents.tables.end(),
            [](const TableFile& a, const TableFile& b) {
              if (a.header().metric != b.header().metric) {
                return a.header().metric < b.header().metric;
              }
              return listed_before(a.header().sector, b.header().sector);
            });
  return contents;
}

}  // namespace mtb
