#pragma once

#include "analysis/plot/figure.hh"

namespace crx::plot {

enum class PictureFormat
{
    svg,
    pdf,
    png,
    eps,
    tex ///< pgfplots; not by gnuplot
};

/// The commands by which gnuplot draws a figure onto its standard output. The same figure gives the
/// same text. Contract: the format is not tex.
std::string gnuplot_script(Figure const& figure, PictureFormat format);

} // namespace crx::plot
