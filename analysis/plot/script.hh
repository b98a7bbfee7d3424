#pragma once

#include "analysis/plot/figure.hh"

namespace crx::plot {

enum class PictureFormat
{
    svg,
    pdf,
    png
};

/// The commands by which gnuplot draws a figure into `output`. The same figure gives the same text.
///
/// Contract: `output` is an absolute path without control characters (gnuplot would take a leading
/// bar for a command to run).
std::string gnuplot_script(Figure const& figure, PictureFormat format, std::string const& output);

} // namespace crx::plot
