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

// Of the state of a place (BlockCache::Set).
constexpr Word kUsed = Word{1} << 63;
constexpr int kNumberShift = 32;
constexpr Word kNumber = ~kUsed >> kNumberShift << kNumberShift;
constexpr Word kAlike = Word{1} << 31;
constexpr Word kChanges = kAlike - 1;

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

/// As the state of its place has it; never 0.
Word number_of(BlockCache::Line line) { return (Word{line} + 1) << kNumberShift; }

/// Of at most eight bytes: the first in the lowest place.
Word word_of(std::span<const std::byte> bytes) {
  Word word = 0;
  if (std::endian::native == std::endian::little) {
    std::memcpy(&word, bytes.data(), bytes.size());
  } else {
    for (std::size_t i = bytes.size(); i-- > 0;) word = word << 8 | std::to_integer<Word>(bytes[i]);
  }
  return word;
}

}  // namespace

void BlockCache::Free::operator()(void* memory) const { std::free(memory); }

BlockCache::BlockCache(std::size_t budget_bytes)
    : set_count_(std::min<std::size_t>(budget_bytes / kSetBytes, UINT32_MAX)),
      // The system gives memory of zeros, page by page as they are touched.
      memory_(set_count_ == 0 ? nullptr : std::calloc(set_count_ + 1, kSetBytes)),
      locks_(std::make_unique<std::array<std::mutex, kLocks>>()) {
  if (set_count_ == 0) return;
  if (memory_ == nullptr) throw std::bad_alloc();
  void* start = memory_.get();
  prefer_large_pages(start, set_count_ * kSetBytes);
  std::size_t bytes = (set_count_ + 1) * kSetBytes;
  // There is one room more than sets: it has number 0, and stays unused.
  sets_ = static_cast<Set*>(std::align(alignof(Set), set_count_ * sizeof(Set), start, bytes));
  rooms_ = reinterpret_cast<Room*>(sets_ + set_count_);
  room_numbers_ = reinterpret_cast<std::uint32_t*>(rooms_ + set_count_ + 1);
  hands_ = reinterpret_cast<std::uint8_t*>(room_numbers_ + set_count_);
}

/// With a set count that is not 0.
std::size_t BlockCache::set_of(Line line) const {
  // An odd multiple near 2^32 / golden ratio spreads neighbours over all 32 bits, whose share of
  // 2^32 is the set's of all sets.
  const std::uint32_t spread = (line + 1) * 0x9E3779B1u;
  return static_cast<std::size_t>(std::uint64_t{spread} * set_count_ >> 32);
}

std::optional<std::size_t> BlockCache::place_of(Set& set, Line line) {
  const auto is_at = [&](std::size_t place) {
    return (load(set.places[place], std::memory_order_relaxed) & kNumber) == number_of(line);
  };
  for (std::size_t place = 0; place < kWays; ++place) {
    if (is_at(place)) return place;
  }
  return std::nullopt;
}

/// Of a set in whose states, loaded as an acquire, a line was seen.
BlockCache::Room& BlockCache::room_of(std::size_t set) const {
  return rooms_[std::atomic_ref(room_numbers_[set]).load(std::memory_order_relaxed)];
}

std::optional<BlockCache::Value> BlockCache::find(Line line, std::size_t offset) const {
  if (set_count_ == 0) return std::nullopt;
  const std::size_t set = set_of(line);
  // Most lines are at home. A processor that expects that reads there while it still waits for the
  // states, which is half of the time that a probe takes.
  if (const std::optional<Value> value = read(line, set, home_of(line), offset)) return value;
  const std::optional<std::size_t> place = place_of(sets_[set], line);
  return place ? read(line, set, *place, offset) : std::nullopt;
}

/// Nothing when the line is not in this place, or no longer.
std::optional<BlockCache::Value> BlockCache::read(Line line, std::size_t set, std::size_t place,
                                                  std::size_t offset) const {
  // A writer makes the count of changes odd, then stores the words, each a release, then makes it
  // even. Whoever has loaded, as an acquire, what a writer stored sees its odd count, or a later
  // one, in the end. So when the state is the same before and after and its count even, all belongs
  // to one line.
  Word& state = sets_[set].places[place];
  const Word before = load(state, std::memory_order_acquire);
  if ((before & kNumber) != number_of(line) || before % 2 != 0) return std::nullopt;
  const bool alike = (before & kAlike) != 0;
  Word& kept = alike ? sets_[set].bytes : room_of(set)[place][offset / sizeof(Word)];
  const Word word = load(kept, std::memory_order_acquire);
  const Word after = load(state, std::memory_order_relaxed);
  if (((before ^ after) & ~kUsed) != 0) return std::nullopt;
  if ((before & kUsed) == 0) {
    // Should the place have another line by now, that one counts as found: it does no harm.
    std::atomic_ref(state).fetch_or(kUsed, std::memory_order_relaxed);
  }
  if (alike) {
    const auto byte = static_cast<std::byte>(word >> place * 8);
    return Value{byte, byte};
  }
  const Word rest = word >> offset % sizeof(Word) * 8;
  return Value{static_cast<std::byte>(rest), static_cast<std::byte>(rest >> 8)};
}

bool BlockCache::prefetch(Line line, std::size_t offset) const {
  if (set_count_ == 0) return false;
  const std::size_t set = set_of(line);
  const std::optional<std::size_t> place = place_of(sets_[set], line);
  if (place) __builtin_prefetch(&room_of(set)[*place][offset / sizeof(Word)]);
  return place.has_value();
}

/// With the set's lock held.
std::size_t BlockCache::place_to_take(Line line, std::size_t set) {
  for (std::size_t i = 0; i < kWays; ++i) {
    const std::size_t place = (home_of(line) + i) % kWays;
    if (load(sets_[set].places[place], std::memory_order_relaxed) == 0) return place;
  }
  std::uint8_t& hand = hands_[set];
  for (std::size_t looked = 0;; ++looked) {
    const std::size_t place = hand;
    hand = static_cast<std::uint8_t>((place + 1) % kWays);
    std::atomic_ref state(sets_[set].places[place]);
    const bool used = (state.fetch_and(~kUsed, std::memory_order_relaxed) & kUsed) != 0;
    // Readers may find lines as fast as they are looked at.
    if (!used || looked >= 2 * kWays) return place;
  }
}

/// With the set's lock held.
void BlockCache::put_byte(Word& bytes, std::size_t place, std::byte byte) {
  const Word others = load(bytes, std::memory_order_relaxed) & ~(Word{0xFF} << place * 8);
  store(bytes, others | std::to_integer<Word>(byte) << place * 8, std::memory_order_release);
}

/// With the set's lock held.
void BlockCache::put_words(std::span<Word, kLineWords> words, std::span<const std::byte> bytes) {
  for (std::size_t i = 0; i * sizeof(Word) < bytes.size(); ++i) {
    const auto part = bytes.subspan(i * sizeof(Word));
    const Word word =
        part.size() < sizeof(Word) ? word_of(part) : word_of(part.first<sizeof(Word)>());
    store(words[i], word, std::memory_order_release);
  }
}

void BlockCache::insert(Line line, std::span<const std::byte> bytes) {
  if (set_count_ == 0) return;
  const std::size_t set = set_of(line);
  const std::lock_guard lock((*locks_)[set % kLocks]);
  // Another thread may have read the same block in the meantime.
  if (place_of(sets_[set], line)) return;
  const std::size_t place = place_to_take(line, set);
  Word& state = sets_[set].places[place];
  const Word before = load(state, std::memory_order_relaxed);
  const Word changes = before & kChanges;
  const bool alike =
      !bytes.empty() && std::ranges::all_of(bytes, [&](std::byte b) { return b == bytes[0]; });
  if (std::atomic_ref room(room_numbers_[set]);
      !alike && room.load(std::memory_order_relaxed) == 0) {
    room.store(1 + rooms_taken_.fetch_add(1, std::memory_order_relaxed), std::memory_order_relaxed);
  }
  store(state, number_of(line) | ((changes + 1) & kChanges), std::memory_order_release);
  if (alike) {
    put_byte(sets_[set].bytes, place, bytes[0]);
  } else {
    put_words(room_of(set)[place], bytes);
  }
  store(state, number_of(line) | (alike ? kAlike : 0) | ((changes + 2) & kChanges),
        std::memory_order_release);
}

}  // namespace mtb
