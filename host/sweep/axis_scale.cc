#include "host/sweep/axis_scale.hh"

#include <algorithm>
#include <cmath>

namespace crx {

AxisScale scale_of(std::vector<double> const& values)
{
    if (values.size() < 3 || !(values.front() > 0)) return AxisScale::linear;
    auto const [first, second] = std::pair(values[0], values[1]);
    double least_step = second - first, most_step = least_step;
    double least_log = std::log(second / first), most_log = least_log;
    for (std::size_t i = 2; i < values.size(); ++i) {
        double const step = values[i] - values[i - 1];
        double const log = std::log(values[i] / values[i - 1]);
        least_step = std::min(least_step, step);
        most_step = std::max(most_step, step);
        least_log = std::min(least_log, log);
        most_log = std::max(most_log, log);
    }
    bool const ratios_vary_less = most_log * least_step < most_step * least_log;
    return ratios_vary_less ? AxisScale::logarithmic : AxisScale::linear;
}

double midpoint(AxisScale scale, double low, double high)
{
    return scale == AxisScale::linear ? low + (high - low) / 2 : std::sqrt(low) * std::sqrt(high);
}

} // namespace crx
