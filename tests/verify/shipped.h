// The tables that ship, opened for tests of the deep verifier.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "format/index.h"
#include "format/table.h"
#include "tests/shipped_tables.h"
#include "verify/deep.h"
#include "verify/seam.h"

namespace mtb::tests {

inline const std::vector<std::string>& names_of_rule_sets() {
  static const std::vector<std::string> names = {"traditional", "tournament", "koti",
                                                 "just2easy",   "gar",        "iggamecenter",
                                                 "malom",       "sanmill",    "nine-mens-morris"};
  return names;
}

/// Some tables, of which one may be put in place of another.
class OpenTables {
 public:
  /// All that ship with a rule set.
  explicit OpenTables(const std::string& name) {
    const std::filesystem::path folder = shipped_tables(name);
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    for (const std::filesystem::path& path : paths) add(path);
  }

  void add(const std::filesystem::path& path) {
    Result<TableFile> table = TableFile::open(path, cache_);
    ASSERT_TRUE(table) << table.error().message;
    tables_.push_back(std::make_unique<TableFile>(std::move(*table)));
  }
  void remove(Sector sector, Metric metric) {
    std::erase_if(tables_, [&](const auto& table) {
      return table->header().sector == sector && table->header().metric == metric;
    });
  }

  const ClassCache& cache() const { return cache_; }
  const std::vector<std::unique_ptr<TableFile>>& all() const { return tables_; }

  /// Of the tables as they are now. They must stay until it is gone.
  deep::DeepVerifier verifier() const {
    std::vector<std::unique_ptr<deep::CodeSource>> sources;
    for (const auto& table : tables_) sources.push_back(deep::source_of(*table));
    return {deep::rules_of(*tables_.front()), std::move(sources)};
  }

 private:
  const ClassCache cache_;
  std::vector<std::unique_ptr<TableFile>> tables_;
};

}  // namespace mtb::tests
