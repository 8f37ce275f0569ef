// Modelled blocks: each value is coded with odds that depend on the values around it (FORMAT.md,
// "Modelled blocks"). For the reader and the writer of this folder only.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "format/surroundings.h"
#include "format/values.h"

namespace mtb::model {

inline constexpr std::uint32_t kBlockSlots = 4096;

/// Odds are shares of 2^15.
inline constexpr int kOddsBits = 15;
inline constexpr std::uint32_t kOddsTotal = 1u << kOddsBits;

/// A state of the coder is below 2^32 and, between symbols, not below this.
inline constexpr std::uint32_t kStateFloor = 1u << 16;

/// The last half distance that is told apart from larger ones as a neighbour's.
inline constexpr unsigned kLargestCap = 63;

/// Half the distance of a decided code; the other bit is the outcome's.
constexpr unsigned half(Code code) { return code >> 1; }

/// Outcomes as symbols: as wdl codes, draw 0, win 1, loss 2.
constexpr Code code_of(unsigned outcome, unsigned half) {
  return static_cast<Code>(2 * half + (outcome == 2 ? 1 : 0));
}

/// Where the shares of draws and of wins end, those of losses being the rest.
struct OutcomeOdds {
  std::uint16_t draws_end = 0;
  std::uint16_t wins_end = 0;
};

/// The likeliest half distances and their shares; rank kRanks stands for all others.
struct DistanceOdds {
  static constexpr unsigned kRanks = 15;
  /// The last place of the share of each rank, behind a -1.
  std::array<std::int16_t, kRanks + 2> last{};
  std::array<std::uint16_t, kRanks> halves{};
};

/// The odds of a table and the contexts in which they hold.
struct Model {
  /// Numbers of contexts.
  static std::uint32_t outcome_contexts(int neighbours);
  static std::uint32_t distance_contexts(unsigned cap);

  /// Reads and checks the model of a table, as stored; nothing when it is not one.
  static std::optional<Model> parse(std::span<const std::byte> stored, Metric metric,
                                    int neighbours);

  unsigned cap = 0;                     ///< at most kLargestCap; half distances above are as this
  std::vector<OutcomeOdds> outcomes;    ///< by context
  std::vector<DistanceOdds> distances;  ///< classes of odds; none in wdl tables
  std::vector<std::uint16_t> distance_classes;  ///< by context
};

/// Largest number of bytes that a block of so many slots takes.
constexpr std::size_t largest_stored(std::size_t slots) { return 8 + 6 * slots; }

/// Decodes a block; codes.size() <= kBlockSlots. False when `stored` is not such a block.
bool decode(const Model& model, const Surroundings& surroundings, Metric metric, Slot first,
            std::span<const std::byte> stored, std::span<Code> codes);

/// The order of events that decoder and encoder share. A coder can be copied and has
///   unsigned outcome(std::size_t i, std::uint32_t context)
///   void expect(std::uint32_t context), told in advance that one of four contexts will be asked
///   for unsigned half(std::size_t i, unsigned outcome, std::uint32_t context)
/// of which the others say the outcome and the half distance of slot i of the block, from the
/// stored bytes or because they know. All outcomes come first.
template <int kNeighbours, class Coder>
class Walk {
 public:
  Walk(const Surroundings& surroundings, Slot first, std::size_t slots, Coder& coder)
      : surroundings_(surroundings),
        slots_(slots),
        column_(static_cast<std::uint32_t>(first % surroundings.columns())),
        coder_(coder) {
    surroundings.fill_hints(first, std::span(room_->hints).first(slots));
  }

  /// With distances when `cap` is given.
  void run(std::optional<unsigned> cap) {
    outcomes(cap.has_value());
    if (cap) halves(*cap);
  }

  /// The codes that follow from what the coder said.
  void fill(std::span<Code> codes, bool distances) const {
    if (!distances) {
      std::copy_n(room_->outcomes.begin() + kBlockSlots, slots_, codes.begin());
      return;
    }
    std::fill(codes.begin(), codes.end(), dtw_code::draw());
    for (std::size_t n = 0; n < decided_count_; ++n) {
      const Decided& slot = room_->decided[n];
      codes[slot.slot] = code_of(slot.outcome, slot.half);
    }
  }

 private:
  /// Slots before the block are there, without a value.
  using Bytes = std::array<std::uint8_t, 2 * std::size_t{kBlockSlots}>;
  static constexpr std::uint8_t kNoOutcome = 3;
  static constexpr std::uint8_t kNoHalf = kLargestCap + 1;

  struct Decided {
    std::uint16_t slot;
    std::uint8_t outcome;
    std::uint16_t half;
    std::uint32_t column;
  };
  struct Room {
    Bytes outcomes;
    Bytes weights;                ///< of the outcome in a context
    std::array<Bytes, 2> halves;  ///< of wins, of losses; up to the cap
    std::array<std::uint8_t, kBlockSlots> hints;
    std::array<Decided, kBlockSlots> decided;
  };

  [[gnu::noinline]] void outcomes(bool list_decided) {
    // The nearest neighbour, one slot before, is told apart; of the others only the outcomes are
    // counted. So all but the last step towards the odds can be taken before it is decoded.
    constexpr std::uint32_t kBase = std::max(kNeighbours, 1);
    static constexpr std::array<std::uint8_t, 3> kWeights = {1, kBase, kBase * kBase};
    const std::size_t used = kBlockSlots + slots_;
    std::fill_n(room_->outcomes.begin(), used, kNoOutcome);
    std::fill_n(room_->weights.begin(), used, std::uint8_t{0});
    const std::uint32_t columns = surroundings_.columns();
    std::uint8_t* const outcomes = room_->outcomes.data() + kBlockSlots;
    const std::uint8_t* const above = outcomes - (columns < kBlockSlots ? columns : 0);
    std::uint8_t* const weights = room_->weights.data() + kBlockSlots;
    const std::uint8_t* const hints = room_->hints.data();
    Decided* decided = room_->decided.data();
    std::uint32_t column = column_;
    unsigned outcome = kNoOutcome;
    Coder coder = coder_;  // a copy, so that its state can stay in registers
    for (std::size_t i = 0; i < slots_;) {
      const std::int16_t* step = surroundings_.steps(column);
      const std::size_t row_end = std::min<std::size_t>(slots_, i + columns - column);
      for (; i < row_end; ++i, ++column, step += kNeighbours) {
        std::uint32_t context =
            (above[i] * Surroundings::kHints + hints[i]) * (kBase * kBase * kBase);
        const std::uint8_t* const here = weights + i;
        for (int k = 1; k < kNeighbours; ++k) context += here[step[k]];
        coder.expect(4 * context);
        unsigned nearest = kNoOutcome;
        if constexpr (kNeighbours > 0)
          nearest = outcome | kNoOutcome * static_cast<unsigned>(step[0] + 1);
        outcome = coder.outcome(i, 4 * context + nearest);
        outcomes[i] = static_cast<std::uint8_t>(outcome);
        weights[i] = kWeights[outcome];
        if (list_decided) {
          *decided = {static_cast<std::uint16_t>(i), static_cast<std::uint8_t>(outcome), 0, column};
          decided += outcome != 0 ? 1 : 0;
        }
      }
      column = 0;
    }
    coder_ = coder;
    decided_count_ = static_cast<std::size_t>(decided - room_->decided.data());
  }

  [[gnu::noinline]] void halves(unsigned cap) {
    // One bit each, so that many are looked through at once.
    static constexpr auto kBits = [] {
      std::array<std::uint64_t, kNoHalf + 1> bits{};
      for (unsigned i = 0; i < kNoHalf; ++i) bits[i] = std::uint64_t{1} << i;
      return bits;
    }();
    for (Bytes& bytes : room_->halves) std::fill_n(bytes.begin(), kBlockSlots + slots_, kNoHalf);
    const std::uint32_t pairs = (cap + 1) * (cap + 2) / 2 + 1;
    Coder coder = coder_;
    // Four slots that are far from each other in turn, so that one need not wait for the other.
    const std::size_t quarter = (decided_count_ + 3) / 4;
    for (std::size_t n = 0; n < 4 * quarter; ++n) {
      const std::size_t place = n % 4 * quarter + n / 4;
      if (place >= decided_count_) continue;
      Decided& slot = room_->decided[place];
      const unsigned side = slot.outcome - 1u;
      std::uint8_t* const here = room_->halves[side].data() + kBlockSlots + slot.slot;
      const std::int16_t* const step = surroundings_.steps(slot.column);
      std::uint64_t found = 0;
      for (int k = 0; k < kNeighbours; ++k) found |= kBits[here[step[k]]];
      std::uint32_t pair = 0;
      if (found != 0) {
        const auto least = static_cast<std::uint32_t>(std::countr_zero(found));
        const auto most = static_cast<std::uint32_t>(std::bit_width(found)) - 1;
        pair = 1 + most * (most + 1) / 2 + least;
      }
      const std::uint32_t context =
          (side * Surroundings::kHints + room_->hints[slot.slot]) * pairs + pair;
      const unsigned half = coder.half(slot.slot, slot.outcome, context);
      slot.half = static_cast<std::uint16_t>(half);
      *here = static_cast<std::uint8_t>(std::min(half, cap));
    }
    coder_ = coder;
  }

  const Surroundings& surroundings_;
  std::size_t slots_;
  std::uint32_t column_;  ///< of the first slot
  Coder& coder_;
  std::size_t decided_count_ = 0;
  std::unique_ptr<Room> room_ = std::make_unique_for_overwrite<Room>();
};

/// Calls `visit` with a Walk that fits the surroundings.
template <class Coder, class Visit>
void walk(const Surroundings& surroundings, Slot first, std::size_t slots, Coder& coder,
          const Visit& visit) {
  static_assert(Surroundings::kMaxNeighbours == 6);
  switch (surroundings.neighbours()) {
    case 0:
      return visit(Walk<0, Coder>(surroundings, first, slots, coder));
    case 1:
      return visit(Walk<1, Coder>(surroundings, first, slots, coder));
    case 2:
      return visit(Walk<2, Coder>(surroundings, first, slots, coder));
    case 3:
      return visit(Walk<3, Coder>(surroundings, first, slots, coder));
    case 4:
      return visit(Walk<4, Coder>(surroundings, first, slots, coder));
    case 5:
      return visit(Walk<5, Coder>(surroundings, first, slots, coder));
    default:
      return visit(Walk<6, Coder>(surroundings, first, slots, coder));
  }
}

}  // namespace mtb::model
