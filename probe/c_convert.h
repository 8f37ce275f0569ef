// Between the plain values of the C interface (mtb.h) and those of the library.
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <limits>
#include <new>
#include <optional>
#include <string_view>

#include "format/table.h"
#include "game/outcome.h"
#include "game/position.h"
#include "game/result.h"
#include "game/sector.h"
#include "game/turns.h"
#include "probe/evaluation.h"
#include "probe/mtb.h"

namespace mtb::c {

// ---- Statuses and messages

/// Copies a text into a field, cut between characters where it is too long. Allocates nothing.
template <std::size_t kSize>
void copy_text(char (&field)[kSize], std::string_view text) {
  std::size_t length = std::min(text.size(), kSize - 1);
  // Bytes 10xxxxxx go on with a character of UTF-8.
  while (length < text.size() && length > 0 && (text[length] & 0xC0) == 0x80) --length;
  text.copy(field, length);
  field[length] = '\0';
}

/// Each says what is wrong, in `text` or in the status's sentence, and returns the status.
mtb_status failed(mtb_message* message, mtb_status status, std::string_view text);
mtb_status failed(mtb_message* message, mtb_status status);
/// `bad_input` is the status of the fault of that name: what the caller gave differs.
mtb_status failed(mtb_message* message, const Error& error, mtb_status bad_input);
mtb_status null_argument(mtb_message* message);

mtb_status status_of(Fault fault, mtb_status bad_input);

/// Does the work of a function of the interface: what it throws becomes a status.
template <class Work>
mtb_status guarded(mtb_message* message, Work work) noexcept {
  if (message != nullptr) message->text[0] = '\0';
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return failed(message, MTB_OUT_OF_MEMORY);
  } catch (const std::exception& error) {
    return failed(message, MTB_INTERNAL, error.what());
  } catch (...) {
    return failed(message, MTB_INTERNAL);
  }
}

/// How many elements an array has at most.
template <class Element>
constexpr std::size_t most_of() {
  return static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max()) / sizeof(Element);
}

/// Writes what fits of some list. `write(i)` gives the i-th of its elements.
template <class Element, class Write>
mtb_status fill(Element* elements, std::size_t capacity, std::size_t* count, std::size_t size,
                Write write, mtb_message* message) {
  for (std::size_t i = 0; i < std::min(capacity, size); ++i) elements[i] = write(i);
  *count = size;
  return size > capacity ? failed(message, MTB_TOO_SMALL) : MTB_OK;
}

// ---- Values

constexpr mtb_value kUnknown = {MTB_UNKNOWN, -1, -1, MTB_CLOCK_NONE};

int to_c(Outcome outcome);
int to_c(ClockUse clock);
mtb_value to_c(const Evaluation& value);
mtb_sector to_c(Sector sector);
mtb_position to_c(const Position& position);
mtb_turn to_c(const Turn& turn);

/// Nothing when there is no such metric.
std::optional<Metric> metric_of(mtb_metric metric);

/// What no position can be, or a null pointer. Allocates nothing.
const char* convert(const mtb_position& from, Position& to);

/// Nothing when it is no turn in any position.
std::optional<Turn> convert(const mtb_turn& from);

}  // namespace mtb::c
