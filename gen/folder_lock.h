// One generator at a time in a folder.
#pragma once

#include <filesystem>
#include <utility>

#include "game/result.h"

namespace mtb {

/// Holds an advisory lock on `FOLDER/.lock`; the system lifts it when the process ends, however.
class FolderLock {
 public:
  /// Error: system, also when another process holds the lock.
  static Result<FolderLock> take(const std::filesystem::path& folder);

  FolderLock(FolderLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

 private:
  explicit FolderLock(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
};

/// Removes what processes that died left half-written in a folder. Only under its lock.
void remove_left_overs(const std::filesystem::path& folder);

}  // namespace mtb
