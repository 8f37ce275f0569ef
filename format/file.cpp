#include "format/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <string>
#include <system_error>

namespace mtb {
namespace {

static_assert(sizeof(off_t) >= 8, "files may be larger than 2 GiB: -D_FILE_OFFSET_BITS=64");

/// Calls again for as long as a signal interrupts.
template <class Call>
auto retried(Call call) {
  auto result = call();
  while (result == -1 && errno == EINTR) result = call();
  return result;
}

const char* remedy(int code) {
  switch (code) {
    case EACCES:
    case EPERM:
      return "check the permissions of the file and its folder";
    case EROFS:
      return "choose a folder that can be written";
    case ENOSPC:
    case EDQUOT:
      return "free some space or choose another folder";
    case EFBIG:
      return "raise the limit on file sizes or choose another folder";
    case ENOENT:
    case ENOTDIR:
      return "check that the folder exists";
    case EMFILE:
    case ENFILE:
      return "raise the limit on open files";
    case ENOMEM:
      return "close other programs";
    case EIO:
      return "check the disk";
    default:
      return "check the path";
  }
}

Fault fault_of(int code) {
  switch (code) {
    case EMFILE:
    case ENFILE:
      return Fault::too_many_files;
    case ENOMEM:
      return Fault::out_of_memory;
    default:
      return Fault::system;
  }
}

/// Failure of the last system call, which was to do `what` ("read", ...) with the file.
tl::unexpected<Error> refused(const char* what, const std::filesystem::path& path) {
  const int code = errno;
  return fail(fault_of(code), "cannot " + std::string(what) + " " + path.string() + ": " +
                                  std::generic_category().message(code) + "; " + remedy(code));
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : ".";
}

tl::unexpected<Error> cut_short(const std::filesystem::path& path, std::uint64_t end) {
  return fail(Fault::damaged, path.string() + " is cut short: it has fewer than the " +
                                  std::to_string(end) +
                                  " bytes that are needed; get or generate it again");
}

}  // namespace

Result<ReadFile> ReadFile::open(const std::filesystem::path& path) {
  // O_NONBLOCK: a pipe in place of a table is refused below rather than waited for.
  const int descriptor =
      retried([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); });
  if (descriptor == -1) {
    if (errno == ENOENT || errno == ENOTDIR) {
      return fail(Fault::not_found, path.string() + " does not exist; check the path");
    }
    return refused("open", path);
  }
  ReadFile file(descriptor, 0, path);
  struct stat status {};
  if (::fstat(descriptor, &status) == -1) return refused("examine", path);
  if (!S_ISREG(status.st_mode)) {
    return fail(Fault::system, path.string() + " is not a regular file; remove it or name another");
  }
  file.size_ = static_cast<std::uint64_t>(status.st_size);
  return file;
}

ReadFile& ReadFile::operator=(ReadFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(size_, other.size_);
  path_.swap(other.path_);
  return *this;
}

ReadFile::~ReadFile() {
  // Nothing was written, so a failure to close has nothing to tell.
  if (descriptor_ != -1) static_cast<void>(::close(descriptor_));
}

Result<void> ReadFile::read_at(std::uint64_t offset, std::span<std::byte> out) const {
  if (offset > size_ || out.size() > size_ - offset) {
    return cut_short(path_, offset + out.size());
  }
  while (!out.empty()) {
    const ssize_t done = retried(
        [&] { return ::pread(descriptor_, out.data(), out.size(), static_cast<off_t>(offset)); });
    if (done == -1) return refused("read", path_);
    if (done == 0) return cut_short(path_, offset + out.size());
    offset += static_cast<std::uint64_t>(done);
    out = out.subspan(static_cast<std::size_t>(done));
  }
  return {};
}

void ReadFile::announce(std::uint64_t offset, std::uint64_t bytes) const {
#if defined(POSIX_FADV_WILLNEED)
  static_cast<void>(::posix_fadvise(descriptor_, static_cast<off_t>(offset),
                                    static_cast<off_t>(bytes), POSIX_FADV_WILLNEED));
#endif
}

#if defined(__linux__)
namespace {

class MappedFile final : public FileBytes {
 public:
  MappedFile(std::byte* bytes, std::uint64_t size, std::filesystem::path path)
      : bytes_(bytes), size_(size), path_(std::move(path)) {}
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile() override {
    if (bytes_ != nullptr) static_cast<void>(::munmap(bytes_, size_));
  }

  const std::filesystem::path& path() const override { return path_; }
  std::uint64_t size() const override { return size_; }

  Result<void> read_at(std::uint64_t offset, std::span<std::byte> out) const override {
    if (offset > size_ || out.size() > size_ - offset) {
      return cut_short(path_, offset + out.size());
    }
    while (!out.empty()) {
      // The system copies, and says so where the file has lost its end meanwhile.
      iovec to{out.data(), out.size()};
      iovec from{bytes_ + offset, out.size()};
      const ssize_t done =
          retried([&] { return ::process_vm_readv(::getpid(), &to, 1, &from, 1, 0); });
      if (done == -1 && errno != EFAULT) return refused("read", path_);
      if (done <= 0) return cut_short(path_, offset + out.size());
      offset += static_cast<std::uint64_t>(done);
      out = out.subspan(static_cast<std::size_t>(done));
    }
    return {};
  }

  void announce(std::uint64_t offset, std::uint64_t bytes) const override {
    if (offset >= size_) return;
    const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    const std::uint64_t first = offset / page * page;
    const std::uint64_t end = std::min(size_, offset + bytes);
    static_cast<void>(::madvise(bytes_ + first, end - first, MADV_WILLNEED));
  }

 private:
  std::byte* bytes_;  ///< none of an empty file
  std::uint64_t size_;
  std::filesystem::path path_;
};

}  // namespace

Result<std::unique_ptr<FileBytes>> ReadFile::mapped() const {
  if (size_ > std::numeric_limits<std::size_t>::max()) {
    return fail(Fault::out_of_memory, path_.string() + " is too large to be mapped; read it");
  }
  void* bytes = nullptr;
  if (size_ > 0) {
    bytes = ::mmap(nullptr, static_cast<std::size_t>(size_), PROT_READ, MAP_SHARED, descriptor_, 0);
    if (bytes == MAP_FAILED) return refused("map", path_);
  }
  return std::make_unique<MappedFile>(static_cast<std::byte*>(bytes), size_, path_);
}
#else
Result<std::unique_ptr<FileBytes>> ReadFile::mapped() const {
  return fail(Fault::not_supported, path_.string() + " cannot be mapped on this system; read it");
}
#endif

Result<AtomicFile> AtomicFile::create(const std::filesystem::path& path) {
  // What is no file, a device say, would be lost when the new file takes its name.
  struct stat there;
  if (::stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode)) {
    return fail(Fault::system, path.string() +
                                   " is there and no regular file; remove it or choose "
                                   "another name");
  }
  std::string name = ".";
  name += path.filename().string() + "." + std::to_string(::getpid()) + ".tmp";
  std::filesystem::path temporary = path;
  temporary.replace_filename(name);
#if defined(O_TMPFILE)
  // Without a name until it is whole, where the file system can: then nothing is left behind,
  // however the process ends. The name is given by way of /proc.
  if (::access("/proc/self/fd", X_OK) == 0) {
    const std::filesystem::path folder = folder_of(path);
    const int unnamed =
        retried([&] { return ::open(folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666); });
    if (unnamed != -1) return AtomicFile(unnamed, path, std::move(temporary), false);
  }
#endif
  const auto create_new = [&] {
    return retried(
        [&] { return ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); });
  };
  int descriptor = create_new();
  if (descriptor == -1 && errno == EEXIST) {
    // Left behind by a killed process that had the same number.
    if (::unlink(temporary.c_str()) == -1) return refused("remove", temporary);
    descriptor = create_new();
  }
  if (descriptor == -1) return refused("create", temporary);
  return AtomicFile(descriptor, path, std::move(temporary), true);
}

AtomicFile::~AtomicFile() {
  // Only without commit(): the file is not wanted, and there is nobody left to tell of a failure.
  if (descriptor_ != -1) static_cast<void>(::close(descriptor_));
  if (named_) static_cast<void>(::unlink(temporary_.c_str()));
}

Result<void> AtomicFile::write_at(std::uint64_t offset, std::span<const std::byte> data) {
  while (!data.empty()) {
    const ssize_t done = retried([&] {
      return ::pwrite(descriptor_, data.data(), data.size(), static_cast<off_t>(offset));
    });
    if (done == -1) return refused("write", path_);
    offset += static_cast<std::uint64_t>(done);
    data = data.subspan(static_cast<std::size_t>(done));
  }
  return {};
}

Result<void> AtomicFile::give_name() {
  const std::string own = "/proc/self/fd/" + std::to_string(descriptor_);
  const auto link = [&] {
    return ::linkat(AT_FDCWD, own.c_str(), AT_FDCWD, temporary_.c_str(), AT_SYMLINK_FOLLOW);
  };
  int linked = link();
  if (linked == -1 && errno == EEXIST) {
    // Left behind by a killed process that had the same number.
    if (::unlink(temporary_.c_str()) == -1) return refused("remove", temporary_);
    linked = link();
  }
  if (linked == -1) return refused("create", temporary_);
  named_ = true;
  return {};
}

Result<void> AtomicFile::commit() {
  struct stat ours {};
  struct stat named {};
  if (::fstat(descriptor_, &ours) == -1) return refused("examine", temporary_);
  if (retried([&] { return ::fsync(descriptor_); }) == -1) return refused("write", path_);
  if (!named_) {
    if (const auto done = give_name(); !done) return done;
  }
  if (::close(std::exchange(descriptor_, -1)) == -1 && errno != EINTR) {
    return refused("write", path_);
  }
  // Processes with the same number, on two machines say, must not publish each other's half.
  if (::lstat(temporary_.c_str(), &named) == -1) return refused("examine", temporary_);
  if (named.st_dev != ours.st_dev || named.st_ino != ours.st_ino) {
    named_ = false;
    return fail(Fault::system, "cannot write " + path_.string() +
                                   ": another process writes it too; wait for that one to end");
  }
  if (const auto done = rename_file(temporary_, path_); !done) {
    // Under its final name it is whole, even where that may not outlast a power cut.
    named_ = ::access(temporary_.c_str(), F_OK) == 0;
    return done;
  }
  named_ = false;
  return {};
}

// A std::filesystem::directory_iterator ends the process when memory runs out.
Result<std::vector<std::string>> list_folder(const std::filesystem::path& path) {
  const auto close = [](DIR* folder) { ::closedir(folder); };
  const std::unique_ptr<DIR, decltype(close)> folder(::opendir(path.c_str()), close);
  if (folder == nullptr) {
    if (errno == ENOENT || errno == ENOTDIR) {
      return fail(Fault::not_found, "no folder " + path.string() + "; check the path");
    }
    return refused("open folder", path);
  }
  std::vector<std::string> names;
  for (;;) {
    errno = 0;
    const dirent* const entry = ::readdir(folder.get());
    if (entry == nullptr) break;
    names.emplace_back(entry->d_name);
  }
  if (errno != 0) return refused("read folder", path);
  std::sort(names.begin(), names.end());
  return names;
}

Result<void> rename_file(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (::rename(from.c_str(), to.c_str()) == -1) return refused("write", to);
  const std::filesystem::path folder = folder_of(to);
  const int descriptor =
      retried([&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
  if (descriptor == -1) return refused("sync", folder);
  const int synced = retried([&] { return ::fsync(descriptor); });
  const int code = errno;
  static_cast<void>(::close(descriptor));
  // EINVAL: a file system that has no notion of syncing a folder.
  if (synced == -1 && code != EINVAL) {
    errno = code;
    return refused("sync", folder);
  }
  return {};
}

}  // namespace mtb
