#include "format/tally.h"

#include <algorithm>

namespace mtb {
namespace {

/// Counters have the width of the codes, so that compilers count many codes in one vector.
constexpr std::size_t kMostCounted = 65535;

template <class Predicate>
std::uint16_t count_if(std::span<const Code> codes, Predicate predicate) {
  std::uint16_t count = 0;
  for (const Code code : codes)
    count = static_cast<std::uint16_t>(count + (predicate(code) ? 1 : 0));
  return count;
}

}  // namespace

void Tally::add(const SectorIndex& index, CodeMeaning meaning, Slot first,
                std::span<const Code> codes) {
  const std::uint32_t columns = index.columns();
  while (!codes.empty()) {
    const auto row = static_cast<std::uint32_t>(first / columns);
    const std::span<const Code> part =
        codes.first(std::min<std::size_t>({codes.size(), columns - first % columns, kMostCounted}));
    const auto orbit = static_cast<std::uint64_t>(index.classes().orbit(row));
    const auto enter = [&](Outcome outcome, std::uint64_t slots) {
      counts[static_cast<std::size_t>(outcome)] += orbit * slots;
    };
    if (meaning.metric == Metric::wdl) {
      std::size_t draws = part.size();
      for (Code code = kOutcomeCount - 1; code > 0; --code) {
        const std::uint16_t slots = count_if(part, [code](Code c) { return c == code; });
        if (slots == 0) continue;
        enter(*wdl_code::outcome(code), slots);
        largest_code = std::max(largest_code, code);
        draws -= slots;
        if (draws == 0) break;
      }
      enter(Outcome::draw, draws);
    } else {
      const std::uint16_t draws = count_if(part, [](Code c) { return c == 0; });
      const std::uint16_t losses = count_if(part, [](Code c) { return c % 2 != 0; });
      const std::size_t wins = part.size() - draws - losses;
      Code largest_win = 0;
      Code largest_loss = 0;
      for (const Code c : part) {
        const Code parity = static_cast<Code>(-(c & 1));  // all bits set for a loss
        largest_win = std::max(largest_win, static_cast<Code>(c & ~parity));
        largest_loss = std::max(largest_loss, static_cast<Code>(c & parity));
      }
      std::uint16_t late_wins = 0;
      std::uint16_t late_losses = 0;
      if (meaning.is_late(std::max(largest_win, largest_loss))) {
        late_wins = count_if(part, [&](Code c) { return c % 2 == 0 && meaning.is_late(c); });
        late_losses = count_if(part, [&](Code c) { return c % 2 != 0 && meaning.is_late(c); });
      }
      enter(Outcome::win, wins - late_wins);
      enter(Outcome::clock_win, late_wins);
      enter(Outcome::loss, std::size_t{losses} - late_losses);
      enter(Outcome::clock_loss, late_losses);
      enter(Outcome::draw, draws);
      if (wins != 0) longest_win = std::max(longest_win, meaning.plies(largest_win));
      if (losses != 0) longest_loss = std::max(longest_loss, meaning.plies(largest_loss));
      largest_code = std::max({largest_code, largest_win, largest_loss});
    }
    first += part.size();
    codes = codes.subspan(part.size());
  }
}

void Tally::add(const Tally& other) {
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += other.counts[i];
  longest_win = std::max(longest_win, other.longest_win);
  longest_loss = std::max(longest_loss, other.longest_loss);
  largest_code = std::max(largest_code, other.largest_code);
}

void Tally::enter(TableHeader& header) const {
  header.counts = counts;
  const bool distances = header.metric != Metric::wdl;
  header.longest_win = distances ? longest_win : kDistanceNotStored;
  header.longest_loss = distances ? longest_loss : kDistanceNotStored;
}

}  // namespace mtb
