// Rows under titles: for people in columns, for programs as CSV or JSON.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/json.h"

namespace mtb::cli {

enum class GridFormat { text, csv, json };

/// Cells are strings, numbers, or null where there is nothing to say.
struct Grid {
  std::vector<std::string> titles;
  std::vector<std::vector<Json>> rows;  ///< a cell for each title
};

/// Adds the rate of `hits` among `trials` and the two ends of its interval; empty cells without
/// trials.
void add_rate(std::vector<Json>& row, std::uint64_t hits, std::uint64_t trials);

/// An array with an object for each row.
Json to_json(const Grid& grid);

/// Text: columns as wide as their widest cell, numbers to the right. CSV: titles first, cells with
/// commas quoted. JSON: to_json(). Ends with a line break.
std::string to_string(const Grid& grid, GridFormat format);

}  // namespace mtb::cli
