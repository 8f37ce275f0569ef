// Where the tables are that ship with the program.
#pragma once

#include <filesystem>
#include <string_view>

namespace mtb::tests {

inline std::filesystem::path shipped_tables(std::string_view rules) {
  return std::filesystem::path(MTB_DATA_DIR) / "tables" / rules;
}

}  // namespace mtb::tests
