// Making models and modelled blocks. For the writer of this folder only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "format/model.h"

namespace mtb::model {

/// Counts what occurs in which context.
class Statistics {
 public:
  /// `largest_code` of all that will be counted.
  Statistics(Metric metric, int neighbours, Code largest_code);

  /// Counts the codes of slots first, first + 1, ...; at most kBlockSlots.
  void add(const Surroundings& surroundings, Slot first, std::span<const Code> codes);
  void add(const Statistics& other);

  /// The content of a model that suits what was counted, not yet compressed.
  std::vector<std::byte> make_content() const;

 private:
  friend struct Counter;

  bool distances_;
  unsigned cap_;
  std::size_t bins_;                     ///< of half distances; larger ones are in the last
  std::vector<std::uint32_t> outcomes_;  ///< by context, then outcome
  std::vector<std::uint32_t> halves_;    ///< by context, then bin
};

/// Room for the symbols of a block.
class Encoder {
 public:
  /// The block's bytes, as decode() reads them; codes that the model's statistics counted.
  /// Valid until the next call.
  std::span<const std::byte> encode(const Model& model, const Surroundings& surroundings,
                                    Metric metric, Slot first, std::span<const Code> codes);

 private:
  friend struct Recorder;

  struct Symbol {
    std::uint32_t begin;
    std::uint32_t share;
  };
  std::vector<Symbol> symbols_;
  std::vector<std::uint16_t> words_;
  std::vector<std::byte> bytes_;
};

}  // namespace mtb::model
