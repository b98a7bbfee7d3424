#pragma once

#include "analysis/plot/script.hh"

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>

namespace crx::plot {

/// A picture that could not be made.
class PlotError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/// The format of a file name's extension, in small or capital letters; none for any other.
std::optional<PictureFormat> picture_format(std::filesystem::path const& file);

/// What picture_format accepts, as messages and help say it.
inline constexpr char const* picture_endings = ".svg, .pdf, .png, .eps or .tex";

/// The bytes of a picture file of a figure, drawn by gnuplot, or text for pgfplots. The same figure
/// gives the same bytes with the same gnuplot and fonts. Throws PlotError.
std::string picture(Figure const& figure, PictureFormat format);

} // namespace crx::plot
