#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace crx::plot {

// A figure as data. Every text here is gnuplot's enhanced text; text that comes from a user goes
// through escape() or typeset() of analysis/plot/enhanced_text.hh first.

/// How a line is drawn.
enum class Stroke
{
    none,
    solid,
    dashed,
    dotted,
    dash_dotted,
    long_dashed
};
inline constexpr int strokes = 6;

/// Looks of a line and its points.
struct Style
{
    int colour = 0; ///< of analysis/plot/palette.hh
    int shape = -1; ///< of analysis/plot/palette.hh; -1: no points
    Stroke stroke = Stroke::none;
    double width = 1; ///< of the line, in points of 1/72 inch

    bool operator==(Style const&) const = default;
};

/// A value with its interval, where it has one. A y that is not finite breaks the line.
struct Point
{
    double x = 0, y = 0;
    std::optional<double> low, high;
    bool partial = false; ///< not of all that it stands for: with a ring around its symbol
};

/// Measured points: drawn over the curves, with bars from low to high.
struct Series
{
    std::string label; ///< in the key; empty: not in the key
    Style style;
    std::vector<Point> points; ///< in ascending order of x
};

/// A line through closely spaced points, without bars.
struct Curve
{
    std::string label;
    Style style;
    std::vector<Point> points;
};

struct Axis
{
    std::string label;
    bool logarithmic = false;
    std::optional<double> low, high; ///< ends; chosen from the data where absent
};

struct Panel
{
    std::string title;
    Axis x, y;
    std::vector<Series> series;
    std::vector<Curve> curves;
};

struct Figure
{
    std::string title;   ///< above all panels; empty: none
    std::string caption; ///< small type below everything; empty: none
    std::vector<Panel> panels;
    int columns = 0;                  ///< panels side by side; 0: one for a single panel, else two
    std::optional<double> width = {}; ///< points of 1/72 inch; chosen by the columns where absent
    double font_size = 8; ///< points, of numbers at axes and of keys; other text in proportion
};

inline constexpr double gap = std::numeric_limits<double>::quiet_NaN(); ///< a y that breaks a line

} // namespace crx::plot
