#include "verify/values.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstddef>

namespace mtb::deep {
namespace {

/// XXH64 of numbers as little-endian bytes.
template <class Number>
std::uint64_t hash_of(std::span<const Number> numbers) {
  std::vector<std::uint8_t> bytes(numbers.size() * sizeof(Number));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const std::size_t shift = 8 * (i % sizeof(Number));
    bytes[i] = static_cast<std::uint8_t>(numbers[i / sizeof(Number)] >> shift);
  }
  return XXH64(bytes.data(), bytes.size(), 0);
}

}  // namespace

Result<std::unique_ptr<Values>> Values::whole(const CodeSource& source, const Geometry& geometry,
                                              const Scale& scale) {
  std::unique_ptr<Values> values(new Values(geometry, scale, source.facts().largest));
  const std::uint64_t slots = geometry.slots();
  values->narrow() ? values->whole_.bytes.resize(slots) : values->whole_.words.resize(slots);
  const auto blocks = static_cast<std::int64_t>((slots + kBlockSlots - 1) / kBlockSlots);
  values->hashes_.assign(static_cast<std::size_t>(blocks), 0);
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t number = 0; number < blocks; ++number) {
    const std::uint64_t first = static_cast<std::uint64_t>(number) * kBlockSlots;
    std::vector<Code> codes(std::min(kBlockSlots, slots - first));
    if (const Result<void> read = source.read(first, codes); !read) {
      const std::lock_guard lock(values->mutex_);
      if (!values->failure_) values->failure_ = read.error();
      continue;
    }
    values->hashes_[static_cast<std::size_t>(number)] = hash_of(std::span<const Code>(codes));
    if (values->narrow()) {
      std::ranges::transform(codes, values->whole_.bytes.begin() + static_cast<std::int64_t>(first),
                             [](Code code) { return static_cast<std::uint8_t>(code); });
    } else {
      std::ranges::copy(codes, values->whole_.words.begin() + static_cast<std::int64_t>(first));
    }
  }
  if (values->failure_) return tl::unexpected(*values->failure_);
  return values;
}

std::unique_ptr<Values> Values::in_file(const CodeSource& source, const Geometry& geometry,
                                        const Scale& scale, std::uint64_t cache_bytes) {
  std::unique_ptr<Values> values(new Values(geometry, scale, source.facts().largest));
  values->source_ = &source;
  const std::uint64_t blocks = (geometry.slots() + kBlockSlots - 1) / kBlockSlots;
  const std::uint64_t fitting = cache_bytes / (kBlockSlots * bytes_a_slot(source.facts()));
  values->kept_.resize(std::clamp<std::uint64_t>(fitting, 1, blocks));
  values->places_.assign(blocks, kAbsent);
  values->hashes_.assign(blocks, 0);
  return values;
}

std::unique_ptr<Values> Values::exchanged(const Values& given) {
  Geometry geometry = given.geometry_;
  geometry.key_is_mover = !geometry.key_is_mover;
  std::unique_ptr<Values> values(new Values(geometry, given.scale_, given.largest_));
  Block& to = values->whole_;
  const bool narrow = values->narrow();
  narrow ? to.bytes.resize(geometry.slots()) : to.words.resize(geometry.slots());
  const std::vector<Set> sets = sets_by_rank(kPoints - geometry.mover, geometry.opponent);
#pragma omp parallel for schedule(dynamic, 8)
  for (std::int64_t row = 0; row < geometry.classes->rows(); ++row) {
    const Set key = geometry.classes->representative(static_cast<std::uint32_t>(row));
    const Spreading spreading(kAllPoints & ~key);
    Slot slot = static_cast<Slot>(row) * geometry.columns;
    for (const Set set : sets) {
      const Code code = given.code(given.geometry_.slot(spreading(set), key));
      if (narrow) {
        to.bytes[slot++] = static_cast<std::uint8_t>(code);
      } else {
        to.words[slot++] = code;
      }
    }
  }
  return values;
}

std::shared_ptr<const Values::Block> Values::decode(std::uint64_t number) const {
  const std::uint64_t first = number * kBlockSlots;
  std::vector<Code> codes(std::min(kBlockSlots, geometry_.slots() - first));
  if (const Result<void> read = source_->read(first, codes); !read) {
    std::ranges::fill(codes, Code{0});
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = read.error();
  }
  auto block = std::make_shared<Block>();
  block->hash = hash_of(std::span<const Code>(codes));
  if (narrow()) {
    block->bytes.assign(codes.begin(), codes.end());
  } else {
    block->words = std::move(codes);
  }
  return block;
}

std::shared_ptr<const Values::Block> Values::block(std::uint64_t number) const {
  {
    const std::lock_guard lock(mutex_);
    if (places_[number] != kAbsent) {
      Kept& kept = kept_[places_[number]];
      kept.last_use = ++clock_;
      return kept.block;
    }
  }
  const std::shared_ptr<const Block> decoded = decode(number);
  const std::lock_guard lock(mutex_);
  if (places_[number] != kAbsent) return kept_[places_[number]].block;  // another was quicker
  Kept& oldest = *std::ranges::min_element(kept_, {}, &Kept::last_use);
  if (oldest.block) places_[oldest.number] = kAbsent;
  oldest = {decoded, number, ++clock_};
  places_[number] = static_cast<std::uint32_t>(&oldest - kept_.data());
  hashes_[number] = decoded->hash;
  return decoded;
}

template <class Visit>
void Values::for_each_part(Slot first, std::uint64_t count, Visit&& visit) const {
  const auto part_of = [&](const Block& block, std::uint64_t place, std::uint64_t size) {
    narrow() ? visit(block.bytes.data() + place, size) : visit(block.words.data() + place, size);
  };
  if (source_ == nullptr) return part_of(whole_, first, count);
  while (count != 0) {
    const std::uint64_t place = first % kBlockSlots;
    const std::uint64_t size = std::min(count, kBlockSlots - place);
    part_of(*block(first / kBlockSlots), place, size);
    first += size;
    count -= size;
  }
}

Code Values::code(Slot slot) const {
  Code code = 0;
  for_each_part(slot, 1, [&](const auto* cells, std::uint64_t) { code = *cells; });
  return code;
}

void Values::codes(Slot first, std::span<Code> out) const {
  Code* to = out.data();
  for_each_part(first, out.size(),
                [&](const auto* cells, std::uint64_t size) { to = std::copy_n(cells, size, to); });
}

std::uint64_t Values::content_hash() const {
  const std::lock_guard lock(mutex_);
  return hash_of(std::span<const std::uint64_t>(hashes_));
}

void Values::row(std::uint32_t row, std::span<const Merit> merits, Merit* out) const {
  for_each_part(Slot{row} * geometry_.columns, geometry_.columns,
                [&](const auto* cells, std::uint64_t size) {
                  for (std::uint64_t i = 0; i < size; ++i) *out++ = merits[cells[i]];
                });
}

std::optional<Error> Values::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

}  // namespace mtb::deep
