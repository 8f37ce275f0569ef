#include "gen/ban_table.h"

#include <algorithm>
#include <utility>

namespace mtb {

BanTable::BanTable(const SectorIndex& index, const BanSearch& search,
                   const std::function<Code(Code)>& code) {
  const auto rows = static_cast<std::int64_t>(index.classes().count());
  std::vector<std::pair<std::uint64_t, Code>> entries;
#pragma omp parallel
  {
    std::vector<std::pair<std::uint64_t, Code>> mine;
#pragma omp for schedule(dynamic, 4)
    for (std::int64_t i = 0; i < rows; ++i) {
      const auto row = static_cast<std::uint32_t>(i);
      for (std::uint32_t column = 0; column < index.columns(); ++column) {
        const SectorIndex::Placement placed = index.placement(Slot{row} * index.columns() + column);
        search.for_each_ban(placed.opponent, placed.mover, [&](const Ban& ban) {
          const Code without = code(search.value({placed.mover, placed.opponent}));
          const Code with = code(search.value({placed.mover, placed.opponent, std::nullopt, ban}));
          if (with != without) mine.emplace_back(key(row, ban, column), with);
        });
      }
    }
#pragma omp critical
    entries.insert(entries.end(), mine.begin(), mine.end());
  }
  std::sort(entries.begin(), entries.end());
  keys_.reserve(entries.size());
  codes_.reserve(entries.size());
  for (const auto& [place, value] : entries) {
    keys_.push_back(place);
    codes_.push_back(value);
  }
}

}  // namespace mtb
