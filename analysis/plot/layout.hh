#pragma once

#include "analysis/plot/axis_range.hh"
#include "analysis/plot/key.hh"

namespace crx::plot {

// Where everything of a figure stands. Lengths are points of 1/72 inch at printed size, x to the
// right and y downwards from the upper left corner.

enum class Align
{
    left,
    center,
    right
};

struct PlacedText
{
    std::string text; ///< enhanced
    double x, y;      ///< of its middle line
    double size;
    Align align = Align::center;
    bool bold = false;
    bool upright = false; ///< turned by 90 degrees, read from below
};

/// A panel's frame and scales.
struct PlacedPanel
{
    double left, top, width, height; ///< of the frame
    Range x, y;
    std::vector<Tick> x_ticks, y_ticks;
};

/// A key with its upper left corner.
struct PlacedKey
{
    Key key;
    double left, top;
};

struct Layout
{
    double width = 0, height = 0;
    double scale = 1;                ///< of all text against the sizes that a figure has by default
    std::vector<PlacedPanel> panels; ///< in the figure's order
    std::vector<PlacedText> texts;
    std::vector<PlacedKey> keys;
};

/// Lays a figure out at its width; without one at that of a printed page (520 points), or 360 for
/// panels one below the other. Frames keep their shape. No text runs into another: long titles and
/// captions are set in several lines.
Layout lay_out(Figure const& figure);

} // namespace crx::plot
