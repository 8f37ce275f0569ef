#include "gen/colour_exchange.h"

namespace mtb {
namespace {

std::array<PointSet, Symmetry::kCount> images_of(PointSet set) {
  std::array<PointSet, Symmetry::kCount> images;
  for (int s = 0; s < Symmetry::kCount; ++s) {
    images[static_cast<std::size_t>(s)] = Symmetry(s)(set);
  }
  return images;
}

/// Every set of symmetries that keeps some set begins with the identity.
constexpr std::uint16_t kIdentityOnly = 1;

}  // namespace

ColourExchange::ColourExchange(const SectorIndex& index, const SubsetTable& columns)
    : index_(index), columns_(columns), fixing_(index.rows()) {
  const auto rows = static_cast<std::int64_t>(index.rows());
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < rows; ++i) {
    const PointSet key = index_.classes().representative(static_cast<std::uint32_t>(i));
    const auto images = images_of(key);
    unsigned fixing = 0;
    for (std::size_t s = 0; s < images.size(); ++s) fixing |= images[s] == key ? 1u << s : 0;
    fixing_[static_cast<std::size_t>(i)] = static_cast<std::uint16_t>(fixing);
  }
}

void ColourExchange::append_exchanged(std::uint32_t row, std::span<const std::uint16_t> columns,
                                      std::vector<Cell>& cells) const {
  const RowPoints points(index_.classes().representative(row));
  const auto images = images_of(points.key());
  Relabelling to_board;
  to_board.build(points.board_bits(), points.points());
  for (std::uint16_t column : columns) {
    const auto canonical = index_.classes().classify(PointSet(to_board(columns_.mask(column))));
    const PointSet key = images[static_cast<std::size_t>(canonical.symmetry.number())];
    cells.push_back({canonical.row, index_.column(canonical.row, key)});
    unsigned others = fixing_[canonical.row] ^ kIdentityOnly;
    for (; others != 0; others &= others - 1) {
      const Symmetry symmetry(std::countr_zero(others));
      cells.push_back({canonical.row, index_.column(canonical.row, symmetry(key))});
    }
  }
}

}  // namespace mtb
