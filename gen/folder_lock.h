// Folders that tables are written to: one writer at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <utility>

#include "format/index.h"
#include "game/result.h"

namespace mtb {

/// Makes a folder where there is none. Error: system.
Result<void> make_folder(const std::filesystem::path& folder);

/// Holds an advisory lock on `FOLDER/.lock`; the system lifts it when the process ends, however.
class FolderLock {
 public:
  /// Also removes what processes that died left half-written there. Error: system, also when
  /// another process holds the lock.
  static Result<FolderLock> take(const std::filesystem::path& folder);

  FolderLock(FolderLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

 private:
  explicit FolderLock(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
};

/// Whether a folder has no tables but those of one rule set. Errors: foreign, naming a table of
/// other rules or of another format version; system.
Result<void> check_rules(const std::filesystem::path& folder, std::uint64_t fingerprint,
                         const ClassCache& cache);

}  // namespace mtb
