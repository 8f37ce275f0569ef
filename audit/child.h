// A program that is started, spoken to in lines, and certain to end.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "game/result.h"

namespace mtb {

/// A child process with pipes to its input and output; its errors go where ours go. It leads a
/// process group of its own, which is killed with all that the child has started when the object
/// goes. For one thread.
class Child {
 public:
  using Clock = std::chrono::steady_clock;

  /// Starts `command` by the shell. Error: system. That the command is not there shows in the
  /// child's end.
  static Result<Child> start(const std::string& command);
  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;
  ~Child();

  /// What became of waiting for a line.
  enum class Got : std::uint8_t { line, nothing_in_time, end };

  /// Writes a line. False when the child reads no more, or does not for a second.
  bool write_line(std::string_view line);
  /// Waits for a line until `deadline`; `line` without its break. A line of more than 64 KiB is cut
  /// there.
  Got read_line(std::string& line, Clock::time_point deadline);
  /// Kills the child's group, if that has not been done.
  void kill();

 private:
  Child(pid_t process, int in, int out) : process_(process), in_(in), out_(out) {}

  pid_t process_;     ///< -1 when it is gone
  int in_;            ///< we write to it
  int out_;           ///< we read from it
  std::string read_;  ///< that is not yet asked for
};

}  // namespace mtb
