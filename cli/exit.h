// The exit statuses of the program: a contract that scripts rely on.
#pragma once

#include <algorithm>

#include "game/result.h"

namespace mtb::cli {

/// In ascending order of gravity: of several, the program reports the greatest.
enum class Exit : int {
  done = 0,
  no = 1,       ///< the answer is "no" or "not found"
  usage = 2,    ///< wrong arguments or input, or more than this version does
  damaged = 3,  ///< damaged or foreign tables
  system = 4,   ///< the system failed: disk, memory, output
};

constexpr Exit exit_of(Fault fault) {
  switch (fault) {
    case Fault::not_found:
    case Fault::not_cached:
    case Fault::stopped:
      return Exit::no;
    case Fault::bad_input:
    case Fault::not_supported:
      return Exit::usage;
    case Fault::damaged:
    case Fault::foreign:
      return Exit::damaged;
    case Fault::system:
    case Fault::out_of_memory:
    case Fault::too_many_files:
      return Exit::system;
  }
  return Exit::system;
}

constexpr Exit graver(Exit a, Exit b) { return std::max(a, b); }

}  // namespace mtb::cli
