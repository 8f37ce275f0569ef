#include "gen/big_array.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
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

void* new_pages(std::size_t bytes) {
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
#if defined(MADV_HUGEPAGE)
  // Random access to so much memory spends much of its time on page tables. A hint: the outcome
  // does not matter.
  static_cast<void>(::madvise(memory, bytes, MADV_HUGEPAGE));
#endif
  return memory;
}

void* PageReserve::take(std::size_t bytes) {
  const auto largest = std::ranges::max_element(kept_, {}, &Pages::bytes);
  if (largest == kept_.end()) return new_pages(bytes);
  const Pages pages = *largest;
#if defined(MREMAP_MAYMOVE)
  void* memory = ::mremap(pages.at, pages.bytes, bytes, MREMAP_MAYMOVE);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  kept_.erase(largest);
  return memory;
#else
  kept_.erase(largest);
  ::munmap(pages.at, pages.bytes);
  return new_pages(bytes);
#endif
}

void PageReserve::give(void* pages, std::size_t bytes) noexcept {
  if (kept_.size() < kMost) {
    kept_.push_back({pages, bytes});  // there is room: this cannot fail
  } else {
    ::munmap(pages, bytes);
  }
}

void PageReserve::shrink(std::size_t bytes) {
  std::size_t kept = 0;
  for (const Pages& pages : kept_) kept += pages.bytes;
  while (kept > bytes) {
    Pages& last = kept_.back();
    const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    // Whole pages: what is left of the last ones is kept, so that less than `bytes` may stay.
    const std::size_t stays =
        last.bytes > kept - bytes ? (last.bytes - (kept - bytes)) / page * page : 0;
    kept -= last.bytes - stays;
    ::munmap(static_cast<char*>(last.at) + stays, last.bytes - stays);
    last.bytes = stays;
    if (stays == 0) kept_.pop_back();
  }
}

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
