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
  using Value = std::array<std::byte, kValueBytes>;

  /// Names a line, below kMostLines.
  using Line = std::uint32_t;
  static constexpr Line kMostLines = (Line{1} << 31) - 1;

  /// A budget too small for seven lines keeps nothing. Memory is taken as it is used. Throws
  /// std::bad_alloc.
  explicit BlockCache(std::size_t budget_bytes);

  /// The byte at an offset, below kLineBytes, of a line, and at an even offset the next one as
  /// well. Nothing when the line is not kept.
  std::optional<Value> find(Line line, std::size_t offset) const;

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

  std::size_t set_of(Line line) const;
  static std::size_t home_of(Line line) { return line % kWays; }
  static std::optional<std::size_t> place_of(Set& set, Line line);
  Room& room_of(std::size_t set) const;
  std::optional<Value> read(Line line, std::size_t set, std::size_t place,
                            std::size_t offset) const;
  std::size_t place_to_take(Line line, std::size_t set);
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

}  // namespace mtb
