#pragma once

#include "analysis/plot/picture_file.hh"

#include <filesystem>

namespace crx {

/// Draws a figure into a file, in the format of the file's extension (plot::picture_format, which
/// the caller has checked). The file is whole or as it was (write_file). Throws plot::PlotError
/// naming the file, and what write_file throws.
void draw_into(plot::Figure const& figure, std::filesystem::path const& file);

/// The same in this format, whatever the file's extension.
void draw_into(plot::Figure const& figure, std::filesystem::path const& file,
               plot::PictureFormat format);

} // namespace crx
