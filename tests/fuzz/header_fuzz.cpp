// Headers of tables. Checksum and fingerprint are made to fit, so that what comes behind them is
// reached: a header is refused, or it is the one that its contents are written as.
#include <algorithm>
#include <vector>

#include "format/layout.h"
#include "tests/fuzz/target.h"

namespace {

constexpr std::size_t kFingerprintAt = 24;
constexpr std::size_t kTextBytesAt = 32;
constexpr std::size_t kIndexChecksumAt = 120;
constexpr std::size_t kChecksumAt = 248;

std::uint64_t number(std::span<const std::byte> bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = size; i-- > 0;) {
    value = value << 8 | std::to_integer<std::uint64_t>(bytes[at + i]);
  }
  return value;
}

void put(std::span<std::byte> bytes, std::size_t at, std::uint64_t value) {
  for (std::size_t i = 0; i < 8; ++i) bytes[at + i] = static_cast<std::byte>(value >> (8 * i));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mtb;
  const auto input = fuzz::bytes(data, size);
  if (size < layout::kFixedBytes) return 0;
  const auto header_bytes = layout::header_size(input.first(layout::kFixedBytes), "input");
  if (!header_bytes || *header_bytes > size) return 0;
  std::vector<std::byte> header(input.begin(),
                                input.begin() + static_cast<std::ptrdiff_t>(*header_bytes));
  static_cast<void>(layout::decode_header(header, "input"));

  const std::uint64_t text_bytes = number(header, kTextBytesAt, 4);
  if (text_bytes <= header.size() - layout::kFixedBytes) {
    const auto text = std::span(header).subspan(layout::kFixedBytes, text_bytes);
    put(header, kFingerprintAt, layout::hash(text));
  }
  put(header, kChecksumAt, 0);
  put(header, kChecksumAt, layout::hash(header));
  const auto decoded = layout::decode_header(header, "input");
  if (decoded) {
    fuzz::demand(decoded->index_checksum == number(header, kIndexChecksumAt, 8));
    fuzz::demand(layout::encode_header(decoded->header, decoded->index_checksum) == header);
  } else {
    fuzz::demand(decoded.error().message.find('\n') == std::string::npos);
  }
  return 0;
}
