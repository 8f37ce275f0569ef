// What the system answers when a table file is opened or read, as a test wants it. The program of
// these tests is linked so that the open() and the reads of the code under test come here first.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace mtb::safety {

/// What may go wrong at the seam, each with a chance in 1000.
struct Faults {
  unsigned interrupted = 0;  ///< EINTR
  unsigned short_reads = 0;  ///< fewer bytes than asked for
  unsigned ended = 0;        ///< no bytes, as at the end of a file
  unsigned changed = 0;      ///< one bit of what was read is another
  unsigned refused = 0;      ///< `error`, of a read
  unsigned not_opened = 0;   ///< `error`, of open()
  int error = 0;             ///< an errno
};

/// While it lives, calls of all threads fail like this, by the seed and the number of the call. One
/// at a time.
class Disturbance {
 public:
  Disturbance(const Faults& faults, std::uint64_t seed);
  Disturbance(const Disturbance&) = delete;
  Disturbance& operator=(const Disturbance&) = delete;
  ~Disturbance();

  /// How many calls were answered otherwise than by the system.
  static std::size_t count();
};

}  // namespace mtb::safety
