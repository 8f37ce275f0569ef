#include <cmath>
#include <iostream>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>

#include "cli/command.h"
#include "cli/json.h"
#include "cli/words.h"
#include "format/table.h"
#include "probe/rules_name.h"

namespace mtb::cli {
namespace {

struct Options {
  std::string file;
  bool json = false;
};

std::string_view packing_word(Packing packing) {
  switch (packing) {
    case Packing::base3:
      return "base3";
    case Packing::base5:
      return "base5";
    case Packing::byte:
      return "byte";
    case Packing::word:
      break;
  }
  return "word";
}

Json distance_json(std::uint32_t plies) {
  return plies == kDistanceNotStored ? Json() : Json(plies);
}

/// The header's fields in the order in which they are shown.
Json fields_of(const std::string& file, const TableHeader& header) {
  const auto& counts = header.counts;
  Json fields;
  fields["file"] = file;
  fields["format"] = kFormatVersion;
  const auto name = rule_set_name(header.rules);
  fields["rules"] = name ? Json(*name) : Json();
  fields["fingerprint"] = hexadecimal(header.fingerprint);
  fields["sector"] = to_string(header.sector);
  fields["metric"] = to_string(header.metric);
  fields["key"] = header.key == KeySide::mover ? "mover" : "opponent";
  fields["packing"] = packing_word(header.packing);
  fields["coding"] = header.coding == Coding::modelled ? "modelled" : "packed";
  fields["clock"] = to_text(header.clock);
  if (header.clock_bound != 0) fields["clock_bound"] = header.clock_bound;
  fields["slots"] = header.slots;
  fields["blocks"] = header.blocks;
  fields["positions"] = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  for (std::size_t i = 0; i < kOutcomeCount; ++i) {
    fields[std::string(to_string(static_cast<Outcome>(i)))] = counts[i];
  }
  fields["longest_win"] = distance_json(header.longest_win);
  fields["longest_loss"] = distance_json(header.longest_loss);
  fields["content_hash"] = hexadecimal(header.content_hash);
  fields["generator"] = header.generator;
  fields["bytes"] = header.file_bytes;
  fields["bits_per_slot"] =
      rounded(8 * static_cast<double>(header.file_bytes) / static_cast<double>(header.slots));
  return fields;
}

Result<Exit> run(const Options& options) {
  const ClassCache classes;
  return TableFile::open(options.file, classes).map([&](const TableFile& table) {
    const Json fields = fields_of(options.file, table.header());
    if (options.json) {
      std::cout << fields.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
      return Exit::done;
    }
    for (const auto& [key, value] : fields.items()) {
      std::cout << key << ": ";
      if (value.is_null()) {
        std::cout << '-';
      } else if (value.is_string()) {
        std::cout << value.get_ref<const std::string&>();
      } else {
        std::cout << value.dump();
      }
      std::cout << '\n';
    }
    return Exit::done;
  });
}

}  // namespace

void add_info_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("info", "Show what a table file says about itself");
  const auto options = std::make_shared<Options>();
  command->add_option("FILE", options->file, "A table file")->required();
  command->add_flag("--json", options->json, "Answer as JSON");
  command->footer("Example: mtb info tables/traditional/5v4.dtw");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace mtb::cli
