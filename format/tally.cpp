#include "format/tally.h"

#include <algorithm>

namespace mtb {

void Tally::add(const SectorIndex& index, Metric metric, Slot first, std::span<const Code> codes) {
  const std::uint32_t columns = index.columns();
  while (!codes.empty()) {
    const auto row = static_cast<std::uint32_t>(first / columns);
    const std::span<const Code> part =
        codes.first(std::min<std::size_t>(codes.size(), columns - first % columns));
    const auto orbit = static_cast<std::uint64_t>(index.classes().orbit(row));
    const auto enter = [&](Outcome outcome, std::uint64_t slots) {
      counts[static_cast<std::size_t>(outcome)] += orbit * slots;
    };
    if (metric == Metric::wdl) {
      std::array<std::uint32_t, kOutcomeCount> bins{};
      for (std::size_t code = 0; code < bins.size(); ++code) {
        for (const Code c : part) bins[code] += c == code ? 1u : 0u;
        if (bins[code] == 0) continue;
        enter(*wdl_code::outcome(static_cast<Code>(code)), bins[code]);
        largest_code = std::max(largest_code, static_cast<Code>(code));
      }
    } else {
      std::uint32_t wins = 0;
      std::uint32_t losses = 0;
      Code largest_win = 0;
      Code largest_loss = 0;
      for (const Code c : part) {
        const Code win = c % 2 == 0 ? c : Code{0};
        const Code loss = c % 2 != 0 ? c : Code{0};
        wins += win != 0 ? 1u : 0u;
        losses += loss != 0 ? 1u : 0u;
        largest_win = std::max(largest_win, win);
        largest_loss = std::max(largest_loss, loss);
      }
      enter(Outcome::win, wins);
      enter(Outcome::loss, losses);
      enter(Outcome::draw, part.size() - wins - losses);
      if (wins != 0) longest_win = std::max(longest_win, dtw_code::plies(largest_win));
      if (losses != 0) longest_loss = std::max(longest_loss, dtw_code::plies(largest_loss));
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
