// The one place where the deep verifier meets the rest of the project: it takes the rules and the
// codes out of table files.
#pragma once

#include <memory>

#include "format/table.h"
#include "verify/rules.h"
#include "verify/source.h"

namespace mtb::deep {

/// The rules that the values of a table are under.
Rules rules_of(const TableFile& table);

/// The table must outlive what is made of it. Sectors with cows in hand are not supported, see
/// has_hands().
std::unique_ptr<CodeSource> source_of(const TableFile& table);

bool has_hands(const TableFile& table);

}  // namespace mtb::deep
