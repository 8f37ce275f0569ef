#include "format/values.h"

#include <array>
#include <string>

#include "game/text.h"

namespace mtb {
namespace {

constexpr std::array<std::string_view, 3> kMetricNames = {"wdl", "dtw", "dtc"};

}  // namespace

std::string_view to_string(Metric metric) { return kMetricNames[static_cast<std::size_t>(metric)]; }

Result<Metric> parse_metric(std::string_view text) {
  for (std::size_t i = 0; i < kMetricNames.size(); ++i) {
    if (text == kMetricNames[i]) return static_cast<Metric>(i);
  }
  return fail(Fault::bad_input, "metric " + quoted(text) + " is not one of wdl, dtw, dtc");
}

}  // namespace mtb
