// The codes of one table: all in memory, or in their file with the blocks in use decoded.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "game/result.h"
#include "verify/index.h"
#include "verify/merit.h"
#include "verify/source.h"

namespace mtb::deep {

/// Safe for concurrent use.
class Values {
 public:
  /// Slots that are decoded at once. Content hashes are taken over as many.
  static constexpr std::uint64_t kBlockSlots = 65536;

  /// Decodes the whole table by all threads. Errors: those of reading.
  static Result<std::unique_ptr<Values>> whole(const CodeSource& source, const Geometry& geometry,
                                               const Scale& scale);
  /// Leaves the table in its file, which `source` must be able to read as long as this is used.
  /// About `cache_bytes` are taken, a block at least.
  static std::unique_ptr<Values> in_file(const CodeSource& source, const Geometry& geometry,
                                         const Scale& scale, std::uint64_t cache_bytes);
  /// Of an equal sector whose key is the mover: the same values with the key not to move, so that
  /// what the key's moves lead to lies in one row. Equivalent slots are those of their position.
  static std::unique_ptr<Values> exchanged(const Values& whole);

  /// Bytes that a slot takes in memory.
  static std::uint64_t bytes_a_slot(const Facts& facts) { return facts.largest > 255 ? 2 : 1; }

  const Geometry& geometry() const { return geometry_; }
  const Scale& scale() const { return scale_; }
  /// Of a code that may occur.
  Code largest() const { return largest_; }

  Code code(Slot slot) const;
  /// A run of codes.
  void codes(Slot first, std::span<Code> out) const;
  /// The hash of all codes (FORMAT.md, "Header"), when all have been read. Not of exchanged().
  std::uint64_t content_hash() const;
  /// The codes of a row, each as `merits` has it: one for each code up to largest().
  void row(std::uint32_t row, std::span<const Merit> merits, Merit* out) const;

  /// The first error in reading from the file. What could not be read was taken for draws: with an
  /// error, nothing that was found holds.
  std::optional<Error> failure() const;

 private:
  struct Block {
    std::vector<std::uint8_t> bytes;
    std::vector<Code> words;
    std::uint64_t hash = 0;  ///< of the codes
  };
  static constexpr std::uint32_t kAbsent = 0xFFFFFFFF;
  struct Kept {
    std::shared_ptr<const Block> block;
    std::uint64_t number = 0;
    std::uint64_t last_use = 0;
  };

  Values(const Geometry& geometry, const Scale& scale, Code largest)
      : geometry_(geometry), scale_(scale), largest_(largest) {}
  bool narrow() const { return largest_ <= 255; }
  std::shared_ptr<const Block> block(std::uint64_t number) const;
  std::shared_ptr<const Block> decode(std::uint64_t number) const;
  /// Calls visit(cells, count) for the parts of a run of slots, in order.
  template <class Visit>
  void for_each_part(Slot first, std::uint64_t count, Visit&& visit) const;

  Geometry geometry_;
  Scale scale_;
  Code largest_;
  Block whole_;
  const CodeSource* source_ = nullptr;  ///< of a table in its file
  mutable std::mutex mutex_;            // guards all below
  mutable std::vector<Kept> kept_;
  mutable std::vector<std::uint32_t> places_;  ///< in kept_ by block, or kAbsent
  mutable std::uint64_t clock_ = 0;
  mutable std::vector<std::uint64_t> hashes_;  ///< by block; 0 for one that was not read yet
  mutable std::optional<Error> failure_;
};

/// The tables of one metric by sector.
class Tables {
 public:
  void set(const Values* values) {
    places_[place(values->geometry().mover, values->geometry().opponent)] = values;
  }
  /// Null where there is none.
  const Values* find(int mover, int opponent) const { return places_[place(mover, opponent)]; }
  /// Of a position without bans in a sector that is there.
  Code code(Set mover, Set opponent) const {
    const Values& values = *find(size_of(mover), size_of(opponent));
    return values.code(values.geometry().slot(mover, opponent));
  }

 private:
  static std::size_t place(int mover, int opponent) {
    return static_cast<std::size_t>(mover * (kMostCows + 1) + opponent);
  }
  std::array<const Values*, (kMostCows + 1) * (kMostCows + 1)> places_{};
};

}  // namespace mtb::deep
