#include "format/model_writer.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace mtb::model {
namespace {

/// Half distances above are not counted one by one.
constexpr unsigned kLargestCounted = 254;

/// What it takes to store odds, roughly: a class, and each share in it. In 1/256 bit.
constexpr std::uint64_t kClassCost = 24 * 256;
constexpr std::uint64_t kShareCost = 20 * 256;

unsigned outcome_of(Metric metric, Code code) {
  if (metric == Metric::wdl) return code;
  return wdl_code::of(dtw_code::outcome(code));
}

/// 256 log2(x) for x > 0, in integers, so that every machine decides alike.
std::uint32_t log2_256(std::uint32_t x) {
  const auto whole = static_cast<std::uint32_t>(std::bit_width(x)) - 1;
  std::uint64_t mantissa = std::uint64_t{x} << 32 >> whole;  // 1 to 2, with 32 binary places
  std::uint32_t result = whole;
  for (int i = 0; i < 8; ++i) {
    mantissa = (mantissa >> 1) * (mantissa >> 1) >> 30;
    const std::uint32_t bit = mantissa >> 33 != 0 ? 1 : 0;
    mantissa >>= bit;
    result = 2 * result + bit;
  }
  return result;
}

std::uint64_t cost(std::uint64_t count, std::uint32_t share) {
  return count == 0 ? 0 : count * (kOddsBits * 256 - log2_256(share));
}

/// Shares of kOddsTotal in proportion to counts; at least 1 for what occurs. At most 16 counts, not
/// all of them 0.
std::vector<std::uint32_t> shares_of(std::span<const std::uint64_t> counts) {
  const std::uint64_t total = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  std::vector<std::uint32_t> shares;
  std::uint32_t sum = 0;
  for (const std::uint64_t count : counts) {
    const auto share = static_cast<std::uint32_t>(count * kOddsTotal / total);
    shares.push_back(count != 0 && share == 0 ? 1 : share);
    sum += shares.back();
  }
  // The largest share takes what rounding left over or took too much.
  *std::max_element(shares.begin(), shares.end()) += kOddsTotal - sum;
  return shares;
}

/// Counts of what occurs, and the odds that fit them best.
class OutcomeClass {
 public:
  explicit OutcomeClass(std::span<const std::uint64_t, 3> counts) : shares_(shares_of(counts)) {}

  std::uint64_t cost_of(std::span<const std::uint64_t, 3> counts) const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) sum += cost(counts[i], shares_[i]);
    return sum;
  }
  std::uint16_t draws() const { return static_cast<std::uint16_t>(shares_[0]); }
  std::uint16_t wins() const { return static_cast<std::uint16_t>(shares_[1]); }

 private:
  std::vector<std::uint32_t> shares_;
};

class DistanceClass {
 public:
  /// The last of the counts is of all half distances from there on.
  explicit DistanceClass(std::span<const std::uint64_t> counts) {
    std::vector<std::uint16_t> halves;
    for (std::size_t half = 0; half + 1 < counts.size(); ++half) {
      if (counts[half] != 0) halves.push_back(static_cast<std::uint16_t>(half));
    }
    std::stable_sort(halves.begin(), halves.end(),
                     [&](auto a, auto b) { return counts[a] > counts[b]; });
    if (halves.size() > DistanceOdds::kRanks) halves.resize(DistanceOdds::kRanks);
    std::vector<std::uint64_t> ranked;
    std::uint64_t others = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    for (const std::uint16_t half : halves) {
      ranked.push_back(counts[half]);
      others -= counts[half];
    }
    ranked.push_back(others);
    const auto shares = shares_of(ranked);
    std::copy(halves.begin(), halves.end(), halves_.begin());
    std::copy(shares.begin(), shares.end() - 1, shares_.begin());
    ranks_ = halves.size();
    share_of_others_ = shares.back();
  }

  std::uint64_t cost_of(std::span<const std::uint64_t> counts) const {
    std::uint64_t others = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    std::uint64_t sum = 0;
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
      sum += cost(counts[halves_[rank]], shares_[rank]);
      others -= counts[halves_[rank]];
    }
    return sum + cost(others, share_of_others_) + others * kOddsBits * 256;
  }
  std::uint64_t cost_to_store() const { return kClassCost + ranks_ * kShareCost; }
  std::span<const std::uint32_t> shares() const { return shares_; }
  std::span<const std::uint16_t> halves() const { return halves_; }

 private:
  std::array<std::uint32_t, DistanceOdds::kRanks> shares_{};
  std::array<std::uint16_t, DistanceOdds::kRanks> halves_{};
  std::size_t ranks_ = 0;
  std::uint32_t share_of_others_ = 0;
};

/// The content of a model, as Content in model.cpp reads it.
class ContentWriter {
 public:
  void numbers(std::span<const std::uint16_t> numbers) {
    for (const std::uint16_t n : numbers) bytes_.push_back(static_cast<std::byte>(n & 0xFF));
    for (const std::uint16_t n : numbers) bytes_.push_back(static_cast<std::byte>(n >> 8));
  }
  void number(std::size_t n) {
    const auto narrow = static_cast<std::uint16_t>(n);
    numbers(std::span(&narrow, 1));
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

bool any(std::span<const std::uint64_t> counts) {
  return std::any_of(counts.begin(), counts.end(), [](std::uint64_t n) { return n != 0; });
}

void add_to(std::vector<std::uint64_t>& sum, std::span<const std::uint32_t> counts) {
  sum.resize(std::max(sum.size(), counts.size()));
  for (std::size_t i = 0; i < counts.size(); ++i) sum[i] += counts[i];
}

std::vector<std::uint64_t> wide(std::span<const std::uint32_t> counts) {
  return {counts.begin(), counts.end()};
}

/// A class for each hint, and one for each context that is worth it.
void write_outcomes(std::span<const std::uint32_t> counts, std::uint32_t contexts,
                    ContentWriter& content) {
  const std::uint32_t contexts_of_hint = contexts / (4 * Surroundings::kHints);
  const auto hint_of = [&](std::uint32_t context) {
    return context / contexts_of_hint % Surroundings::kHints;
  };
  std::array<std::vector<std::uint64_t>, Surroundings::kHints> of_hint;
  for (std::uint32_t context = 0; context < contexts; ++context) {
    add_to(of_hint[hint_of(context)], counts.subspan(3 * std::size_t{context}, 3));
  }
  std::vector<std::uint16_t> draws;
  std::vector<std::uint16_t> wins;
  const auto store = [&](const OutcomeClass& odds) {
    draws.push_back(odds.draws());
    wins.push_back(odds.wins());
    return draws.size() - 1;
  };
  struct Stored {
    OutcomeClass odds;
    std::size_t number;
  };
  std::array<std::optional<Stored>, Surroundings::kHints> common;
  for (std::size_t hint = 0; hint < of_hint.size(); ++hint) {
    if (!any(of_hint[hint])) continue;
    const OutcomeClass odds(std::span(of_hint[hint]).first<3>());
    common[hint] = Stored{odds, store(odds)};
  }
  std::vector<std::uint16_t> classes(contexts);
  for (std::uint32_t context = 0; context < contexts; ++context) {
    const auto here = wide(counts.subspan(3 * std::size_t{context}, 3));
    if (!any(here)) continue;
    const auto exact = std::span(here).first<3>();
    const Stored& shared = *common[hint_of(context)];
    const OutcomeClass own(exact);
    const bool worth =
        own.cost_of(exact) + kClassCost + 2 * kShareCost < shared.odds.cost_of(exact);
    classes[context] = static_cast<std::uint16_t>(worth ? store(own) : shared.number);
  }
  content.number(draws.size());
  content.numbers(draws);
  content.numbers(wins);
  content.numbers(classes);
}

/// Classes of half distances: one for each outcome; for each outcome with a given largest
/// neighbour, or without, and for each context, where it is worth it.
void write_distances(std::span<const std::uint32_t> counts, unsigned cap, std::size_t bins,
                     ContentWriter& content) {
  const std::uint32_t contexts = Model::distance_contexts(cap);
  const std::uint32_t pairs = contexts / (2 * Surroundings::kHints);
  std::vector<std::uint32_t> most_of(pairs);  // 0 without a neighbour, otherwise 1 + the largest
  for (std::uint32_t pair = 1, most = 1, left = 1; pair < pairs; ++pair) {
    most_of[pair] = most;
    if (--left == 0) left = ++most;
  }
  const auto side_of = [&](std::uint32_t context) {
    return context / (Surroundings::kHints * pairs);
  };
  const auto group_of = [&](std::uint32_t context) {
    return side_of(context) * (cap + 2) + most_of[context % pairs];
  };
  const auto counts_of = [&](std::uint32_t context) {
    return counts.subspan(context * bins, bins);
  };

  std::array<std::vector<std::uint64_t>, 2> of_side;
  std::vector<std::vector<std::uint64_t>> of_group(2 * (std::size_t{cap} + 2));
  for (std::uint32_t context = 0; context < contexts; ++context) {
    add_to(of_side[side_of(context)], counts_of(context));
    add_to(of_group[group_of(context)], counts_of(context));
  }

  std::vector<std::uint16_t> shares;
  std::vector<std::uint16_t> halves;
  std::size_t count = 0;
  struct Stored {
    DistanceClass odds;
    std::size_t number;
  };
  const auto store = [&](const DistanceClass& odds) {
    for (const std::uint32_t share : odds.shares()) {
      shares.push_back(static_cast<std::uint16_t>(share));
    }
    halves.insert(halves.end(), odds.halves().begin(), odds.halves().end());
    return Stored{odds, count++};
  };
  // Two bytes number the classes; no table is known to come near.
  constexpr std::size_t kMostClasses = 60000;
  const auto own_or = [&](const Stored& shared, std::span<const std::uint64_t> here) {
    const DistanceClass own(here);
    const bool worth =
        count < kMostClasses && own.cost_of(here) + own.cost_to_store() < shared.odds.cost_of(here);
    return worth ? store(own) : shared;
  };
  std::array<std::optional<Stored>, 2> for_side;
  for (std::size_t side = 0; side < of_side.size(); ++side) {
    if (any(of_side[side])) for_side[side] = store(DistanceClass(of_side[side]));
  }
  std::vector<std::optional<Stored>> for_group(of_group.size());
  for (std::size_t group = 0; group < of_group.size(); ++group) {
    if (any(of_group[group])) {
      for_group[group] = own_or(*for_side[group / (std::size_t{cap} + 2)], of_group[group]);
    }
  }
  std::vector<std::uint16_t> classes(contexts);
  for (std::uint32_t context = 0; context < contexts; ++context) {
    const auto here = wide(counts_of(context));
    if (!any(here)) continue;
    classes[context] =
        static_cast<std::uint16_t>(own_or(*for_group[group_of(context)], here).number);
  }
  if (count == 0) {  // nothing is decided, but every context has a class
    shares.resize(DistanceOdds::kRanks);
    halves.resize(DistanceOdds::kRanks);
    count = 1;
  }
  content.number(cap);
  content.number(count);
  content.numbers(shares);
  content.numbers(halves);
  content.numbers(classes);
}

}  // namespace

Statistics::Statistics(Metric metric, int neighbours, Code largest_code)
    : distances_(metric != Metric::wdl),
      cap_(std::min(half(largest_code), kLargestCap)),
      bins_(std::min(half(largest_code), kLargestCounted) + 2u),
      outcomes_(3 * std::size_t{Model::outcome_contexts(neighbours)}) {
  if (distances_) halves_.resize(bins_ * Model::distance_contexts(cap_));
}

/// A coder that knows the codes and counts them.
struct Counter {
  Statistics* statistics;
  Metric metric;
  std::span<const Code> codes;

  void expect(std::uint32_t /*context*/) {}
  unsigned outcome(std::size_t i, std::uint32_t context) {
    const unsigned outcome = outcome_of(metric, codes[i]);
    ++statistics->outcomes_[3 * std::size_t{context} + outcome];
    return outcome;
  }
  unsigned half(std::size_t i, unsigned /*outcome*/, std::uint32_t context) {
    const unsigned half = model::half(codes[i]);
    ++statistics->halves_[context * statistics->bins_ +
                          std::min<std::size_t>(half, statistics->bins_ - 1)];
    return half;
  }
};

void Statistics::add(const Surroundings& surroundings, Slot first, std::span<const Code> codes) {
  Counter counter{this, distances_ ? Metric::dtw : Metric::wdl, codes};
  std::optional<unsigned> cap;
  if (distances_) cap = cap_;
  walk(surroundings, first, codes.size(), counter, [&](auto block) { block.run(cap); });
}

void Statistics::add(const Statistics& other) {
  for (std::size_t i = 0; i < outcomes_.size(); ++i) outcomes_[i] += other.outcomes_[i];
  for (std::size_t i = 0; i < halves_.size(); ++i) halves_[i] += other.halves_[i];
}

std::vector<std::byte> Statistics::make_content() const {
  ContentWriter content;
  write_outcomes(outcomes_, static_cast<std::uint32_t>(outcomes_.size() / 3), content);
  if (distances_) write_distances(halves_, cap_, bins_, content);
  return content.take();
}

/// A coder that knows the codes and lists what to encode.
struct Recorder {
  Encoder* encoder;
  const Model* model;
  Metric metric;
  std::span<const Code> codes;

  void add(std::uint32_t begin, std::uint32_t end) {
    encoder->symbols_.push_back({begin, end - begin});
  }
  void expect(std::uint32_t /*context*/) {}
  unsigned outcome(std::size_t i, std::uint32_t context) {
    const unsigned outcome = outcome_of(metric, codes[i]);
    const OutcomeOdds odds = model->outcomes[context];
    add(outcome == 0   ? 0
        : outcome == 1 ? odds.draws_end
                       : odds.wins_end,
        outcome == 0   ? odds.draws_end
        : outcome == 1 ? odds.wins_end
                       : kOddsTotal);
    return outcome;
  }
  unsigned half(std::size_t i, unsigned /*outcome*/, std::uint32_t context) {
    const unsigned half = model::half(codes[i]);
    const DistanceOdds& odds = model->distances[model->distance_classes[context]];
    const auto end_of = [&](std::size_t rank) {
      return static_cast<std::uint32_t>(odds.last[rank + 1] + 1);
    };
    for (std::size_t rank = 0; rank < DistanceOdds::kRanks; ++rank) {
      const std::uint32_t begin = rank == 0 ? 0 : end_of(rank - 1);
      if (odds.halves[rank] == half && end_of(rank) > begin) {
        add(begin, end_of(rank));
        return half;
      }
    }
    add(end_of(DistanceOdds::kRanks - 1), kOddsTotal);
    add(half, half + 1);
    return half;
  }
};

std::span<const std::byte> Encoder::encode(const Model& model, const Surroundings& surroundings,
                                           Metric metric, Slot first, std::span<const Code> codes) {
  symbols_.clear();
  Recorder recorder{this, &model, metric, codes};
  std::optional<unsigned> cap;
  if (metric != Metric::wdl) cap = model.cap;
  walk(surroundings, first, codes.size(), recorder, [&](auto block) { block.run(cap); });

  // Backwards, so that the decoder goes forwards. It begins with the first state.
  words_.clear();
  std::array<std::uint64_t, 2> states = {kStateFloor, kStateFloor};
  for (std::size_t i = symbols_.size(); i-- > 0;) {
    const Symbol symbol = symbols_[i];
    std::uint64_t& state = states[i % 2];
    if (state >= std::uint64_t{symbol.share} << (32 - kOddsBits)) {
      words_.push_back(static_cast<std::uint16_t>(state & 0xFFFF));
      state >>= 16;
    }
    state = (state / symbol.share << kOddsBits) + state % symbol.share + symbol.begin;
  }
  // Where the number of symbols is odd, the decoder ends with the states exchanged, which are
  // alike.
  bytes_.clear();
  const auto put = [&](std::uint64_t number, int count) {
    for (int i = 0; i < count; ++i)
      bytes_.push_back(static_cast<std::byte>(number >> 8 * i & 0xFF));
  };
  put(states[0], 4);
  put(states[1], 4);
  for (std::size_t i = words_.size(); i-- > 0;) put(words_[i], 2);
  return bytes_;
}

}  // namespace mtb::model
