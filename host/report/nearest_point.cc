#include "host/report/nearest_point.hh"

#include "host/plot/curve_guides.hh"
#include "host/plot/curve_look.hh"
#include "kernels/policies/policy_info.hh"

namespace crx::report {

std::optional<NearestPoint> nearest_point(PanelSource const& source, std::string const& curve)
{
    auto const about = curve_look(curve).policy;
    if (!about || source.measure == Measure::argmax || !is_ratio(source.measure) ||
        !failed_hypotheses(source, curve).empty())
        return std::nullopt;
    std::vector<SeriesOrigin> origins;
    auto const series = panel_series(source, &origins);
    std::optional<NearestPoint> nearest;
    for (std::size_t i = 0; i < series.size(); ++i) {
        auto const* policy = find_policy(source.policies[origins[i].policy].id);
        if (policy == nullptr || policy->curves_of != *about) continue;
        for (std::size_t k = 0; k < series[i].points.size(); ++k) {
            auto const* cell = origins[i].cells[k];
            auto const bound = curve_value(source, curve, *cell);
            // Where a bound is 1, as at alpha = 1, every schedule meets it.
            if (!bound || *bound <= 1 || !std::isfinite(series[i].points[k].y)) continue;
            NearestPoint const here{cell, origins[i].policy, series[i].points[k], *bound};
            if (!nearest || here.margin() < nearest->margin()) nearest = here;
        }
    }
    return nearest;
}

} // namespace crx::report
