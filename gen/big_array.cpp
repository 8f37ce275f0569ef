#include "gen/big_array.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace mtb {
namespace {

/// A descriptor of a new file without a name, or -1 with errno.
int open_unnamed(const std::filesystem::path& folder) {
#if defined(O_TMPFILE)
  const int unnamed = ::open(folder.c_str(), O_RDWR | O_TMPFILE | O_EXCL | O_CLOEXEC, 0600);
  if (unnamed != -1) return unnamed;
#endif
  // A file system without such files. Should the process die between the two calls, the next one
  // removes the file by its name, as it does with half-written tables.
  std::string name = folder / ".states.XXXXXX.tmp";
  const int named = ::mkostemps(name.data(), 4, O_CLOEXEC);
  if (named == -1) return -1;
  if (::unlink(name.c_str()) == 0) return named;
  const int code = errno;
  static_cast<void>(::close(named));
  errno = code;
  return -1;
}

}  // namespace

Result<void*> map_unnamed_file(const std::filesystem::path& folder, std::size_t bytes) {
  const auto refused = [&](int code) {
    return fail(Fault::system, folder.string() + ": cannot hold a temporary file of " +
                                   std::to_string(bytes) + " bytes (" +
                                   std::generic_category().message(code) +
                                   "); free so much space there, or allow more memory");
  };
  const int descriptor = open_unnamed(folder);
  if (descriptor == -1) return refused(errno);
  // Blocks that were missing when a page is written would end the process by SIGBUS.
  int code = 0;
  do {
    code = ::posix_fallocate(descriptor, 0, static_cast<off_t>(bytes));
  } while (code == EINTR);
  void* memory = MAP_FAILED;
  if (code == 0) {
    memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (memory == MAP_FAILED) code = errno;
  }
  static_cast<void>(::close(descriptor));  // the mapping keeps the file
  if (code != 0) return refused(code);
  return memory;
}

}  // namespace mtb
