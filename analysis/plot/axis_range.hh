#pragma once

#include "analysis/plot/figure.hh"

namespace crx::plot {

/// Ends of an axis as drawn.
struct Range
{
    double low = 0, high = 1;
};

/// A labelled mark of an axis.
struct Tick
{
    double at;
    std::string label; ///< enhanced text; empty: a minor mark
};

/// Range of a panel's x axis: all points and curves, with a small margin.
Range x_range(Panel const& panel);

/// Range of a panel's y axis: all points with their bars and a margin. Curves widen it by at most
/// its own length (on a logarithmic axis a factor of ten), so that a bound far away does not press
/// the measured points into a corner; what goes beyond is cut off.
Range y_range(Panel const& panel);

/// Room for labels along an axis.
struct TickRoom
{
    double length;   ///< of the axis, in ems of the labels
    bool horizontal; ///< labels stand side by side, not one above the other
};

/// Marks at round numbers inside the range: 1, 2 or 5 times a power of ten apart, on a logarithmic
/// axis at powers of ten, with numbers between them where the range is short. As many as find room.
/// If one of them is printed as a power of ten, all from 100 on and down from 0.01 are.
std::vector<Tick> ticks(Range const& range, bool logarithmic, TickRoom room);

/// A number as an axis prints it: 0.25, 40, 1000, 5 x 10^6.
std::string tick_label(double value);

} // namespace crx::plot
