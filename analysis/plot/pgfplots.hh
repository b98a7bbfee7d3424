#pragma once

#include "analysis/plot/figure.hh"

namespace crx::plot {

/// A figure as LaTeX that the package pgfplots draws: a `tikzpicture` for \input, with the data in
/// it, whose first lines say what the preamble needs. Colours, symbols and lines are those of the
/// other formats; the document's fonts set the text. The caption is a comment. The same figure
/// gives the same text.
std::string pgfplots_text(Figure const& figure);

} // namespace crx::plot
