#pragma once

#include "analysis/spectrum/figures.hh"

namespace crx::spectrum {

/// Points (x, function(x)) for `count` steps of x from low to high, evenly or in equal ratios.
std::vector<FigurePoint> sampled(double low, double high, int count, bool logarithmic,
                                 std::function<double(double)> const& function);

/// Points (u, function(u)) at whole u from 1 to last only, about evenly in ln u.
std::vector<FigurePoint> sampled_whole(double last,
                                       std::function<double(std::int64_t)> const& function);

} // namespace crx::spectrum
