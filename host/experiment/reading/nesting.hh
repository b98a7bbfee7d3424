#pragma once

#include <string>
#include <string_view>

namespace crx {

/// Most tables and lists inside each other in a document: a dotted key makes one a part, a bracket
/// one. Experiments have five; what reads documents calls itself for each, and would run out of
/// stack.
inline constexpr int most_nested = 64;

/// Where TOML text goes deeper, "line:column"; empty where it does not. Told without reading it as
/// TOML: the reader itself would fail.
std::string place_nested_too_deep(std::string_view text);

} // namespace crx
