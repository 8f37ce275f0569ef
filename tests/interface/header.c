/* mtb.h must be plain C: this is compiled as C99 and as C11. What C makes of it is compared with
 * what C++ does. */
#include "probe/mtb.h"

size_t mtb_test_sizes(size_t* sizes);

size_t mtb_test_sizes(size_t* sizes) {
  sizes[0] = sizeof(mtb_status);
  sizes[1] = sizeof(mtb_message);
  sizes[2] = sizeof(mtb_table);
  sizes[3] = sizeof(mtb_options);
  sizes[4] = sizeof(mtb_report);
  sizes[5] = sizeof(mtb_refusal);
  sizes[6] = sizeof(mtb_file_info);
  sizes[7] = sizeof(mtb_position);
  sizes[8] = sizeof(mtb_turn);
  sizes[9] = sizeof(mtb_value);
  sizes[10] = sizeof(mtb_ranked_turn);
  return 11;
}
