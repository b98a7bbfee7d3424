#pragma once

#include <string>
#include <string_view>

namespace crx::plot {

/// Enhanced text as LaTeX text: slanted pieces by \textit, subscripts and superscripts by
/// \textsubscript and \textsuperscript, Greek letters and signs of mathematics by their commands,
/// everything that means something to LaTeX escaped.
std::string tex_text(std::string_view enhanced);

} // namespace crx::plot
