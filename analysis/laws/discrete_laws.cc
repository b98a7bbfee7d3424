#include "analysis/laws/discrete_laws.hh"

#include "analysis/statistics/wide_integer.hh"
#include "kernels/base/host_device.cuh"
#include "kernels/base/integers.cuh"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace crx {

std::vector<std::int64_t> largest_remainder(std::int64_t n, std::vector<double> const& weights)
{
    CRX_EXPECT(n >= 0 && !weights.empty());
    // In 113 bits, so that equal remainders of whole weights compare equal.
    Real total = 0;
    for (double w : weights) {
        CRX_EXPECT(w >= 0);
        total += w;
    }
    CRX_EXPECT(total > 0 && isfinite(total));
    std::vector<std::int64_t> share;
    std::vector<Real> remainder; // times total
    std::int64_t given = 0;
    for (double w : weights) {
        Real const exact = n * Real(w);
        auto const whole = floor(exact / total).convert_to<std::int64_t>();
        share.push_back(whole);
        remainder.push_back(exact - whole * total);
        given += whole;
    }
    std::vector<std::size_t> order(weights.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return remainder[a] > remainder[b]; });
    for (std::size_t k = 0; given < n; ++k, ++given) ++share[order[k % order.size()]];
    CRX_ENSURE(given == n);
    return share;
}

namespace {

/// 2^64 f to the nearest integer, halves up; 0 <= f <= 1.
Unsigned128 scaled(Real const& f)
{
    Real const nearest = floor(ldexp(f, 64) + Real(0.5));
    Real const half_range = ldexp(Real(1), 63);
    if (nearest < half_range) return nearest.convert_to<std::uint64_t>();
    // In two halves: 2^64 itself is not a 64-bit number.
    return (Unsigned128{1} << 63) + Real(nearest - half_range).convert_to<std::uint64_t>();
}

} // namespace

TabulatedLaw tabulate_cumulative(std::vector<std::int32_t> const& value,
                                 std::vector<Real> const& cumulative)
{
    CRX_EXPECT(!value.empty() && value.size() == cumulative.size());
    Real const total = cumulative.back();
    CRX_EXPECT(total > 0 && isfinite(total));
    TabulatedLaw law;
    Unsigned128 before = 0;
    for (std::size_t k = 0; k < value.size(); ++k) {
        CRX_EXPECT(k == 0 || (value[k] > value[k - 1] && cumulative[k] >= cumulative[k - 1]));
        auto const threshold = scaled(cumulative[k] / total);
        if (threshold == before) continue;
        before = threshold;
        law.value.push_back(value[k]);
        auto const most = std::numeric_limits<std::uint64_t>::max();
        law.threshold.push_back(threshold > most ? most : static_cast<std::uint64_t>(threshold));
    }
    return law;
}

TabulatedLaw tabulate_masses(std::vector<std::int32_t> const& value, std::vector<Real> const& mass)
{
    std::vector<Real> cumulative;
    cumulative.reserve(mass.size());
    Real sum = 0;
    for (auto const& m : mass) {
        CRX_EXPECT(m >= 0);
        sum += m;
        cumulative.push_back(sum);
    }
    return tabulate_cumulative(value, cumulative);
}

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

LawMoments moments_of(TabulatedLaw const& law)
{
    CRX_EXPECT(!law.value.empty());
    BigInteger sum = 0, squares = 0;
    std::uint64_t below = 0;
    for (std::size_t k = 0; k < law.value.size(); ++k) {
        // The last threshold stands for 2^64.
        auto const last = k + 1 == law.value.size();
        auto const words = Unsigned128{law.threshold[k] - below} + (last ? 1 : 0);
        auto const length = static_cast<std::uint64_t>(law.value[k]);
        below = law.threshold[k];
        sum += to_big(words * length);
        squares += to_big(words * length) * length;
    }
    // Exact in 100 digits: sums are below 2^64 of words times lengths below 2^31, squared.
    BigFloat const mean = ldexp(BigFloat(sum), -64);
    return {static_cast<double>(mean),
            static_cast<double>(ldexp(BigFloat(squares), -64) - mean * mean)};
}

std::int32_t quantile_of(TabulatedLaw const& law, double p)
{
    CRX_EXPECT(!law.value.empty() && p > 0 && p <= 1);
    auto const words = p * 0x1p64;
    for (std::size_t k = 0; k + 1 < law.value.size(); ++k)
        if (static_cast<double>(law.threshold[k]) >= words) return law.value[k];
    return law.value.back();
}

} // namespace crx
