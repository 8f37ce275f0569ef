#include "format/model.h"

#include <zstd.h>

#include <algorithm>
#include <cstring>

#include "format/layout.h"

namespace mtb::model {
namespace {

std::uint32_t u16_at(const std::byte* bytes) {
  return std::to_integer<std::uint32_t>(bytes[0]) | std::to_integer<std::uint32_t>(bytes[1]) << 8;
}

/// Takes numbers off the front of the model's content; after an attempt to take too much, fails
/// for good.
class Content {
 public:
  explicit Content(std::span<const std::byte> bytes) : bytes_(bytes) {}

  /// Numbers of two bytes: all low bytes, then all high bytes.
  std::vector<std::uint16_t> numbers(std::size_t count) {
    if (failed_ || bytes_.size() < 2 * count) {
      failed_ = true;
      return {};
    }
    std::vector<std::uint16_t> result(count);
    for (std::size_t i = 0; i < count; ++i) {
      result[i] = static_cast<std::uint16_t>(std::to_integer<unsigned>(bytes_[i]) |
                                             std::to_integer<unsigned>(bytes_[count + i]) << 8);
    }
    bytes_ = bytes_.subspan(2 * count);
    return result;
  }
  unsigned number() {
    const auto one = numbers(1);
    return one.empty() ? 0 : one[0];
  }
  bool failed() const { return failed_; }
  bool at_end() const { return !failed_ && bytes_.empty(); }

 private:
  std::span<const std::byte> bytes_;
  bool failed_ = false;
};

bool all_below(std::span<const std::uint16_t> numbers, std::size_t limit) {
  return std::all_of(numbers.begin(), numbers.end(), [&](std::uint16_t n) { return n < limit; });
}

bool read_outcomes(Content& content, std::uint32_t contexts, Model& model) {
  const std::size_t count = content.number();
  const auto draws = content.numbers(count);
  const auto wins = content.numbers(count);
  const auto classes = content.numbers(contexts);
  if (content.failed() || !all_below(classes, count)) return false;
  for (std::size_t i = 0; i < count; ++i) {
    if (draws[i] + std::uint32_t{wins[i]} > kOddsTotal) return false;
  }
  model.outcomes.resize(contexts);
  for (std::size_t i = 0; i < contexts; ++i) {
    const std::size_t c = classes[i];
    model.outcomes[i] = {draws[c], static_cast<std::uint16_t>(draws[c] + wins[c])};
  }
  return true;
}

bool read_distances(Content& content, Model& model) {
  model.cap = content.number();
  const std::size_t count = content.number();
  if (model.cap > kLargestCap) return false;
  const std::uint32_t contexts = Model::distance_contexts(model.cap);
  const auto shares = content.numbers(count * DistanceOdds::kRanks);
  const auto halves = content.numbers(count * DistanceOdds::kRanks);
  model.distance_classes = content.numbers(contexts);
  if (content.failed() || !all_below(model.distance_classes, count)) return false;
  if (!all_below(halves, kOddsTotal)) return false;
  model.distances.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    DistanceOdds& odds = model.distances[i];
    std::uint32_t end = 0;
    odds.last[0] = -1;
    for (std::size_t rank = 0; rank < DistanceOdds::kRanks; ++rank) {
      end += shares[i * DistanceOdds::kRanks + rank];
      if (end > kOddsTotal) return false;
      odds.last[rank + 1] = static_cast<std::int16_t>(static_cast<int>(end) - 1);
      odds.halves[rank] = halves[i * DistanceOdds::kRanks + rank];
    }
    odds.last.back() = static_cast<std::int16_t>(kOddsTotal - 1);
  }
  return true;
}

/// The rank whose share a place is in: the number of ranks that end before, counted side by side.
[[gnu::always_inline]] inline std::size_t rank_of(const DistanceOdds& odds, std::int16_t place) {
  using Eight = std::int16_t __attribute__((vector_size(16)));
  Eight low;
  Eight high;
  std::memcpy(&low, &odds.last[1], sizeof(low));
  std::memcpy(&high, &odds.last[9], sizeof(high));
  const Eight passed = -((low < place) + (high < place));  // a comparison that holds is -1
  std::array<std::uint64_t, 2> quarters{};
  std::memcpy(quarters.data(), &passed, sizeof(passed));
  return static_cast<std::size_t>((quarters[0] + quarters[1]) * 0x0001000100010001 >> 48);
}

/// Reads symbols off a block. The two states take turns.
class Decoder {
 public:
  Decoder(const Model& model, std::span<const std::byte> stored)
      : outcomes_(model.outcomes.data()),
        distances_(model.distances.data()),
        classes_(model.distance_classes.data()),
        next_(stored.data() + 8),
        end_(stored.data() + stored.size()),
        state_(u16_at(stored.data()) | u16_at(stored.data() + 2) << 16),
        other_(u16_at(stored.data() + 4) | u16_at(stored.data() + 6) << 16) {
    // States below the floor are none that a writer makes; from there on they stay above.
    failed_ = state_ < kStateFloor || other_ < kStateFloor;
  }

  [[gnu::always_inline]] void expect(std::uint32_t context) {
    __builtin_prefetch(outcomes_ + context);
  }

  [[gnu::always_inline]] unsigned outcome(std::size_t /*slot*/, std::uint32_t context) {
    const OutcomeOdds odds = outcomes_[context];
    const std::uint32_t place = state_ & (kOddsTotal - 1);
    const bool decided = place >= odds.draws_end;
    const bool lost = place >= odds.wins_end;
    const std::uint32_t begin = lost ? odds.wins_end : decided ? odds.draws_end : 0;
    const std::uint32_t end = lost ? kOddsTotal : decided ? odds.wins_end : odds.draws_end;
    take(begin, end - begin);
    return (decided ? 1u : 0u) + (lost ? 1u : 0u);
  }

  [[gnu::always_inline]] unsigned half(std::size_t /*slot*/, unsigned outcome,
                                       std::uint32_t context) {
    const DistanceOdds& odds = distances_[classes_[context]];
    const std::size_t rank = rank_of(odds, static_cast<std::int16_t>(state_ & (kOddsTotal - 1)));
    const int before = odds.last[rank];
    take(static_cast<std::uint32_t>(before + 1),
         static_cast<std::uint32_t>(odds.last[rank + 1] - before));
    unsigned half = 0;
    if (rank < DistanceOdds::kRanks) {
      half = odds.halves[rank];
    } else {
      half = state_ & (kOddsTotal - 1);
      take(half, 1);
    }
    largest_ = std::max(largest_, half);
    // A win takes a ply at least.
    failed_ |= half == 0 && outcome == 1;
    return half;
  }

  /// Whether what was read is a whole block.
  bool sound() const {
    return !failed_ && next_ == end_ && state_ == kStateFloor && other_ == kStateFloor;
  }
  unsigned largest_half() const { return largest_; }

 private:
  [[gnu::always_inline]] void take(std::uint32_t begin, std::uint32_t share) {
    std::uint32_t state = share * (state_ >> kOddsBits) + (state_ & (kOddsTotal - 1)) - begin;
    if (state < kStateFloor) {
      if (next_ == end_) {
        failed_ = true;
        state = kStateFloor;
      } else {
        state = state << 16 | u16_at(next_);
        next_ += 2;
      }
    }
    state_ = other_;
    other_ = state;
  }

  const OutcomeOdds* outcomes_;
  const DistanceOdds* distances_;
  const std::uint16_t* classes_;
  const std::byte* next_;
  const std::byte* end_;
  std::uint32_t state_;
  std::uint32_t other_;
  unsigned largest_ = 0;
  bool failed_;
};

}  // namespace

std::uint32_t Model::outcome_contexts(int neighbours) {
  const auto base = static_cast<std::uint32_t>(std::max(neighbours, 1));
  return 4 * Surroundings::kHints * (base * base * base) * 4;
}

std::uint32_t Model::distance_contexts(unsigned cap) {
  return 2 * Surroundings::kHints * ((cap + 1) * (cap + 2) / 2 + 1);
}

std::optional<Model> Model::parse(std::span<const std::byte> stored, Metric metric,
                                  int neighbours) {
  // No model is larger: a class for each context at most.
  constexpr unsigned long long kMaxContent = 1u << 24;
  const unsigned long long size = ZSTD_getFrameContentSize(stored.data(), stored.size());
  if (size > kMaxContent) return std::nullopt;
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  if (!layout::decompress(stored, bytes)) return std::nullopt;
  Content content(bytes);
  Model model;
  if (!read_outcomes(content, outcome_contexts(neighbours), model)) return std::nullopt;
  if (metric != Metric::wdl && !read_distances(content, model)) return std::nullopt;
  if (!content.at_end()) return std::nullopt;
  return model;
}

bool decode(const Model& model, const Surroundings& surroundings, Metric metric, Slot first,
            std::span<const std::byte> stored, std::span<Code> codes) {
  if (stored.size() < 8 || stored.size() % 2 != 0) return false;
  Decoder decoder(model, stored);
  std::optional<unsigned> cap;
  if (metric != Metric::wdl) cap = model.cap;
  walk(surroundings, first, codes.size(), decoder, [&](auto block) {
    block.run(cap);
    block.fill(codes, cap.has_value());
  });
  return decoder.sound();
}

}  // namespace mtb::model
