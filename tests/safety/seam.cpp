#include "tests/safety/seam.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>

namespace mtb::safety {
namespace {

// The linker's way in has no other place to look than these.
std::atomic<bool> disturbed{false};
Faults faults;
std::uint64_t seed = 0;
std::atomic<std::uint64_t> calls{0};
std::atomic<std::size_t> disturbances{0};

std::uint64_t scrambled(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  x = (x ^ x >> 27) * 0x94D049BB133111EB;
  return x ^ x >> 31;
}

/// The chances of one call, asked one after the other.
class Lot {
 public:
  Lot() : state_(scrambled(seed + 0x9E3779B97F4A7C15 * ++calls)) {}
  std::uint64_t draw() { return state_ = scrambled(state_ + 0x9E3779B97F4A7C15); }
  bool falls(unsigned chance) {
    if (draw() % 1000 >= chance) return false;
    ++disturbances;
    return true;
  }

 private:
  std::uint64_t state_;
};

ssize_t failed(int error) {
  errno = error;
  return -1;
}

}  // namespace

Disturbance::Disturbance(const Faults& wanted, std::uint64_t first) {
  faults = wanted;
  seed = first;
  calls = 0;
  disturbances = 0;
  disturbed = true;
}

Disturbance::~Disturbance() { disturbed = false; }

std::size_t Disturbance::count() { return disturbances; }

namespace {

/// Reads `count` bytes to `bytes` by `read(count)`, or not.
template <class Read>
ssize_t disturbed_read(unsigned char* bytes, std::size_t count, const Read& read) {
  Lot lot;
  if (lot.falls(faults.interrupted)) return failed(EINTR);
  if (lot.falls(faults.refused)) return failed(faults.error);
  if (lot.falls(faults.ended)) return 0;
  if (count > 1 && lot.falls(faults.short_reads)) count = 1 + lot.draw() % (count - 1);
  const ssize_t done = read(count);
  if (done > 0 && lot.falls(faults.changed)) {
    const std::uint64_t bit = lot.draw() % (8 * static_cast<std::uint64_t>(done));
    bytes[bit / 8] = static_cast<unsigned char>(bytes[bit / 8] ^ 1u << bit % 8);
  }
  return done;
}

}  // namespace

extern "C" {

// Names that the linker gives.
ssize_t __real_pread(int file, void* bytes, size_t count, off_t offset);
ssize_t __wrap_pread(int file, void* bytes, size_t count, off_t offset);
int __real_open(const char* path, int flags, ...);
int __wrap_open(const char* path, int flags, ...);
ssize_t __real_process_vm_readv(pid_t process, const iovec* to, unsigned long to_count,
                                const iovec* from, unsigned long from_count, unsigned long flags);
ssize_t __wrap_process_vm_readv(pid_t process, const iovec* to, unsigned long to_count,
                                const iovec* from, unsigned long from_count, unsigned long flags);

ssize_t __wrap_pread(int file, void* bytes, size_t count, off_t offset) {
  const auto read = [&](size_t part) { return __real_pread(file, bytes, part, offset); };
  return disturbed ? disturbed_read(static_cast<unsigned char*>(bytes), count, read) : read(count);
}

// As mapped files are read: into one piece of memory, from one.
ssize_t __wrap_process_vm_readv(pid_t process, const iovec* to, unsigned long to_count,
                                const iovec* from, unsigned long from_count, unsigned long flags) {
  const auto read = [&](size_t part) {
    const iovec some{to->iov_base, part};
    const iovec source{from->iov_base, part};
    return __real_process_vm_readv(process, &some, to_count, &source, from_count, flags);
  };
  return disturbed ? disturbed_read(static_cast<unsigned char*>(to->iov_base), to->iov_len, read)
                   : read(to->iov_len);
}

int __wrap_open(const char* path, int flags, ...) {
  mode_t mode = 0;
  if ((flags & O_CREAT) != 0) {
    va_list arguments;
    va_start(arguments, flags);
    mode = va_arg(arguments, mode_t);
    va_end(arguments);
  }
  if (disturbed) {
    Lot lot;
    if (lot.falls(faults.interrupted)) return static_cast<int>(failed(EINTR));
    if (lot.falls(faults.not_opened)) return static_cast<int>(failed(faults.error));
  }
  return __real_open(path, flags, mode);
}

}  // extern "C"

}  // namespace mtb::safety
