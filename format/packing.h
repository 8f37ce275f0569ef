// How the codes of a block lie in its payload (FORMAT.md, "Payload").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "format/values.h"

namespace mtb {

enum class Packing : std::uint8_t {
  base3 = 1,  ///< five codes 0..2 a byte, the first in the lowest place
  base5 = 2,  ///< three codes 0..4 a byte, the first in the lowest place
  byte = 3,   ///< one code 0..255 a byte
  word = 4,   ///< one code a 16-bit little-endian word
};

/// The packing that a table uses: the smallest of its metric that holds all its codes.
Packing packing_for(Metric metric, Code largest_code);

/// The largest code that a packing holds.
Code largest_code(Packing packing);

/// Payload bytes of `slots` codes.
std::size_t packed_size(Packing packing, std::size_t slots);

/// Fills payload; payload.size() == packed_size(packing, codes.size()), codes within
/// largest_code(). Places of the last byte that no code takes hold 0.
void pack(Packing packing, std::span<const Code> codes, std::span<std::byte> payload);

/// Whether a payload of `slots` codes is one that pack() makes.
bool is_packed(Packing packing, std::span<const std::byte> payload, std::size_t slots);

/// How many digits to a base fit into a byte.
template <unsigned Base>
inline constexpr unsigned kDigitsInByte = [] {
  unsigned digits = 0;
  for (unsigned values = Base; values <= 256; values *= Base) ++digits;
  return digits;
}();

/// By digit, then byte: the digits of bytes to a base, the lowest first.
template <unsigned Base>
inline constexpr auto kDigitsOfBytes = [] {
  std::array<std::array<std::uint8_t, 256>, kDigitsInByte<Base>> digits{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    unsigned rest = byte;
    for (auto& of_bytes : digits) {
      of_bytes[byte] = static_cast<std::uint8_t>(rest % Base);
      rest /= Base;
    }
  }
  return digits;
}();

/// Where a code lies in a payload: the first of its bytes, one or for `word` two, and which of the
/// codes in that byte it is.
struct CodePlace {
  std::size_t offset;
  unsigned digit;
};
constexpr CodePlace code_place(Packing packing, std::size_t i) {
  // Places in a block fit 32 bits, in which a processor divides much faster than in 64.
  const auto place = static_cast<std::uint32_t>(i);
  switch (packing) {
    case Packing::base3:
      return {place / kDigitsInByte<3>, place % kDigitsInByte<3>};
    case Packing::base5:
      return {place / kDigitsInByte<5>, place % kDigitsInByte<5>};
    case Packing::byte:
      return {i, 0};
    case Packing::word:
      return {2 * i, 0};
  }
  return {0, 0};
}

/// The code at a place of a payload that is_packed(), from the byte that lies there and, for
/// `word`, eight bits higher, the next one.
constexpr Code code_at(Packing packing, std::uint16_t bytes, unsigned digit) {
  switch (packing) {
    case Packing::base3:
      return kDigitsOfBytes<3>[digit][bytes & 0xFF];
    case Packing::base5:
      return kDigitsOfBytes<5>[digit][bytes & 0xFF];
    case Packing::byte:
      return bytes & 0xFF;
    case Packing::word:
      return bytes;
  }
  return 0;
}

/// Code number `i` of a payload that is_packed().
Code unpack_one(Packing packing, std::span<const std::byte> payload, std::size_t i);

/// All codes of a payload; payload.size() == packed_size(packing, codes.size()).
/// False when it is not one that pack() makes.
bool unpack(Packing packing, std::span<const std::byte> payload, std::span<Code> codes);

}  // namespace mtb
