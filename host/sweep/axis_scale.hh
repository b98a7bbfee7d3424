#pragma once

#include <vector>

namespace crx {

enum class AxisScale
{
    linear,
    logarithmic
};

/// How an axis is spaced: logarithmic if all values are positive and the ratios of neighbours vary
/// less (largest over smallest, of their logarithms) than their differences do. With fewer than
/// three values there is nothing to compare, and it is linear. Values ascend, none twice.
AxisScale scale_of(std::vector<double> const& values);

/// Arithmetic or geometric mean of two neighbours.
double midpoint(AxisScale scale, double low, double high);

} // namespace crx
