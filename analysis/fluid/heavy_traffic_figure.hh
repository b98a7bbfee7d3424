#pragma once

#include "analysis/fluid/heavy_traffic.hh"
#include "analysis/plot/figure.hh"

#include <string>

namespace crx::fluid {

struct LabelledCurve
{
    std::string label; ///< plain text
    HeavyTrafficCurve curve;
};

/// Throughput gap, latency, time to first token and peak memory against zeta T, both axes
/// logarithmic, with lines of the theorems' slopes in grey.
plot::Figure heavy_traffic_figure(std::vector<LabelledCurve> const& curves,
                                  std::string const& title);

} // namespace crx::fluid
