// What the check of a table finds, in counts and in words, and which slots it is to look at.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "verify/deep.h"
#include "verify/index.h"
#include "verify/merit.h"
#include "verify/source.h"

namespace mtb::deep {

/// `5v4.dtw`.
std::string table_name(int mover, int opponent, Metric metric);

/// Of an outcome as a wdl code; any code may be asked.
std::string describe_outcome(Code code);

/// The position of a slot, the mover being White.
std::string notation(const Geometry::Sets& sets);

/// Rows to go through: all, or those of some slots; none when a sample is wanted.
std::vector<std::uint32_t> rows_wanted(const Geometry& geometry, const Wanted& wanted);

/// The slots of a sample, in ascending order; none when no sample is wanted.
std::vector<Slot> slots_sampled(const Geometry& geometry, const Wanted& wanted);

/// Counts and faults of one thread, and of all.
class Findings {
 public:
  /// No code exceeds `largest`.
  Findings(std::size_t most_faults, Code largest)
      : most_(most_faults), counts_(std::size_t{largest} + 1) {}

  /// A slot whose code is `stored`, and which stands for so many placements.
  void count(Code stored, std::uint64_t placements) {
    Count& count = counts_[stored];
    ++count.slots;
    count.placements += placements;
  }
  /// Describes the fault by make(), if there is room for it.
  template <class Make>
  void fault(Make&& make) {
    ++faults_;
    if (first_.size() < most_) first_.push_back(make());
  }
  /// Slots of a thread come in ascending order, so what it dropped is above all that it kept.
  void add(Findings&& other);

  /// What of a table's header is not so, all of its slots being counted: its counts or its longest
  /// distances. Empty when all is well.
  std::string contradiction(const Facts& facts) const;

  /// Counts, faults and their descriptions, which are gone from here then.
  void enter(const Facts& facts, TableReport& report);

 private:
  struct Count {
    std::uint64_t slots = 0;
    std::uint64_t placements = 0;
  };

  std::size_t most_;
  std::vector<Count> counts_;  ///< by code
  std::uint64_t faults_ = 0;
  std::vector<FaultySlot> first_;
};

}  // namespace mtb::deep
