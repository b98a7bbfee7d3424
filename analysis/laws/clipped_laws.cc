#include "analysis/laws/clipped_laws.hh"

#include "analysis/laws/tabulate.hh"
#include "kernels/base/host_device.cuh"

#include <boost/math/special_functions/erf.hpp>

namespace crx {

namespace {

Real standard_normal_below(Real const& x) { return boost::math::erfc(-x / sqrt(Real(2))) / 2; }

/// The law of a real draw X >= 0 or any sign, truncated, then clipped; below(x) is P(X < x).
template <class Below>
TabulatedLaw truncated_then_clipped(std::int32_t lower, std::int32_t upper, Below below)
{
    CRX_EXPECT(lower >= 0 && lower <= upper);
    std::vector<std::int32_t> value;
    std::vector<Real> cumulative;
    for (std::int32_t k = lower; k <= upper; ++k) {
        value.push_back(k);
        cumulative.push_back(k == upper ? Real(1) : below(Real(k + 1)));
    }
    return tabulate_cumulative(value, cumulative);
}

} // namespace

TabulatedLaw normal_law(double mean, double deviation, std::int32_t lower, std::int32_t upper)
{
    CRX_EXPECT(deviation > 0);
    return truncated_then_clipped(
        lower, upper, [&](Real const& x) { return standard_normal_below((x - mean) / deviation); });
}

TabulatedLaw exponential_law(double scale, std::int32_t lower, std::int32_t upper)
{
    CRX_EXPECT(scale > 0);
    return truncated_then_clipped(lower, upper,
                                  [&](Real const& x) { return Real(-expm1(-x / Real(scale))); });
}

TabulatedLaw mixed_prompt_law()
{
    Real const log_median = log(Real(40)), spread = Real(1) / 4;
    auto const before_remapping = [&](Real const& x) -> Real {
        return (4 * -expm1(-x / 10) + standard_normal_below((log(x) - log_median) / spread)) / 5;
    };
    Real const above = 1 - before_remapping(50);
    return truncated_then_clipped(1, 50, [&](Real const& x) -> Real {
        return before_remapping(x) + (x > 40 ? Real(above * (x - 40) / 10) : Real(0));
    });
}

} // namespace crx
