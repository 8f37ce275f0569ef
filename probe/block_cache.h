// Decoded blocks of tables, kept so that probes near each other read and decode once.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

namespace mtb {

/// Keeps the payloads of blocks (format/packing.h) in lines of a fixed size, up to a budget of
/// bytes. Safe for concurrent use; find() takes no lock, and writes one bit when a line is found
/// for the first time since its place was last looked at.
///
/// A line has one of the seven places of a set that its number chooses, the one called its home if
/// that was free. When all are taken, the first goes that was not found since it was last looked
/// at. A line whose bytes are all alike is kept beside its name, so that it costs no second access
/// to memory.
class BlockCache {
 public:
  static constexpr std::size_t kLineBytes = 1024;
  /// Bytes that a value takes at most; values of two bytes lie at even offsets.
  static constexpr std::size_t kValueBytes = 2;

  /// Names a line, below kMostLines.
  using Line = std::uint32_t;
  static constexpr Line kMostLines = (Line{1} << 31) - 1;

  /// A budget too small for seven lines keeps nothing. Memory is taken as it is used. Throws
  /// std::bad_alloc.
  explicit BlockCache(std::size_t budget_bytes);

  /// What find() returns when a line is not kept. No std::optional, which would go from function to
  /// function through memory, and a probe takes as long as a few of these.
  static constexpr std::int32_t kNotKept = -1;

  /// The byte at an offset, below kLineBytes, of a line, and at an even offset the next one as
  /// well, eight bits higher; or kNotKept.
  std::int32_t find(Line line, std::size_t offset) const;

  /// Keeps a line; bytes.size() <= kLineBytes.
  void insert(Line line, std::span<const std::byte> bytes);

  /// Asks the processor for these bytes; returns whether the line is kept.
  bool prefetch(Line line, std::size_t offset) const;

 private:
  using Word = std::uint64_t;
  static constexpr std::size_t kWays = 7;
  static constexpr std::size_t kLocks = 64;
  static constexpr std::size_t kLineWords = kLineBytes / sizeof(Word);

  /// Written while others read, so every access goes through std::atomic_ref. Apart from the
  /// lines, and one line of a processor's cache, so that these hold all sets of an ordinary budget.
  struct alignas(64) Set {
    /// From the highest bit down: whether the line was found lately (kUsed), its number plus one
    /// (31 bits, 0 for none), whether its bytes are all alike (kAlike), and the number of changes
    /// of the place (31 bits), odd while one goes on.
    Word places[kWays];
    /// By place, from the lowest byte up: the byte of a line whose bytes are all alike.
    Word bytes;
  };
  using Room = std::array<std::array<Word, kLineWords>, kWays>;  ///< for the lines of a set
  struct Free {
    void operator()(void* memory) const;
  };
  /// What the budget pays for each set.
  static constexpr std::size_t kSetBytes =
      sizeof(Set) + sizeof(Room) + sizeof(std::uint32_t) + sizeof(std::uint8_t);

  static constexpr Word kUsed = Word{1} << 63;
  static constexpr int kNumberShift = 32;
  static constexpr Word kNumber = ~kUsed >> kNumberShift << kNumberShift;
  static constexpr Word kAlike = Word{1} << 31;
  static constexpr Word kChanges = kAlike - 1;

  static Word load(Word& word, std::memory_order order) {
    return std::atomic_ref(word).load(order);
  }
  static void store(Word& word, Word value, std::memory_order order) {
    std::atomic_ref(word).store(value, order);
  }

  /// As the state of its place has it; never 0.
  static Word number_of(Line line) { return (Word{line} + 1) << kNumberShift; }
  /// With a set count that is not 0.
  std::size_t set_of(Line line) const {
    // An odd multiple near 2^32 / golden ratio spreads neighbours over all 32 bits, whose share of
    // 2^32 is the set's of all sets.
    const std::uint32_t spread = (line + 1) * 0x9E3779B1u;
    return static_cast<std::size_t>(std::uint64_t{spread} * set_count_ >> 32);
  }
  static std::size_t home_of(Line line) { return line % kWays; }
  static std::optional<std::size_t> place_of(Set& set, Line line);
  /// Of a set in whose states, loaded as an acquire, a line was seen.
  Room& room_of(std::size_t set) const {
    return rooms_[std::atomic_ref(room_numbers_[set]).load(std::memory_order_relaxed)];
  }
  std::int32_t read(Line line, std::size_t set, std::size_t place, std::size_t offset) const;
  std::int32_t find_away(Line line, std::size_t set, std::size_t offset) const;
  std::size_t place_to_take(Line line, std::size_t set);
  Room& take_room(std::size_t set);
  static void put_byte(Word& bytes, std::size_t place, std::byte byte);
  static void put_words(std::span<Word, kLineWords> words, std::span<const std::byte> bytes);

  std::size_t set_count_;
  std::unique_ptr<void, Free> memory_;
  Set* sets_ = nullptr;
  Room* rooms_ = nullptr;
  /// By set that has had a line: which of the rooms is its own, otherwise 0. They are handed
  /// out in order, so that a cache that is little used touches little memory.
  std::uint32_t* room_numbers_ = nullptr;
  std::uint8_t* hands_ = nullptr;  ///< by set: the place that is looked at next; under its lock
  std::atomic<std::uint32_t> rooms_taken_{0};
  std::unique_ptr<std::array<std::mutex, kLocks>> locks_;  ///< each for the writing of some sets
};

// Inlined, since a call takes as long as what they do, and since the shorter a probe is, the more
// of them a processor has on their way to memory at once.

[[gnu::always_inline]] inline std::int32_t BlockCache::find(Line line, std::size_t offset) const {
  if (set_count_ == 0) return kNotKept;
  const std::size_t set = set_of(line);
  // Most lines are at home. A processor that expects that reads there while it still waits for the
  // states, which is half of the time that a probe takes.
  const std::int32_t value = read(line, set, home_of(line), offset);
  return value != kNotKept ? value : find_away(line, set, offset);
}

/// kNotKept when the line is not in this place, or no longer.
[[gnu::always_inline]] inline std::int32_t BlockCache::read(Line line, std::size_t set,
                                                            std::size_t place,
                                                            std::size_t offset) const {
  // A writer makes the count of changes odd, then stores the words, each a release, then makes it
  // even. Whoever has loaded, as an acquire, what a writer stored sees its odd count, or a later
  // one, in the end. So when the state is the same before and after and its count even, all belongs
  // to one line.
  Word& state = sets_[set].places[place];
  const Word before = load(state, std::memory_order_acquire);
  if ((before & (kNumber | 1)) != number_of(line)) return kNotKept;
  const bool alike = (before & kAlike) != 0;
  Word& kept = alike ? sets_[set].bytes : room_of(set)[place][offset / sizeof(Word)];
  const Word word = load(kept, std::memory_order_acquire);
  const Word after = load(state, std::memory_order_relaxed);
  if (((before ^ after) & ~kUsed) != 0) return kNotKept;
  if ((before & kUsed) == 0) {
    // Should the place have another line by now, that one counts as found: it does no harm.
    std::atomic_ref(state).fetch_or(kUsed, std::memory_order_relaxed);
  }
  if (alike) return static_cast<std::int32_t>((word >> place * 8 & 0xFF) * 0x101);
  return static_cast<std::int32_t>(word >> offset % sizeof(Word) * 8 & 0xFFFF);
}

}  // namespace mtb
