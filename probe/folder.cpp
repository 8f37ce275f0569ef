#include "probe/folder.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "format/file_pool.h"
#include "probe/rules_name.h"

namespace mtb {
namespace {

namespace fs = std::filesystem;

bool has_table_name(const fs::path& path) {
  return !path.filename().string().starts_with('.') && metric_of_ending(path).has_value();
}

/// The files of a folder that are named like tables, by name.
Result<std::vector<fs::path>> table_paths(const fs::path& folder) {
  return list_folder(folder).map([&](const std::vector<std::string>& names) {
    std::vector<fs::path> paths;
    for (const std::string& name : names) {
      if (has_table_name(name)) paths.push_back(folder / name);
    }
    return paths;
  });
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
  // All are looked into before tables take the descriptors that this needs.
  std::vector<fs::path> paths;
  for (const fs::path& folder : folders) {
    Result<std::vector<fs::path>> found = table_paths(folder);
    if (found) {
      paths.insert(paths.end(), found->begin(), found->end());
    } else if (may_be_missing) {
      contents.refused.push_back({folder, std::move(found.error())});
    } else {
      return tl::unexpected(std::move(found.error()));
    }
  }
  for (const fs::path& path : paths) {
    Result<TableFile> table = open_table(path, files.access, *pool, contents.rules, cache);
    if (!table) {
      contents.refused.push_back({path, std::move(table.error())});
      continue;
    }
    const TableHeader& header = table->header();
    if (!contents.rules) contents.rules = header.rules;
    if (known.emplace(header.metric, header.sector).second) {
      contents.tables.push_back(std::move(*table));
    } else {
      contents.duplicates.push_back(path);
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
