#pragma once

#include <string_view>
#include <vector>

namespace crx {

/// The engines that the CUDA side can launch: for a test. Only where the program is built with
/// CUDA, or for the emulated GPU.
std::vector<std::string_view> card_launch_names();

} // namespace crx
