#include "stats/zugzwang.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "stats/blocks.h"
#include "stats/placed_position.h"

namespace mtb {
namespace {

/// By slot, whether the player to move loses, whatever a clock says.
class LostSlots {
 public:
  explicit LostSlots(std::uint64_t slots) : words_((slots + 63) / 64) {}

  /// `first` is a multiple of 64, as blocks begin, so that threads write words of their own.
  void mark(CodeMeaning meaning, Slot first, std::span<const Code> codes) {
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const std::uint64_t lost = meaning.outcome(codes[i]) == Outcome::loss ? 1 : 0;
      words_[(first + i) / 64] |= lost << (first + i) % 64;
    }
  }
  bool has(Slot slot) const { return (words_[slot / 64] >> slot % 64 & 1) != 0; }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace

Result<ZugzwangCount> count_mutual_zugzwangs(const TableFile& table, const TableFile& exchanged) {
  const TableHeader& header = table.header();
  const Sector sector = header.sector;
  const TableHeader& other = exchanged.header();
  if (other.sector != sector.swapped() || other.fingerprint != header.fingerprint ||
      other.clock != header.clock) {
    return fail(Fault::bad_input, exchanged.path().string() +
                                      ": is not the table of the players of " +
                                      table.path().string() + " exchanged");
  }
  for (const TableFile* file : {&table, &exchanged}) {
    if (Result<void> ready = file->prepare(); !ready) return tl::unexpected(ready.error());
  }
  LostSlots lost(exchanged.index().slots());
  const CodeMeaning other_meaning = other.meaning();
  Result<void> read = for_all_blocks(exchanged, [&](Slot first, std::span<const Code> codes) {
    lost.mark(other_meaning, first, codes);
    return Result<void>();
  });
  if (!read) return tl::unexpected(read.error());

  const CodeMeaning meaning = header.meaning();
  ZugzwangCount count;
  Slot lowest = std::numeric_limits<Slot>::max();
  read = for_all_blocks(table, [&](Slot first, std::span<const Code> codes) {
    std::uint64_t here = 0;
    Slot lowest_here = std::numeric_limits<Slot>::max();
    for (std::size_t i = 0; i < codes.size(); ++i) {
      if (meaning.outcome(codes[i]) != Outcome::loss) continue;
      const auto placement = table.index().placement(first + i);
      if (!lost.has(exchanged.index().slot({placement.opponent, placement.mover}))) continue;
      const auto row = static_cast<std::uint32_t>((first + i) / table.index().columns());
      here += static_cast<std::uint64_t>(table.index().classes().orbit(row));
      lowest_here = std::min(lowest_here, first + i);
    }
#pragma omp critical
    {
      count.positions += here;
      lowest = std::min(lowest, lowest_here);
    }
    return Result<void>();
  });
  if (!read) return tl::unexpected(read.error());
  if (count.positions > 0) count.example = placed_position(table.index().placement(lowest));
  return count;
}

}  // namespace mtb
