#include "analysis/bounds/law_suprema.hh"

#include "analysis/bounds/domain.hh"
#include "analysis/bounds/geometric.hh"

#include <cmath>
#include <numbers>

namespace crx::bounds {

namespace {

// Ratio at 1-q = 10^-decades.
double ratio_at(Law law, double s, double decades)
{
    constexpr auto uncut = std::int64_t{1} << 40;
    double const q = 1 - std::pow(10.0, -decades);
    return law == Law::geometric ? geometric_ratio(q, uncut, s)
                                 : linear_geometric_ratio(q, uncut, s);
}

} // namespace

LawSupremum law_supremum(Law law, double s)
{
    require(s >= 0 && s <= 50, "s", s, "in [0, 50]");
    double const limit =
        law == Law::geometric ? geometric_ratio_limit() : linear_geometric_ratio_unbounded(1);
    constexpr double most_decades = 3;
    constexpr double step = 1.0 / 64;
    double best = 0;
    double best_value = 0;
    for (double decades = step; decades <= most_decades; decades += step) {
        double const value = ratio_at(law, s, decades);
        if (value > best_value) {
            best_value = value;
            best = decades;
        }
    }
    if (limit >= best_value) return {limit, 1, true};
    double low = best - step;
    double high = best + step;
    double const ratio = 1 / std::numbers::phi;
    while (high - low > 1e-7) {
        double const left = high - ratio * (high - low);
        double const right = low + ratio * (high - low);
        if (ratio_at(law, s, left) > ratio_at(law, s, right))
            high = right;
        else
            low = left;
    }
    double const decades = (low + high) / 2;
    return {ratio_at(law, s, decades), 1 - std::pow(10.0, -decades), false};
}

} // namespace crx::bounds
