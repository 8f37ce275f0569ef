// Modelled blocks and models: which sector and metric, then a model's content, then what is stored.
// Behind the checksums that guard them, all of it is made up.
#include <zstd.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "format/model.h"
#include "format/surroundings.h"
#include "tests/fuzz/target.h"

namespace {

using namespace mtb;

/// Sectors with nought, one, two, three and many neighbours; rows shorter and longer than a block.
constexpr std::array<Sector, 8> kSectors = {
    {{3, 0, 9, 9}, {3, 1, 0, 9}, {2, 2, 7, 7}, {3, 3}, {4, 3}, {3, 4}, {5, 4}, {6, 7}}};

const Surroundings& surroundings_of(std::size_t sector) {
  static const ClassCache classes;
  static std::array<std::unique_ptr<const Surroundings>, kSectors.size()> made;
  if (!made[sector]) {
    const SectorIndex index(kSectors[sector], default_key(kSectors[sector]), classes);
    made[sector] =
        std::make_unique<const Surroundings>(index, RuleSet{}, model::kBlockSlots, classes);
  }
  return *made[sector];
}

std::uint64_t slots_of(std::size_t sector) {
  static const ClassCache classes;
  return SectorIndex(kSectors[sector], default_key(kSectors[sector]), classes).slots();
}

/// A model is content behind a frame that random changes would not leave whole.
std::optional<model::Model> model_of(std::span<const std::byte> content, Metric metric,
                                     int neighbours) {
  std::vector<std::byte> frame(ZSTD_compressBound(content.size()));
  frame.resize(ZSTD_compress(frame.data(), frame.size(), content.data(), content.size(), 1));
  return model::Model::parse(frame, metric, neighbours);
}

/// A model with classes of which each context has one: few bytes of input, many contexts.
std::vector<std::byte> spread(std::span<const std::byte> classes, Metric metric, int neighbours,
                              std::span<const std::byte> pattern) {
  std::vector<std::byte> content;
  const auto list = [&](const auto& number_at, std::size_t count) {
    for (const unsigned shift : {0u, 8u}) {
      for (std::size_t i = 0; i < count; ++i) {
        content.push_back(static_cast<std::byte>(number_at(i) >> shift));
      }
    }
  };
  const auto byte_at = [](std::span<const std::byte> bytes, std::size_t i) {
    return bytes.empty() ? 0u : std::to_integer<unsigned>(bytes[i % bytes.size()]);
  };
  const auto wide_at = [&](std::size_t i) {
    return byte_at(classes, 2 * i) | byte_at(classes, 2 * i + 1) << 8;
  };
  const unsigned count = 1 + byte_at(pattern, 0) % 8;
  const auto class_of = [&](std::size_t i) { return byte_at(pattern, i) % count; };
  list([&](std::size_t) { return count; }, 1);
  list([&](std::size_t i) { return wide_at(i) % 20000; }, count);
  list([&](std::size_t i) { return wide_at(count + i) % 20000; }, count);
  list(class_of, model::Model::outcome_contexts(neighbours));
  if (metric == Metric::wdl) return content;
  const unsigned cap = byte_at(pattern, 1) % (model::kLargestCap + 1);
  const std::size_t ranks = count * model::DistanceOdds::kRanks;
  list([&](std::size_t) { return cap; }, 1);
  list([&](std::size_t) { return count; }, 1);
  list([&](std::size_t i) { return wide_at(i) % 2400; }, ranks);
  list([&](std::size_t i) { return wide_at(ranks + i) % 32768; }, ranks);
  list(class_of, model::Model::distance_contexts(cap));
  return content;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto input = fuzz::bytes(data, size);
  const std::size_t sector = fuzz::take(input, 1) % kSectors.size();
  const auto metric = static_cast<Metric>(fuzz::take(input, 1) % kMetrics);
  const bool is_content = fuzz::take(input, 1) % 2 == 0;
  const std::uint64_t block =
      fuzz::take(input, 2) % ((slots_of(sector) - 1) / model::kBlockSlots + 1);
  const std::size_t model_bytes = std::min<std::size_t>(fuzz::take(input, 4), input.size());
  const auto of_model = input.first(model_bytes);
  const auto stored = input.subspan(model_bytes);
  const Surroundings& surroundings = surroundings_of(sector);
  const int neighbours = surroundings.neighbours();

  std::optional<model::Model> model;
  if (is_content) {
    model = model_of(of_model, metric, neighbours);
  } else {
    const std::size_t half = of_model.size() / 2;
    model = model_of(spread(of_model.first(half), metric, neighbours, of_model.subspan(half)),
                     metric, neighbours);
  }
  if (!model) return 0;
  const Slot first = block * model::kBlockSlots;
  std::vector<Code> codes(std::min<std::uint64_t>(model::kBlockSlots, slots_of(sector) - first));
  const bool sound = model::decode(*model, surroundings, metric, first, stored, codes);
  if (sound && metric == Metric::wdl) {
    for (const Code code : codes) fuzz::demand(code <= 2);
  }
  // The same bytes give the same values.
  std::vector<Code> again(codes.size());
  fuzz::demand(model::decode(*model, surroundings, metric, first, stored, again) == sound);
  fuzz::demand(again == codes || !sound);
  return 0;
}
