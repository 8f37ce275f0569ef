// A file of lines, or standard input.
#pragma once

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "game/result.h"

namespace mtb::cli {

class InputFile {
 public:
  /// `-` is standard input. Errors: not_found, system.
  static Result<InputFile> open(const std::string& name) {
    InputFile input(name);
    if (name == "-") return input;
    errno = 0;
    input.file_ = std::make_unique<std::ifstream>(name);
    if (*input.file_) return input;
    const Fault fault = errno == ENOENT ? Fault::not_found : Fault::system;
    return fail(fault, "cannot read " + name + ": " + std::strerror(errno) +
                           "; check the path and its permissions");
  }

  std::istream& stream() { return file_ ? *file_ : std::cin; }
  bool is_standard_input() const { return !file_; }

  /// Why the stream ended before the file did; nothing when it did not.
  std::optional<Error> failure() {
    if (!stream().bad()) return std::nullopt;
    return Error{Fault::system,
                 "cannot read " + name_ + " to its end; check that it is a file that can be read"};
  }

 private:
  explicit InputFile(std::string name) : name_(std::move(name)) {}

  std::string name_;
  std::unique_ptr<std::ifstream> file_;  ///< none for standard input
};

}  // namespace mtb::cli
