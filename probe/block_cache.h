// Decoded blocks of tables, kept so that probes near each other read and decode once.
#pragma once

#include <array>
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
/// A line has one of the eight places of a set that its name chooses. When all are taken, the
/// first goes that was not found since it was last looked at.
class BlockCache {
 public:
  static constexpr std::size_t kLineBytes = 1024;
  /// Bytes that a value takes at most; values of two bytes lie at even offsets.
  static constexpr std::size_t kValueBytes = 2;
  using Value = std::array<std::byte, kValueBytes>;

  /// Names a line: a table, below 2^20, and the number of the line in it, below 2^42.
  struct Line {
    std::uint64_t table;
    std::uint64_t number;
  };

  /// A budget too small for eight lines keeps nothing. Memory is taken as it is used. Throws
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
  static constexpr std::size_t kWays = 8;
  static constexpr std::size_t kLocks = 64;
  static constexpr std::size_t kLineWords = kLineBytes / sizeof(Word);

  /// Written while others read, so every access goes through std::atomic_ref. Apart from the lines,
  /// so that the sets of an ordinary budget fit a processor's cache.
  struct alignas(64) Set {
    Word tags[kWays];       ///< by place: name of its line, 0 for none; and kUsed
    Word sequences[kWays];  ///< by place: grows with each change, odd while one goes on
  };
  using Words = std::array<Word, kLineWords>;
  struct Free {
    void operator()(void* memory) const;
  };

  Set* set_of(Word name) const;
  Words& words_of(const Set& set, std::size_t place) const {
    return lines_[static_cast<std::size_t>(&set - sets_) * kWays + place];
  }
  static std::optional<std::size_t> place_of(Set& set, Word name);
  std::size_t place_to_take(Set& set);

  std::size_t set_count_;
  std::unique_ptr<void, Free> memory_;
  Set* sets_;
  Words* lines_;         ///< kWays of each set
  std::uint8_t* hands_;  ///< by set: the place that is looked at next; guarded by the set's lock
  std::unique_ptr<std::array<std::mutex, kLocks>> locks_;  ///< each for the writing of some sets
};

}  // namespace mtb
