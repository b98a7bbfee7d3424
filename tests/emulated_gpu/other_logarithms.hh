#pragma once

#include <cstdint>

namespace emulated {

/// Logarithms of kernels so far that were not the host's.
std::int64_t logarithms_changed();

} // namespace emulated
