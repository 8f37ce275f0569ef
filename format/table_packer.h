// Rewriting finished tables in the form for handing around.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "format/table.h"

namespace mtb {

struct PackOptions {
  std::string generator;  ///< name and version of this program
  int threads = 0;        ///< 0: as many as OpenMP takes
};

struct PackedTable {
  TableHeader header;  ///< of the table that now is at the target
  bool kept = false;   ///< whether it was there already
};

/// Writes the values of a table to `target`, which may be the table's own path, as small as they
/// get. The target is replaced only after what was written has been read back whole, has every
/// value that the table has, and, in place of the table itself, is smaller; until then, and when
/// the process dies at any instant, what was there stays. Errors: damaged (the table), system.
Result<PackedTable> pack_table(const TableFile& table, const std::filesystem::path& target,
                               const PackOptions& options, const ClassCache& cache);

}  // namespace mtb
