// For programs that libFuzzer drives: it calls with input after input, and takes the end of the
// process for a finding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace mtb::fuzz {

/// What must hold for any input.
inline void demand(bool holds) {
  if (!holds) std::abort();
}

inline std::span<const std::byte> bytes(const std::uint8_t* data, std::size_t size) {
  return std::as_bytes(std::span(data, size));
}

inline std::string_view text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Takes a number off the front of an input; 0 when there is not enough.
inline std::uint32_t take(std::span<const std::byte>& input, std::size_t count) {
  std::uint32_t value = 0;
  for (; count > 0 && !input.empty(); --count, input = input.subspan(1)) {
    value = value << 8 | std::to_integer<std::uint32_t>(input.front());
  }
  return value;
}

}  // namespace mtb::fuzz
