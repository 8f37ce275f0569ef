// Errors are values: every function that can fail returns Result<T>; nothing here or above throws
// across a module's face.
#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace mtb {

/// What kind of thing went wrong. The command line maps kinds to its exit status (`cli/exit.h`).
enum class Fault : std::uint8_t {
  bad_input,      ///< the caller's text or arguments are wrong
  not_found,      ///< a table, file or answer that would be needed is not there
  not_supported,  ///< well-formed, but outside what this version does
  damaged,        ///< a file is truncated, altered or not a table at all
  foreign,        ///< a sound file that belongs to other rules or another format version
  system,         ///< the operating system refused: disk, permissions
  out_of_memory,
  too_many_files,  ///< no more descriptors are to be had
  not_cached,      ///< the answer is on the disk, where it was not to be looked for
  stopped,         ///< the caller did not want to wait any longer
};

/// One line for a person: what, where, what to do. No trailing full stop or newline.
struct Error {
  Fault fault;
  std::string message;
};

template <class T>
using Result = tl::expected<T, Error>;

/// Shorthand for returning a failure.
inline tl::unexpected<Error> fail(Fault fault, std::string message) {
  return tl::unexpected<Error>(Error{fault, std::move(message)});
}

}  // namespace mtb
