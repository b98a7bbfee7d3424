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

/// What lies behind the curves, for the caption.
struct CurveFacts
{
    std::uint64_t seed = 0;
    std::int64_t paths = 0;   ///< of each curve
    std::size_t fit_from = 0; ///< number of the first point that the exponents are of
    double confidence = 0.95;
};

/// Throughput gap, latency, time to first token and peak memory against zeta T, both axes
/// logarithmic, with lines of the theorems' slopes in grey. The caption names curves that lie on
/// one another.
///
/// Contract: at least one curve, all of the same horizons.
plot::Figure heavy_traffic_figure(std::vector<LabelledCurve> const& curves,
                                  std::string const& title, CurveFacts const& facts);

} // namespace crx::fluid
