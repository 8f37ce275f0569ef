// mtb.hpp must do with C++17 and without exceptions.
#include "probe/mtb.hpp"

#include <vector>

mtb_status mtb_test_face();

mtb_status mtb_test_face() {
  const auto tables = mtb::Tables::open("");
  const auto ranked = tables->rank(mtb_position{});
  return ranked ? tables->probe_batch({mtb_position{}}).front().status : tables.status;
}
