// The I/O seam: the only place that talks to the operating system about table files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "game/result.h"

namespace mtb {

/// The bytes of a file, at any offset. Safe for concurrent use.
class FileBytes {
 public:
  virtual ~FileBytes() = default;

  virtual const std::filesystem::path& path() const = 0;
  virtual std::uint64_t size() const = 0;  ///< when opened, in bytes

  /// Fills `out` from `offset`, going on after interruptions and short reads.
  /// Errors: damaged when the file ends before, out_of_memory, too_many_files, system.
  virtual Result<void> read_at(std::uint64_t offset, std::span<std::byte> out) const = 0;

  /// Tells the system that these bytes will be read soon. Does not wait, and cannot fail.
  virtual void announce(std::uint64_t offset, std::uint64_t bytes) const = 0;
};

/// A file with a descriptor of its own.
class ReadFile final : public FileBytes {
 public:
  /// Regular files only. Errors: not_found when there is none, too_many_files, system.
  static Result<ReadFile> open(const std::filesystem::path& path);

  ReadFile(ReadFile&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)),
        size_(other.size_),
        path_(std::move(other.path_)) {}
  ReadFile& operator=(ReadFile&& other) noexcept;
  ~ReadFile() override;

  const std::filesystem::path& path() const override { return path_; }
  std::uint64_t size() const override { return size_; }
  Result<void> read_at(std::uint64_t offset, std::span<std::byte> out) const override;
  void announce(std::uint64_t offset, std::uint64_t bytes) const override;

  /// The whole file, mapped. It stays what it was when the descriptor is closed. Only where the
  /// system has process_vm_readv(): reading a mapping of a file that was cut short would otherwise
  /// end the process. Errors: not_supported, out_of_memory, system.
  Result<std::unique_ptr<FileBytes>> mapped() const;

 private:
  ReadFile(int descriptor, std::uint64_t size, std::filesystem::path path)
      : descriptor_(descriptor), size_(size), path_(std::move(path)) {}

  int descriptor_;
  std::uint64_t size_;
  std::filesystem::path path_;
};

/// A file that appears under its final name only when whole: written without a name where the file
/// system can do that, synced, given a temporary name in the same folder (`.NAME.PID.tmp`),
/// renamed, the folder synced. Elsewhere it has the temporary name from the start. Without commit()
/// it vanishes.
class AtomicFile {
 public:
  /// Error: system, also when something that is no regular file has the name.
  static Result<AtomicFile> create(const std::filesystem::path& path);

  AtomicFile(AtomicFile&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)),
        path_(std::move(other.path_)),
        temporary_(std::move(other.temporary_)),
        named_(std::exchange(other.named_, false)) {}
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();

  /// Error: system (disk full, say), naming the file and the remedy.
  Result<void> write_at(std::uint64_t offset, std::span<const std::byte> data);
  Result<void> commit();

 private:
  AtomicFile(int descriptor, std::filesystem::path path, std::filesystem::path temporary,
             bool named)
      : descriptor_(descriptor),
        path_(std::move(path)),
        temporary_(std::move(temporary)),
        named_(named) {}

  Result<void> give_name();

  int descriptor_;
  std::filesystem::path path_;
  std::filesystem::path temporary_;
  bool named_;  ///< whether the file stands under its temporary name
};

/// The names of all that is in a folder, in ascending order. Errors: not_found when there is no
/// such folder, too_many_files, out_of_memory, system.
Result<std::vector<std::string>> list_folder(const std::filesystem::path& path);

/// Gives a file another name in its folder, in place of a file that has it already, and syncs the
/// folder. Error: system.
Result<void> rename_file(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace mtb
