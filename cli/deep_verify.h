// `mtb verify --level deep`: the logic of tables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/exit.h"
#include "game/result.h"
#include "probe/folder.h"

namespace mtb::cli {

struct DeepOptions {
  std::string sector;  ///< the one to check; all when empty
  std::optional<std::uint64_t> sample;
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: all
  std::string memory;
  bool csv = false;
};

/// Checks the tables of a folder, prints what was found of each, and says how it ended.
/// Errors: bad_input, not_found.
Result<Exit> verify_deeply(const FolderContents& contents, const std::string& folder,
                           const DeepOptions& options);

}  // namespace mtb::cli
