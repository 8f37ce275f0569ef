#include "format/table_packer.h"

#include <omp.h>

#include <algorithm>
#include <system_error>

#include "format/file.h"
#include "format/layout.h"
#include "format/table_writer.h"
#include "game/first_error.h"

namespace mtb {
namespace {

namespace fs = std::filesystem;

/// A file that is removed again unless it is renamed before.
class Draft {
 public:
  explicit Draft(const fs::path& target)
      : path_(target.parent_path() / ("." + target.filename().string() + ".packed.tmp")) {}
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  ~Draft() {
    std::error_code ignored;  // what cannot be removed is hidden, and harms nobody
    fs::remove(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

TableSpec small_spec_of(const TableHeader& header, const PackOptions& options) {
  TableSpec spec = spec_of(header);
  spec.compression = Compression::small;
  spec.generator = options.generator;
  return spec;
}

/// Whether two headers say the same of the values.
bool same_values(const TableHeader& a, const TableHeader& b) {
  return a.fingerprint == b.fingerprint && a.sector == b.sector && a.metric == b.metric &&
         a.key == b.key && a.clock == b.clock && a.clock_bound == b.clock_bound &&
         a.content_hash == b.content_hash && a.counts == b.counts &&
         a.longest_win == b.longest_win && a.longest_loss == b.longest_loss &&
         a.canaries == b.canaries;
}

}  // namespace

Result<PackedTable> pack_table(const TableFile& table, const fs::path& target,
                               const PackOptions& options, const ClassCache& cache) {
  if (options.threads > 0) omp_set_num_threads(options.threads);
  const Result<TableFile> present = TableFile::open(target, cache);
  if (present && present->header().coding == Coding::modelled &&
      same_values(present->header(), table.header())) {
    return PackedTable{present->header(), true};
  }

  FirstError error;
  const CodeSource source = [&](Slot first, std::span<Code> codes) {
    if (const auto done = table.read_slots(first, codes); !done) {
      std::fill(codes.begin(), codes.end(), Code{0});
      error.tell(done.error());
    }
  };
  const Draft draft(target);
  const Result<TableHeader> written =
      write_table(small_spec_of(table.header(), options), source, draft.path(), cache);
  if (error.any()) return tl::unexpected(*error.get());
  if (!written && written.error().fault == Fault::bad_input) {
    return layout::damaged(table.path(), "its values are not those that its header announces");
  }
  if (!written) return tl::unexpected(written.error());
  const Result<TableFile> copy = TableFile::open(draft.path(), cache);
  if (!copy) return tl::unexpected(copy.error());
  if (const auto sound = copy->verify(); !sound) return tl::unexpected(sound.error());
  if (!same_values(copy->header(), table.header())) {
    return layout::damaged(table.path(), "its values do not have the hash in its header");
  }
  const bool in_place = present && target == table.path();
  if (in_place && copy->header().file_bytes >= present->header().file_bytes) {
    return PackedTable{present->header(), true};
  }
  if (const auto done = rename_file(draft.path(), target); !done) {
    return tl::unexpected(done.error());
  }
  return PackedTable{copy->header(), false};
}

}  // namespace mtb
