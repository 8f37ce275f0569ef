#include "probe/block_cache.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>

namespace mtb {
namespace {

using Word = std::uint64_t;

/// Of a tag: the line was found since its place was last looked at.
constexpr Word kUsed = Word{1} << 63;
constexpr int kTableShift = 42;

Word load(Word& word, std::memory_order order) { return std::atomic_ref(word).load(order); }
void store(Word& word, Word value, std::memory_order order) {
  std::atomic_ref(word).store(value, order);
}

/// Asks for large pages: lines are looked up all over the memory, and of small pages a processor
/// remembers too few. A wish only.
void prefer_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(MADV_HUGEPAGE)
  constexpr std::size_t kPage = 4096;
  const std::size_t skipped = (kPage - reinterpret_cast<std::uintptr_t>(memory) % kPage) % kPage;
  if (bytes < skipped + kPage) return;
  static_cast<void>(::madvise(static_cast<std::byte*>(memory) + skipped,
                              (bytes - skipped) / kPage * kPage, MADV_HUGEPAGE));
#endif
}

/// Never 0.
Word name_of(BlockCache::Line line) { return (line.table + 1) << kTableShift | line.number; }

}  // namespace

void BlockCache::Free::operator()(void* memory) const { std::free(memory); }

BlockCache::BlockCache(std::size_t budget_bytes)
    : set_count_(std::min<std::size_t>(
          budget_bytes / (sizeof(Set) + kWays * sizeof(Words) + sizeof(*hands_)), UINT32_MAX)),
      // The system gives memory of zeros, page by page as they are touched.
      memory_(set_count_ == 0 ? nullptr
                              : std::calloc(set_count_ + 1,
                                            sizeof(Set) + kWays * sizeof(Words) + sizeof(*hands_))),
      sets_(nullptr),
      lines_(nullptr),
      hands_(nullptr),
      locks_(std::make_unique<std::array<std::mutex, kLocks>>()) {
  if (set_count_ == 0) return;
  if (memory_ == nullptr) throw std::bad_alloc();
  void* start = memory_.get();
  prefer_large_pages(start, set_count_ * (sizeof(Set) + kWays * sizeof(Words)));
  std::size_t room = (set_count_ + 1) * sizeof(Set);
  sets_ = static_cast<Set*>(std::align(alignof(Set), set_count_ * sizeof(Set), start, room));
  lines_ = reinterpret_cast<Words*>(sets_ + set_count_);
  hands_ = reinterpret_cast<std::uint8_t*>(lines_ + set_count_ * kWays);
}

/// Null when nothing is kept.
BlockCache::Set* BlockCache::set_of(Word name) const {
  if (set_count_ == 0) return nullptr;
  // An odd multiple near 2^64 / golden ratio spreads neighbours over the upper half, whose share of
  // 2^32 is the set's of all sets.
  const Word spread = name * 0x9E3779B97F4A7C15u >> 32;
  return sets_ + (spread * set_count_ >> 32);
}

std::optional<std::size_t> BlockCache::place_of(Set& set, Word name) {
  // Where a line is among eight is as good as random: a branch for each would be mispredicted.
  unsigned places = 0;
  for (std::size_t place = 0; place < kWays; ++place) {
    const Word tag = load(set.tags[place], std::memory_order_relaxed);
    places |= ((tag & ~kUsed) == name ? 1u : 0u) << place;
  }
  if (places == 0) return std::nullopt;
  return static_cast<std::size_t>(std::countr_zero(places));
}

std::optional<BlockCache::Value> BlockCache::find(Line line, std::size_t offset) const {
  const Word name = name_of(line);
  Set* const set = set_of(name);
  if (set == nullptr) return std::nullopt;
  const std::optional<std::size_t> place = place_of(*set, name);
  if (!place) return std::nullopt;
  // A writer makes the sequence odd, then stores tag and words, each a release, then makes it even.
  // Whoever has loaded, as an acquire, what a writer stored sees its odd number, or a later one, in
  // the end. So when the number is even and the same before and after, all belongs to one line.
  Word& sequence = set->sequences[*place];
  const Word before = load(sequence, std::memory_order_acquire);
  const Word tag = load(set->tags[*place], std::memory_order_acquire);
  const Word word = load(words_of(*set, *place)[offset / sizeof(Word)], std::memory_order_acquire);
  const Word after = load(sequence, std::memory_order_relaxed);
  if (before != after || before % 2 != 0 || (tag & ~kUsed) != name) return std::nullopt;
  if ((tag & kUsed) == 0) {
    // Should the place have another line by now, that one counts as found: it does no harm.
    std::atomic_ref(set->tags[*place]).fetch_or(kUsed, std::memory_order_relaxed);
  }
  std::array<std::byte, sizeof(Word) + 1> bytes{};
  std::memcpy(bytes.data(), &word, sizeof word);
  return Value{bytes[offset % sizeof(Word)], bytes[offset % sizeof(Word) + 1]};
}

bool BlockCache::prefetch(Line line, std::size_t offset) const {
  const Word name = name_of(line);
  Set* const set = set_of(name);
  if (set == nullptr) return false;
  const std::optional<std::size_t> place = place_of(*set, name);
  if (place) __builtin_prefetch(&words_of(*set, *place)[offset / sizeof(Word)]);
  return place.has_value();
}

/// With the set's lock held.
std::size_t BlockCache::place_to_take(Set& set) {
  if (const auto empty = place_of(set, 0)) return *empty;
  std::uint8_t& hand = hands_[&set - sets_];
  for (std::size_t looked = 0;; ++looked) {
    const std::size_t place = hand;
    hand = static_cast<std::uint8_t>((place + 1) % kWays);
    std::atomic_ref tag(set.tags[place]);
    const bool used = (tag.fetch_and(~kUsed, std::memory_order_relaxed) & kUsed) != 0;
    // Readers may find lines as fast as they are looked at.
    if (!used || looked >= 2 * kWays) return place;
  }
}

void BlockCache::insert(Line line, std::span<const std::byte> bytes) {
  const Word name = name_of(line);
  Set* const set = set_of(name);
  if (set == nullptr) return;
  const auto number = static_cast<std::size_t>(set - sets_);
  const std::lock_guard lock((*locks_)[number % kLocks]);
  // Another thread may have read the same block in the meantime.
  if (place_of(*set, name)) return;
  const std::size_t place = place_to_take(*set);
  Word& sequence = set->sequences[place];
  const Word before = load(sequence, std::memory_order_relaxed);
  store(sequence, before + 1, std::memory_order_relaxed);
  store(set->tags[place], name, std::memory_order_release);
  for (std::size_t i = 0; i * sizeof(Word) < bytes.size(); ++i) {
    const auto part = bytes.subspan(i * sizeof(Word));
    Word word = 0;
    std::memcpy(&word, part.data(), std::min(part.size(), sizeof word));
    store(words_of(*set, place)[i], word, std::memory_order_release);
  }
  store(sequence, before + 2, std::memory_order_release);
}

}  // namespace mtb
