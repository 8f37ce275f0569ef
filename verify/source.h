// A table as the deep verifier sees it: what its header says, and its codes in order.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "game/result.h"
#include "verify/board.h"
#include "verify/merit.h"

namespace mtb::deep {

/// A position of a table with its slot and code, as the writer had them.
struct Canary {
  Set mover = 0;
  Set opponent = 0;
  std::uint64_t slot = 0;
  Code code = 0;
};

/// What a table says of itself.
struct Facts {
  std::string name;  ///< for messages
  int mover = 0;
  int opponent = 0;
  Metric metric = Metric::wdl;
  bool key_is_mover = true;
  bool clock_applied = false;
  std::uint32_t bound = 0;
  Code largest = 0;  ///< that the packing of the table can hold
  std::uint64_t slots = 0;
  /// Placements by outcome: win, clock win, draw, clock loss, loss.
  std::array<std::uint64_t, 5> placements{};
  /// Plies, where codes are distances; 0 when there is none.
  std::uint32_t longest_win = 0;
  std::uint32_t longest_loss = 0;
  std::uint64_t content_hash = 0;
  std::array<Canary, 4> canaries{};
};

class CodeSource {
 public:
  virtual ~CodeSource() = default;
  virtual const Facts& facts() const = 0;
  /// The codes from slot `first` on. Safe for concurrent use.
  virtual Result<void> read(std::uint64_t first, std::span<Code> codes) const = 0;
};

}  // namespace mtb::deep
