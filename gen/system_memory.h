// What the system says about memory.
#pragma once

#include <cstdint>
#include <optional>

namespace mtb {

/// Bytes that this process can take without the system having to swap or to refuse: what is
/// available on the machine or within the control group of the process, whichever is less. Nothing
/// where the system does not say.
std::optional<std::uint64_t> available_memory();

/// Largest number of bytes that were resident at once, since the process started or since
/// reset_peak_memory(); 0 where the system does not say. Pages of mapped files are counted.
std::uint64_t peak_memory();

/// Starts the measurement of peak_memory() anew, where the system allows it.
void reset_peak_memory();

}  // namespace mtb
