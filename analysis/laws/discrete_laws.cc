#include "analysis/laws/discrete_laws.hh"

#include "analysis/laws/tabulate.hh"
#include "kernels/base/host_device.cuh"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace crx {

namespace {

std::vector<std::int32_t> integers(std::int32_t first, std::int32_t last)
{
    std::vector<std::int32_t> value(static_cast<std::size_t>(last - first) + 1);
    std::iota(value.begin(), value.end(), first);
    return value;
}

} // namespace

TabulatedLaw two_point_law(std::int32_t lower, std::int32_t upper, double w)
{
    CRX_EXPECT(lower <= upper && w >= 0 && w <= 1);
    if (lower == upper) return tabulate_masses({lower}, {Real(1)});
    return tabulate_masses({lower, upper}, {Real(w), 1 - Real(w)});
}

TabulatedLaw geometric_law(double q, std::int32_t upper)
{
    CRX_EXPECT(q >= 0 && q <= 1 && upper >= 1);
    std::vector<Real> mass;
    Real power = 1;
    for (std::int32_t k = 1; k <= upper; ++k, power *= q) mass.push_back(power);
    return tabulate_masses(integers(1, upper), mass);
}

TabulatedLaw linear_geometric_law(double q, std::int32_t upper)
{
    CRX_EXPECT(q >= 0 && q <= 1 && upper >= 1);
    std::vector<Real> mass;
    Real power = 1;
    for (std::int32_t k = 1; k <= upper; ++k, power *= q) mass.push_back(k * power);
    return tabulate_masses(integers(1, upper), mass);
}

TabulatedLaw uniform_law(std::int32_t lower, std::int32_t upper)
{
    CRX_EXPECT(lower <= upper);
    auto const value = integers(lower, upper);
    return tabulate_masses(value, std::vector<Real>(value.size(), Real(1)));
}

TabulatedLaw binomial_law(std::int32_t trials, double probability, std::int32_t shift)
{
    CRX_EXPECT(trials >= 0 && probability >= 0 && probability <= 1);
    Real const p = probability, q = 1 - p;
    // Relative to the mode's mass, outwards from it: (1 - p)^trials alone may underflow.
    auto const mode = std::min<std::int64_t>(
        trials, static_cast<std::int64_t>((static_cast<double>(trials) + 1) * probability));
    std::vector<Real> mass(static_cast<std::size_t>(trials) + 1, Real(0));
    mass[static_cast<std::size_t>(mode)] = 1;
    for (auto k = mode; k < trials && p < 1; ++k)
        mass[k + 1] = mass[k] * (trials - k) * p / ((k + 1) * q);
    for (auto k = mode; k > 0 && p > 0; --k) mass[k - 1] = mass[k] * k * q / ((trials - k + 1) * p);
    return tabulate_masses(integers(shift, shift + trials), mass);
}

TabulatedLaw poisson_law(double rate)
{
    CRX_EXPECT(rate > 0 && rate <= 1e6);
    // From the mode outwards, until what is left out is far below 2^-64.
    auto const mode = static_cast<std::int32_t>(rate);
    auto const last = mode + 60 + static_cast<std::int32_t>(14 * std::sqrt(rate));
    Real const lambda = rate;
    std::vector<Real> mass(static_cast<std::size_t>(last) + 1, Real(0));
    mass[static_cast<std::size_t>(mode)] = 1;
    for (auto k = mode; k < last; ++k) mass[k + 1] = mass[k] * lambda / (k + 1);
    for (auto k = mode; k > 0; --k) mass[k - 1] = mass[k] * k / lambda;
    return tabulate_masses(integers(0, last), mass);
}

} // namespace crx
