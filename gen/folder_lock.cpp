#include "gen/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "format/table.h"

namespace mtb {
namespace {

void remove_left_overs(const std::filesystem::path& folder) {
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with('.') || entry->path().extension() != ".tmp") continue;
    std::error_code ignored;  // a left-over that cannot be removed harms nobody
    std::filesystem::remove(entry->path(), ignored);
  }
}

}  // namespace

Result<void> make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error) return {};
  return fail(Fault::system, folder.string() + ": cannot be made (" + error.message() +
                                 "); choose a folder that can be written");
}

Result<FolderLock> FolderLock::take(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / ".lock";
  int descriptor = -1;
  do {
    descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  } while (descriptor < 0 && errno == EINTR);
  if (descriptor < 0) {
    const std::string reason = std::generic_category().message(errno);
    return fail(Fault::system, path.string() + ": cannot be made (" + reason +
                                   "); choose a folder that can be written");
  }
  FolderLock lock(descriptor);
  int locked = 0;
  do {
    locked = ::flock(descriptor, LOCK_EX | LOCK_NB);
  } while (locked != 0 && errno == EINTR);
  if (locked != 0) {
    if (errno == EWOULDBLOCK) {
      return fail(Fault::system,
                  folder.string() +
                      ": another process is at work on the tables here; wait for it to "
                      "end or choose another folder");
    }
    const std::string reason = std::generic_category().message(errno);
    return fail(Fault::system, path.string() + ": cannot be locked (" + reason +
                                   "); choose a folder on another file system");
  }
  remove_left_overs(folder);
  return lock;
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);  // nothing was written: no result to lose
}

Result<void> check_rules(const std::filesystem::path& folder, std::uint64_t fingerprint,
                         const ClassCache& cache) {
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::filesystem::path& path = entry->path();
    if (!metric_of_ending(path)) continue;
    const Result<TableFile> table = TableFile::open(path, cache);
    if (!table && table.error().fault == Fault::foreign) return tl::unexpected(table.error());
    if (table && table->header().fingerprint != fingerprint) {
      return fail(Fault::foreign, path.string() +
                                      ": is a table of other rules, and a folder holds those of "
                                      "one rule set; choose another folder");
    }
  }
  if (error) {
    return fail(Fault::system, folder.string() + ": cannot be read (" + error.message() +
                                   "); check its permissions");
  }
  return {};
}

}  // namespace mtb
