// Values as JSON, alike in all that the program prints.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

namespace mtb::cli {

/// Keys stay in the order in which they are set.
using Json = nlohmann::ordered_json;

template <class Value>
Json value_or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

/// To four places behind the point.
inline double rounded(double value) { return std::round(value * 1e4) / 1e4; }
inline std::optional<double> rounded(std::optional<double> value) {
  return value ? std::optional(rounded(*value)) : std::nullopt;
}

}  // namespace mtb::cli
