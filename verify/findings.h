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

namespace mtb::deep {

/// `5v4.dtw`.
std::string table_name(int mover, int opponent, Metric metric);

/// Place in the counts of an outcome as a wdl code.
constexpr std::size_t place_of(Code outcome) {
  constexpr std::array<std::size_t, 5> places = {2, 0, 4, 1, 3};
  return places[outcome];
}

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
  explicit Findings(std::size_t most_faults) : most_(most_faults) {}

  void count(std::size_t outcome, std::uint64_t weight) {
    ++outcomes_[outcome];
    placements_[outcome] += weight;
  }
  /// Describes the fault by make(), if there is room for it.
  template <class Make>
  void fault(Make&& make) {
    ++faults_;
    if (first_.size() < most_) first_.push_back(make());
  }
  /// Slots of a thread come in ascending order, so what it dropped is above all that it kept.
  void add(Findings&& other);

  const std::array<std::uint64_t, 5>& placements() const { return placements_; }
  /// Counts, faults and their descriptions, which are gone from here then.
  void enter(TableReport& report);

 private:
  std::size_t most_;
  std::array<std::uint64_t, 5> outcomes_{};
  std::array<std::uint64_t, 5> placements_{};
  std::uint64_t faults_ = 0;
  std::vector<FaultySlot> first_;
};

}  // namespace mtb::deep
