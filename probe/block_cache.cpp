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

/// Of at most eight bytes: the first in the lowest place.
std::uint64_t word_of(std::span<const std::byte> bytes) {
  std::uint64_t word = 0;
  if (std::endian::native == std::endian::little) {
    std::memcpy(&word, bytes.data(), bytes.size());
  } else {
    for (std::size_t i = bytes.size(); i-- > 0;) {
      word = word << 8 | std::to_integer<std::uint64_t>(bytes[i]);
    }
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

std::optional<std::size_t> BlockCache::place_of(Set& set, Line line) {
  const auto is_at = [&](std::size_t place) {
    return (load(set.places[place], std::memory_order_relaxed) & kNumber) == number_of(line);
  };
  for (std::size_t place = 0; place < kWays; ++place) {
    if (is_at(place)) return place;
  }
  return std::nullopt;
}

/// Of a line that is not at home.
std::int32_t BlockCache::find_away(Line line, std::size_t set, std::size_t offset) const {
  const std::optional<std::size_t> place = place_of(sets_[set], line);
  return place ? read(line, set, *place, offset) : kNotKept;
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

/// With the set's lock held: a room for its lines, if it has none.
BlockCache::Room& BlockCache::take_room(std::size_t set) {
  const std::atomic_ref number(room_numbers_[set]);
  if (number.load(std::memory_order_relaxed) == 0) {
    number.store(1 + rooms_taken_.fetch_add(1, std::memory_order_relaxed),
                 std::memory_order_relaxed);
  }
  return room_of(set);
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
  store(state, number_of(line) | ((changes + 1) & kChanges), std::memory_order_release);
  if (alike) {
    put_byte(sets_[set].bytes, place, bytes[0]);
  } else {
    put_words(take_room(set)[place], bytes);
  }
  store(state, number_of(line) | (alike ? kAlike : 0) | ((changes + 2) & kChanges),
        std::memory_order_release);
}

}  // namespace mtb
