#pragma once

#include "analysis/plot/script.hh"

#include <filesystem>
#include <stdexcept>

namespace crx::plot {

/// A picture that could not be made; nothing was left behind, and a file of that name is as it was.
class PlotError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/// The format of a file name's extension, in small or capital letters; none for any other.
std::optional<PictureFormat> picture_format(std::filesystem::path const& file);

/// Draws a figure into a file by gnuplot. The picture is made beside the file and moved into its
/// place when it is whole. The same figure gives the same bytes with the same gnuplot and fonts.
///
/// Contract: picture_format(file) is one. Throws PlotError.
void draw(Figure const& figure, std::filesystem::path const& file);

} // namespace crx::plot
