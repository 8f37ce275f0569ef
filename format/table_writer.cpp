#include "format/table_writer.h"

#include <omp.h>
#include <zstd.h>

#include <algorithm>
#include <atomic>
#include <memory>

#include "format/layout.h"
#include "format/tally.h"

namespace mtb {
namespace {

constexpr std::uint64_t kBatchBlocks = 64;  // compressed, then written: at most 8 MiB

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

/// What one thread needs to make blocks, one after the other.
struct Worker {
  std::unique_ptr<ZSTD_CCtx, FreeContext> context;
  std::vector<Code> codes;
  std::vector<std::byte> payload;
  Tally tally;
};

/// A block ready to be written.
struct FinishedBlock {
  std::vector<std::byte> room;
  std::size_t bytes = 0;  ///< of room that are to be stored; 0 for a uniform block
  Code uniform = 0;
  std::uint64_t content_hash = 0;

  std::span<const std::byte> stored() const { return std::span(room).first(bytes); }
};

int level(Compression compression) { return compression == Compression::fast ? 3 : 19; }

Result<std::vector<Worker>> make_workers(std::size_t count, const TableSpec& spec,
                                         Packing packing) {
  std::vector<Worker> workers(count);
  for (Worker& worker : workers) {
    worker.context.reset(ZSTD_createCCtx());
    if (!worker.context ||
        ZSTD_isError(ZSTD_CCtx_setParameter(worker.context.get(), ZSTD_c_compressionLevel,
                                            level(spec.compression))) != 0) {
      return fail(Fault::system, "cannot set up zstd; free some memory");
    }
    worker.codes.resize(kBlockSlots);
    worker.payload.resize(packed_size(packing, kBlockSlots));
  }
  return workers;
}

/// Packs and compresses codes that are known to fit the packing. False when zstd fails, for want of
/// memory.
bool finish(Worker& worker, Packing packing, std::span<const Code> codes, FinishedBlock& block) {
  block.content_hash = layout::hash_codes(codes);
  const bool uniform =
      std::all_of(codes.begin(), codes.end(), [&](Code code) { return code == codes[0]; });
  block.uniform = uniform ? codes[0] : Code{0};
  block.bytes = 0;
  if (uniform) return true;
  const auto payload = std::span(worker.payload).first(packed_size(packing, codes.size()));
  pack(packing, codes, payload);
  block.bytes = ZSTD_compress2(worker.context.get(), block.room.data(), block.room.size(),
                               payload.data(), payload.size());
  return ZSTD_isError(block.bytes) == 0;
}

}  // namespace

Result<TableHeader> write_table(const TableSpec& spec, const CodeSource& source,
                                const std::filesystem::path& path, const ClassCache& cache) {
  if (spec.metric == Metric::dtc) {
    return fail(Fault::not_supported, "cannot write " + path.string() +
                                          ": this version has no tables for dtc; use wdl or dtw");
  }
  TableHeader header;
  header.rules = spec.rules;
  header.fingerprint = fingerprint(spec.rules);
  header.sector = spec.sector;
  header.metric = spec.metric;
  header.key = spec.key;
  header.packing = packing_for(spec.metric, spec.largest_code);
  header.clock = spec.clock;
  header.generator = spec.generator;
  const auto unfit = [&](const std::string& what) {
    return fail(Fault::bad_input, "cannot write " + path.string() + ": " + what);
  };
  if (const auto what = layout::contradiction_of_kind(header); !what.empty()) return unfit(what);
  if (spec.largest_code > largest_code(header.packing)) return unfit("its codes are no outcomes");

  const SectorIndex index(spec.sector, spec.key, cache);
  header.slots = index.slots();
  header.blocks = (header.slots + kBlockSlots - 1) / kBlockSlots;
  for (std::size_t i = 0; i < header.canaries.size(); ++i) {
    const auto placement = index.placement(header.slots * (2 * i + 1) / 8);
    header.canaries[i] = {placement.mover.bits(), placement.opponent.bits(), index.slot(placement),
                          0};
  }

  // Header and block index come last: only their room, and what blocks depend on, is known now.
  const std::vector<std::byte> draft = layout::encode_header(header, 0);
  const std::uint64_t id = layout::table_id(draft);
  std::vector<std::byte> entries(header.blocks * layout::kEntryBytes);
  std::uint64_t offset = draft.size() + entries.size();

  Result<AtomicFile> file = AtomicFile::create(path);
  if (!file) return tl::unexpected(file.error());
  auto workers =
      make_workers(static_cast<std::size_t>(omp_get_max_threads()), spec, header.packing);
  if (!workers) return tl::unexpected(workers.error());
  std::vector<FinishedBlock> batch(std::min(kBatchBlocks, header.blocks));
  for (FinishedBlock& block : batch) {
    block.room.resize(layout::largest_stored(packed_size(header.packing, kBlockSlots)));
  }
  std::vector<std::uint64_t> hashes(header.blocks);
  std::atomic<bool> unfit_code = false;
  std::atomic<bool> zstd_failed = false;

  for (std::uint64_t begin = 0; begin < header.blocks; begin += kBatchBlocks) {
    const std::uint64_t end = std::min(begin + kBatchBlocks, header.blocks);
#pragma omp parallel for schedule(dynamic)
    for (std::uint64_t block = begin; block < end; ++block) {
      Worker& worker = (*workers)[static_cast<std::size_t>(omp_get_thread_num())];
      const Slot first = block * kBlockSlots;
      const auto codes =
          std::span(worker.codes).first(std::min<std::uint64_t>(kBlockSlots, header.slots - first));
      source(first, codes);
      if (*std::max_element(codes.begin(), codes.end()) > spec.largest_code) {
        unfit_code = true;
        continue;
      }
      worker.tally.add(index, header.metric, first, codes);
      for (Canary& canary : header.canaries) {
        if (canary.slot / kBlockSlots == block) canary.code = codes[canary.slot - first];
      }
      if (!finish(worker, header.packing, codes, batch[block - begin])) zstd_failed = true;
    }
    if (unfit_code) {
      return unfit("a code exceeds the largest that was announced, " +
                   std::to_string(spec.largest_code));
    }
    if (zstd_failed) return fail(Fault::system, "zstd failed; free some memory");

    for (std::uint64_t block = begin; block < end; ++block) {
      const FinishedBlock& finished = batch[block - begin];
      BlockEntry entry{offset, static_cast<std::uint32_t>(finished.bytes), finished.uniform, 0};
      entry.checksum = layout::entry_checksum(entry, id, block, finished.stored());
      const layout::EntryBytes bytes = layout::encode_entry(entry);
      std::ranges::copy(bytes,
                        entries.begin() + static_cast<std::ptrdiff_t>(block * layout::kEntryBytes));
      hashes[block] = finished.content_hash;
      if (const auto done = file->write_at(offset, finished.stored()); !done) {
        return tl::unexpected(done.error());
      }
      offset += finished.bytes;
    }
  }

  Tally tally;
  for (const Worker& worker : *workers) tally.add(worker.tally);
  tally.enter(header);
  if (packing_for(header.metric, tally.largest_code) != header.packing) {
    return unfit("the largest code that was announced, " + std::to_string(spec.largest_code) +
                 ", does not occur");
  }
  header.file_bytes = offset;
  header.content_hash = layout::hash_hashes(hashes);
  if (const auto what = layout::contradiction_of_values(header); !what.empty()) return unfit(what);

  const std::vector<std::byte> head = layout::encode_header(header, layout::hash(entries));
  if (const auto done = file->write_at(0, head); !done) return tl::unexpected(done.error());
  if (const auto done = file->write_at(head.size(), entries); !done) {
    return tl::unexpected(done.error());
  }
  if (const auto done = file->commit(); !done) return tl::unexpected(done.error());
  return header;
}

}  // namespace mtb
