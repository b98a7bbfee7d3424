#pragma once

#include <cstddef>
#include <string_view>

namespace crx {

/// Whether the CUDA side can launch the engine of this name, and how many it can: for a test. Only
/// where the program is built with CUDA, or for the emulated card.
bool has_card_launch(std::string_view engine);
std::size_t card_launch_count();

} // namespace crx
