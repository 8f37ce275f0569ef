// Packed blocks: a number of slots and a packing, then what is stored. Behind the checksum that
// guards it, all of it is made up.
#include <vector>

#include "format/layout.h"
#include "format/packing.h"
#include "format/table.h"
#include "tests/fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mtb;
  auto input = fuzz::bytes(data, size);
  const std::size_t slots = 1 + fuzz::take(input, 2) % kBlockSlots;
  const auto packing = static_cast<Packing>(1 + fuzz::take(input, 1) % 4);
  std::vector<std::byte> payload(packed_size(packing, slots));
  // The frame as it is; or, so that unpacking is reached more often, the content itself.
  const bool framed = fuzz::take(input, 1) % 2 == 0;
  if (framed) {
    if (!layout::decompress(input, payload)) return 0;
  } else {
    std::copy_n(input.begin(), std::min(input.size(), payload.size()), payload.begin());
  }
  std::vector<Code> codes(slots);
  fuzz::demand(is_packed(packing, payload, slots) == unpack(packing, payload, codes));
  if (!is_packed(packing, payload, slots)) return 0;
  for (std::size_t i = 0; i < slots; ++i) {
    fuzz::demand(codes[i] <= largest_code(packing));
    fuzz::demand(unpack_one(packing, payload, i) == codes[i]);
  }
  std::vector<std::byte> again(payload.size());
  pack(packing, codes, again);
  fuzz::demand(again == payload);
  return 0;
}
