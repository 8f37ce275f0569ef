#include "format/packing.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace mtb {
namespace {

/// Codes below `Base`, as many in a byte as fit, the first in the lowest place.
template <unsigned Base>
struct Places {
  static constexpr std::size_t kDigits = kDigitsInByte<Base>;
  static constexpr unsigned kValues = [] {
    unsigned values = 1;
    for (std::size_t i = 0; i < kDigits; ++i) values *= Base;
    return values;
  }();

  /// The codes of each byte, with room for a whole number of machine words.
  static constexpr std::size_t kRoom = kDigits <= 4 ? 4 : 8;
  static constexpr auto kCodes = [] {
    std::array<std::array<Code, kRoom>, kValues> codes{};
    for (unsigned value = 0; value < kValues; ++value) {
      for (std::size_t i = 0; i < kDigits; ++i) codes[value][i] = kDigitsOfBytes<Base>[i][value];
    }
    return codes;
  }();

  static std::size_t bytes(std::size_t slots) { return (slots + kDigits - 1) / kDigits; }

  static std::byte join(std::span<const Code> codes) {
    unsigned value = 0;
    for (std::size_t i = codes.size(); i-- > 0;) value = value * Base + codes[i];
    return static_cast<std::byte>(value);
  }

  static void pack(std::span<const Code> codes, std::span<std::byte> payload) {
    for (std::byte& out : payload) {
      const std::size_t count = std::min<std::size_t>(kDigits, codes.size());
      out = join(codes.first(count));
      codes = codes.subspan(count);
    }
  }

  static bool is_packed(std::span<const std::byte> payload, std::size_t slots) {
    std::byte largest{0};
    for (const std::byte b : payload) largest = std::max(largest, b);
    if (std::to_integer<unsigned>(largest) >= kValues) return false;
    const std::size_t used = slots % kDigits;
    if (used == 0) return true;
    const auto& last = kCodes[std::to_integer<unsigned>(payload.back())];
    return std::all_of(last.begin() + used, last.end(), [](Code code) { return code == 0; });
  }

  static void unpack(std::span<const std::byte> payload, std::span<Code> codes) {
    std::size_t i = 0;
    // Copies of fixed size, a little too long: the next one overwrites the excess.
    for (; codes.size() >= kRoom; codes = codes.subspan(kDigits), ++i) {
      std::memcpy(codes.data(), kCodes[std::to_integer<unsigned>(payload[i])].data(),
                  sizeof(kCodes[0]));
    }
    for (std::size_t k = 0; k < codes.size(); ++k) {
      codes[k] = kCodes[std::to_integer<unsigned>(payload[i + k / kDigits])][k % kDigits];
    }
  }
};

using Base3 = Places<3>;
using Base5 = Places<5>;

Code word_at(std::span<const std::byte> payload, std::size_t i) {
  return static_cast<Code>(std::to_integer<unsigned>(payload[2 * i]) |
                           std::to_integer<unsigned>(payload[2 * i + 1]) << 8);
}

}  // namespace

Packing packing_for(Metric metric, Code largest_code) {
  if (metric == Metric::wdl) return largest_code <= 2 ? Packing::base3 : Packing::base5;
  return largest_code <= 0xFF ? Packing::byte : Packing::word;
}

Code largest_code(Packing packing) {
  switch (packing) {
    case Packing::base3:
      return 2;
    case Packing::base5:
      return 4;
    case Packing::byte:
      return 0xFF;
    case Packing::word:
      return 0xFFFF;
  }
  return 0;
}

std::size_t packed_size(Packing packing, std::size_t slots) {
  switch (packing) {
    case Packing::base3:
      return Base3::bytes(slots);
    case Packing::base5:
      return Base5::bytes(slots);
    case Packing::byte:
      return slots;
    case Packing::word:
      return 2 * slots;
  }
  return 0;
}

void pack(Packing packing, std::span<const Code> codes, std::span<std::byte> payload) {
  switch (packing) {
    case Packing::base3:
      return Base3::pack(codes, payload);
    case Packing::base5:
      return Base5::pack(codes, payload);
    case Packing::byte:
      for (std::size_t i = 0; i < codes.size(); ++i) payload[i] = static_cast<std::byte>(codes[i]);
      return;
    case Packing::word:
      for (std::size_t i = 0; i < codes.size(); ++i) {
        payload[2 * i] = static_cast<std::byte>(codes[i]);
        payload[2 * i + 1] = static_cast<std::byte>(codes[i] >> 8);
      }
      return;
  }
}

bool is_packed(Packing packing, std::span<const std::byte> payload, std::size_t slots) {
  if (payload.size() != packed_size(packing, slots)) return false;
  if (packing == Packing::base3) return Base3::is_packed(payload, slots);
  if (packing == Packing::base5) return Base5::is_packed(payload, slots);
  return true;
}

Code unpack_one(Packing packing, std::span<const std::byte> payload, std::size_t i) {
  const CodePlace place = code_place(packing, i);
  if (packing == Packing::word) return word_at(payload, i);
  return code_at(packing, std::to_integer<std::uint16_t>(payload[place.offset]), place.digit);
}

bool unpack(Packing packing, std::span<const std::byte> payload, std::span<Code> codes) {
  if (!is_packed(packing, payload, codes.size())) return false;
  switch (packing) {
    case Packing::base3:
      Base3::unpack(payload, codes);
      break;
    case Packing::base5:
      Base5::unpack(payload, codes);
      break;
    case Packing::byte:
      for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = std::to_integer<Code>(payload[i]);
      break;
    case Packing::word:
      for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = word_at(payload, i);
      break;
  }
  return true;
}

}  // namespace mtb
