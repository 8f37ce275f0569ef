// Many files open for reading with few descriptors.
#pragma once

#include <cstddef>
#include <filesystem>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "format/file.h"
#include "game/result.h"

namespace mtb {

/// Keeps open the files that were read last, and opens the others again when they are needed. Safe
/// for concurrent use.
class FilePool : public std::enable_shared_from_this<FilePool> {
 public:
  /// At most `limit` descriptors, at least one, are kept; each thread that reads may hold another.
  explicit FilePool(std::size_t limit) : limit_(limit == 0 ? 1 : limit) {}

  /// A file of the pool, which lives as long as its files. What stands under the path when it is
  /// opened again may be another file: whoever reads has to check what is read. Errors as
  /// ReadFile::open(); too_many_files only when no descriptor of the pool can be given back.
  Result<std::unique_ptr<FileBytes>> open(const std::filesystem::path& path);

 private:
  friend class PooledFile;
  using Open = std::shared_ptr<const ReadFile>;
  struct Entry {
    const FileBytes* owner;
    Open file;
  };

  Result<Open> get(const FileBytes& owner);
  Result<Open> open_now(const std::filesystem::path& path);
  void keep(const FileBytes& owner, const Open& file);
  void forget(const FileBytes& owner);
  void shrink_to(std::size_t count);

  const std::size_t limit_;
  std::mutex mutex_;          // guards all below
  std::list<Entry> entries_;  ///< the last used first
  std::unordered_map<const FileBytes*, std::list<Entry>::iterator> places_;
};

}  // namespace mtb
