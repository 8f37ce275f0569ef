// Small helpers for reading and quoting text that people wrote.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mtb {

/// The text for a message of one line: bytes that are not printable ASCII become `?`.
std::string printable(std::string_view text);

/// At most 40 bytes of the text, printable and in quotes.
std::string quoted(std::string_view text);

/// The fields between runs of blanks (space, tab, carriage return, line feed); no empty ones.
std::vector<std::string_view> split_blanks(std::string_view text);

/// The parts between separators, empty ones included; at least one part.
std::vector<std::string_view> split(std::string_view text, char separator);

/// A decimal number of digits alone, 0..`most`.
std::optional<std::uint64_t> parse_number(std::string_view text, std::uint64_t most);

}  // namespace mtb
