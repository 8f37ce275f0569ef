#include "format/table_writer.h"

#include <omp.h>
#include <zstd.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>

#include "format/layout.h"
#include "format/model_writer.h"
#include "format/surroundings.h"
#include "format/tally.h"

namespace mtb {
namespace {

constexpr std::uint64_t kBatchParts = 64;  // compressed, then written: at most 8 MiB

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};
using Zstd = std::unique_ptr<ZSTD_CCtx, FreeContext>;

constexpr int kFastLevel = 3;
constexpr int kSmallLevel = 19;

Result<Zstd> make_zstd(int level) {
  Zstd context(ZSTD_createCCtx());
  if (!context ||
      ZSTD_isError(ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, level)) != 0) {
    return fail(Fault::system, "cannot set up zstd; free some memory");
  }
  return context;
}

/// What one thread needs to make blocks, one after the other.
struct Worker {
  Zstd zstd;
  model::Encoder encoder;
  std::vector<Code> codes;
  std::vector<std::byte> payload;
  std::vector<std::byte> room;
  Tally tally;
  std::optional<model::Statistics> statistics;
};

/// A block ready to be written.
struct FinishedBlock {
  std::size_t bytes = 0;  ///< that are to be stored; 0 for a uniform block
  Code uniform = 0;
};

/// The blocks of kBlockSlots slots, or of those that remain.
struct FinishedPart {
  std::vector<FinishedBlock> blocks;
  std::vector<std::byte> stored;  ///< of one block after the other
  std::uint64_t content_hash = 0;
};

/// What modelled blocks are encoded with.
struct Odds {
  Surroundings surroundings;
  std::vector<std::byte> stored{};
  model::Model model{};
};

/// How a table is written. Parts are made by several threads at once.
class Writer {
 public:
  Writer(const TableSpec& spec, const CodeSource& source, const std::filesystem::path& path,
         const ClassCache& cache)
      : spec_(spec),
        source_(source),
        path_(path),
        cache_(cache),
        index_(spec.sector, spec.key, cache) {}

  Result<TableHeader> run();

 private:
  tl::unexpected<Error> unfit(const std::string& what) const {
    return fail(Fault::bad_input, "cannot write " + path_.string() + ": " + what);
  }
  std::uint64_t parts() const { return (header_.slots - 1) / kBlockSlots + 1; }

  Result<void> make_header();
  Result<void> make_workers();
  Result<void> make_odds();
  std::optional<std::span<const Code>> codes_of(Worker& worker, std::uint64_t part);
  bool finish(Worker& worker, std::uint64_t part, std::span<const Code> codes,
              FinishedPart& finished);
  Result<void> write_blocks(AtomicFile& file, std::uint64_t id, std::uint64_t offset,
                            std::vector<std::byte>& entries);

  const TableSpec& spec_;
  const CodeSource& source_;
  const std::filesystem::path& path_;
  const ClassCache& cache_;
  SectorIndex index_;
  TableHeader header_;
  std::vector<Worker> workers_;
  std::optional<Odds> odds_;
  std::atomic<bool> unfit_code_ = false;
  std::atomic<bool> zstd_failed_ = false;
};

Result<void> Writer::make_header() {
  header_.rules = spec_.rules;
  header_.fingerprint = fingerprint(spec_.rules);
  header_.sector = spec_.sector;
  header_.metric = spec_.metric;
  header_.key = spec_.key;
  header_.packing = packing_for(spec_.metric, spec_.largest_code);
  header_.clock = spec_.clock;
  header_.clock_bound = spec_.clock_bound;
  // The model knows three outcomes.
  header_.coding = spec_.compression == Compression::small && header_.packing != Packing::base5
                       ? Coding::modelled
                       : Coding::packed;
  header_.generator = spec_.generator;
  if (const auto what = layout::contradiction_of_kind(header_); !what.empty()) return unfit(what);
  if (spec_.largest_code > largest_code(header_.packing)) return unfit("its codes are no outcomes");
  header_.slots = index_.slots();
  header_.blocks = (header_.slots - 1) / block_slots(header_.coding) + 1;
  for (std::size_t i = 0; i < header_.canaries.size(); ++i) {
    const auto placement = index_.placement(header_.slots * (2 * i + 1) / 8);
    header_.canaries[i] = {placement.mover.bits(), placement.opponent.bits(),
                           index_.slot(placement), 0};
  }
  return {};
}

Result<void> Writer::make_workers() {
  workers_ = std::vector<Worker>(static_cast<std::size_t>(omp_get_max_threads()));
  for (Worker& worker : workers_) {
    worker.codes.resize(kBlockSlots);
    if (header_.coding == Coding::modelled) continue;
    auto zstd = make_zstd(spec_.compression == Compression::fast ? kFastLevel : kSmallLevel);
    if (!zstd) return tl::unexpected(zstd.error());
    worker.zstd = std::move(*zstd);
    worker.payload.resize(packed_size(header_.packing, kBlockSlots));
    worker.room.resize(layout::largest_stored(worker.payload.size()));
  }
  return {};
}

/// The codes of a part; nothing, and a note of it, when one exceeds what was announced.
std::optional<std::span<const Code>> Writer::codes_of(Worker& worker, std::uint64_t part) {
  const Slot first = part * kBlockSlots;
  const auto codes =
      std::span(worker.codes).first(std::min<std::uint64_t>(kBlockSlots, header_.slots - first));
  source_(first, codes);
  if (*std::max_element(codes.begin(), codes.end()) <= spec_.largest_code) return codes;
  unfit_code_ = true;
  return std::nullopt;
}

/// Counts all values in their contexts, and chooses the odds.
Result<void> Writer::make_odds() {
  odds_.emplace(Odds{Surroundings(index_, spec_.rules, model::kBlockSlots, cache_)});
  const Surroundings& surroundings = odds_->surroundings;
#pragma omp parallel for schedule(dynamic)
  for (std::uint64_t part = 0; part < parts(); ++part) {
    Worker& worker = workers_[static_cast<std::size_t>(omp_get_thread_num())];
    if (!worker.statistics) {
      worker.statistics.emplace(spec_.metric, surroundings.neighbours(), spec_.largest_code);
    }
    auto codes = codes_of(worker, part);
    for (Slot first = part * kBlockSlots; codes && !codes->empty(); first += model::kBlockSlots) {
      const std::size_t count = std::min<std::size_t>(model::kBlockSlots, codes->size());
      worker.statistics->add(surroundings, first, codes->first(count));
      codes = codes->subspan(count);
    }
  }
  model::Statistics all(spec_.metric, surroundings.neighbours(), spec_.largest_code);
  for (Worker& worker : workers_) {
    if (worker.statistics) all.add(*worker.statistics);
    worker.statistics.reset();
  }
  const std::vector<std::byte> content = all.make_content();
  const auto zstd = make_zstd(kSmallLevel);
  if (!zstd) return tl::unexpected(zstd.error());
  odds_->stored.resize(ZSTD_compressBound(content.size()));
  const std::size_t size = ZSTD_compress2(zstd->get(), odds_->stored.data(), odds_->stored.size(),
                                          content.data(), content.size());
  if (ZSTD_isError(size) != 0) return fail(Fault::system, "zstd failed; free some memory");
  odds_->stored.resize(size);
  auto model = model::Model::parse(odds_->stored, spec_.metric, surroundings.neighbours());
  if (!model) return fail(Fault::system, "zstd failed; free some memory");
  odds_->model = std::move(*model);
  header_.model_bytes = static_cast<std::uint32_t>(size);
  header_.model_checksum = layout::hash(odds_->stored);
  return {};
}

/// Codes that are known to fit. False when zstd fails, for want of memory.
bool Writer::finish(Worker& worker, std::uint64_t part, std::span<const Code> codes,
                    FinishedPart& finished) {
  Slot first = part * kBlockSlots;
  finished.content_hash = layout::hash_codes(codes);
  finished.blocks.clear();
  finished.stored.clear();
  while (!codes.empty()) {
    const auto block =
        codes.first(std::min<std::size_t>(block_slots(header_.coding), codes.size()));
    const bool uniform =
        std::all_of(block.begin(), block.end(), [&](Code code) { return code == block[0]; });
    std::span<const std::byte> stored;
    if (!uniform && header_.coding == Coding::modelled) {
      stored =
          worker.encoder.encode(odds_->model, odds_->surroundings, header_.metric, first, block);
    } else if (!uniform) {
      const auto payload =
          std::span(worker.payload).first(packed_size(header_.packing, block.size()));
      pack(header_.packing, block, payload);
      const std::size_t size = ZSTD_compress2(worker.zstd.get(), worker.room.data(),
                                              worker.room.size(), payload.data(), payload.size());
      if (ZSTD_isError(size) != 0) return false;
      stored = std::span(worker.room).first(size);
    }
    finished.blocks.push_back({stored.size(), uniform ? block[0] : Code{0}});
    finished.stored.insert(finished.stored.end(), stored.begin(), stored.end());
    first += block.size();
    codes = codes.subspan(block.size());
  }
  return true;
}

Result<void> Writer::write_blocks(AtomicFile& file, std::uint64_t id, std::uint64_t offset,
                                  std::vector<std::byte>& entries) {
  std::vector<FinishedPart> batch(std::min(kBatchParts, parts()));
  std::vector<std::uint64_t> hashes;
  std::uint64_t block_number = 0;
  for (std::uint64_t begin = 0; begin < parts(); begin += kBatchParts) {
    const std::uint64_t end = std::min(begin + kBatchParts, parts());
#pragma omp parallel for schedule(dynamic)
    for (std::uint64_t part = begin; part < end; ++part) {
      Worker& worker = workers_[static_cast<std::size_t>(omp_get_thread_num())];
      const auto codes = codes_of(worker, part);
      if (!codes) continue;
      const Slot first = part * kBlockSlots;
      worker.tally.add(index_, header_.meaning(), first, *codes);
      for (Canary& canary : header_.canaries) {
        if (canary.slot / kBlockSlots == part) canary.code = (*codes)[canary.slot - first];
      }
      if (!finish(worker, part, *codes, batch[part - begin])) zstd_failed_ = true;
    }
    if (unfit_code_) break;
    if (zstd_failed_) return fail(Fault::system, "zstd failed; free some memory");

    for (std::uint64_t part = begin; part < end; ++part) {
      const FinishedPart& finished = batch[part - begin];
      hashes.push_back(finished.content_hash);
      std::span<const std::byte> stored = finished.stored;
      if (const auto done = file.write_at(offset, stored); !done) return done;
      offset += stored.size();
      for (const FinishedBlock& block : finished.blocks) {
        BlockEntry entry;
        entry.bytes = static_cast<std::uint32_t>(block.bytes);
        entry.uniform = block.uniform;
        entry.checksum =
            layout::entry_checksum(entry, id, block_number++, stored.first(block.bytes));
        const layout::EntryBytes bytes = layout::encode_entry(entry);
        entries.insert(entries.end(), bytes.begin(), bytes.end());
        stored = stored.subspan(block.bytes);
      }
    }
  }
  header_.content_hash = layout::hash_hashes(hashes);
  header_.file_bytes = offset;
  return {};
}

Result<TableHeader> Writer::run() {
  if (auto done = make_header(); !done) return tl::unexpected(done.error());
  if (auto done = make_workers(); !done) return tl::unexpected(done.error());
  const auto too_large = [&] {
    return unfit("a code exceeds the largest that was announced, " +
                 std::to_string(spec_.largest_code));
  };
  if (header_.coding == Coding::modelled) {
    if (auto done = make_odds(); !done) return tl::unexpected(done.error());
    if (unfit_code_) return too_large();
  }

  // Header and block index come last: only their room, and what blocks depend on, is known now.
  const std::vector<std::byte> draft = layout::encode_header(header_, 0);
  const std::uint64_t model_at = draft.size();
  const std::uint64_t index_at = model_at + header_.model_bytes;
  std::vector<std::byte> entries;
  entries.reserve(header_.blocks * layout::kEntryBytes);

  Result<AtomicFile> file = AtomicFile::create(path_);
  if (!file) return tl::unexpected(file.error());
  if (const auto done = write_blocks(*file, layout::table_id(draft),
                                     index_at + header_.blocks * layout::kEntryBytes, entries);
      !done) {
    return tl::unexpected(done.error());
  }
  if (unfit_code_) return too_large();

  Tally tally;
  for (const Worker& worker : workers_) tally.add(worker.tally);
  tally.enter(header_);
  if (packing_for(header_.metric, tally.largest_code) != header_.packing) {
    return unfit("the largest code that was announced, " + std::to_string(spec_.largest_code) +
                 ", does not occur");
  }
  if (const auto what = layout::contradiction_of_values(header_); !what.empty()) return unfit(what);

  const std::vector<std::byte> head = layout::encode_header(header_, layout::hash(entries));
  if (const auto done = file->write_at(0, head); !done) return tl::unexpected(done.error());
  if (odds_) {
    if (const auto done = file->write_at(model_at, odds_->stored); !done) {
      return tl::unexpected(done.error());
    }
  }
  if (const auto done = file->write_at(index_at, entries); !done) {
    return tl::unexpected(done.error());
  }
  if (const auto done = file->commit(); !done) return tl::unexpected(done.error());
  return header_;
}

}  // namespace

TableSpec spec_of(const TableHeader& header) {
  TableSpec spec;
  spec.rules = header.rules;
  spec.sector = header.sector;
  spec.metric = header.metric;
  spec.key = header.key;
  spec.clock = header.clock;
  spec.clock_bound = header.clock_bound;
  spec.largest_code = header.largest_code();
  return spec;
}

Result<TableHeader> write_table(const TableSpec& spec, const CodeSource& source,
                                const std::filesystem::path& path, const ClassCache& cache) {
  return Writer(spec, source, path, cache).run();
}

}  // namespace mtb
