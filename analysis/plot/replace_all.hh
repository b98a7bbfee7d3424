#pragma once

#include <string>
#include <string_view>

namespace crx::plot {

/// Puts `to` in place of every `from` that does not overlap an earlier one; `from` is not empty.
inline void replace_all(std::string& text, std::string_view from, std::string_view to)
{
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

} // namespace crx::plot
