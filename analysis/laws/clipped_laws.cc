#include "analysis/laws/clipped_laws.hh"

#include "analysis/laws/discrete_laws.hh"
#include "kernels/base/host_device.cuh"

#include <array>
#include <boost/math/special_functions/erf.hpp>
#include <numeric>

namespace crx {

namespace {

using Three = std::array<Real, 3>;

/// log 1 .. log n.
std::vector<Real> logarithms(std::int32_t n)
{
    std::vector<Real> out;
    for (std::int32_t k = 1; k <= n; ++k) out.push_back(log(Real(k)));
    return out;
}

/// The three equations at some parameters and their derivatives.
struct Equations
{
    Three miss;                 ///< relative for mean and variance; zero at the fit
    std::array<Three, 3> slope; ///< slope[i][j]: of miss[i] by parameter j
    Real size;                  ///< largest |miss|
};

/// P(k) = w_k / sum w, so the derivative of an average E[f] by a parameter is the covariance of f
/// with the derivative of log w_k.
Equations evaluate(GeneralisedGamma const& at, LengthFigures const& figures,
                   std::vector<Real> const& log_k)
{
    Real total = 0;
    Three average{}; // of k, k^2 and the indicator of the lower half
    Three by{};      // of the derivatives of log w
    std::array<Three, 3> both{};
    for (std::int32_t k = 1; k <= figures.largest; ++k) {
        Real const distance = log_k[k - 1] - at.log_scale;
        Real const power = exp(at.power * distance);
        Real const w = exp((at.shape - 1) * log_k[k - 1] - power);
        Three const f{Real(k), Real(k) * k,
                      k < figures.median ? Real(1) : Real(k == figures.median ? 0.5 : 0)};
        Three const d{log_k[k - 1], at.power * power, -distance * power};
        total += w;
        for (int i = 0; i < 3; ++i) {
            average[i] += w * f[i];
            by[i] += w * d[i];
            for (int j = 0; j < 3; ++j) both[i][j] += w * f[i] * d[j];
        }
    }
    for (int i = 0; i < 3; ++i) {
        average[i] /= total;
        by[i] /= total;
    }
    Equations out;
    Real const mean = figures.mean, variance = figures.variance;
    out.miss = {average[0] / mean - 1, (average[1] - average[0] * average[0]) / variance - 1,
                average[2] - Real(0.5)};
    for (int j = 0; j < 3; ++j) {
        Three slope;
        for (int i = 0; i < 3; ++i) slope[i] = both[i][j] / total - average[i] * by[j];
        out.slope[0][j] = slope[0] / mean;
        out.slope[1][j] = (slope[1] - 2 * average[0] * slope[0]) / variance;
        out.slope[2][j] = slope[2];
    }
    out.size = 0;
    for (auto const& miss : out.miss)
        if (!(abs(miss) <= out.size)) out.size = abs(miss);
    return out;
}

/// Solves slope step = -miss by Cramer's rule; none where the slopes do not determine a step.
std::optional<Three> newton_step(Equations const& at)
{
    auto const determinant = [](std::array<Three, 3> const& m) -> Real {
        return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
               m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
               m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    };
    Real const whole = determinant(at.slope);
    if (!isfinite(whole) || whole == 0) return std::nullopt;
    Three step;
    for (int j = 0; j < 3; ++j) {
        auto replaced = at.slope;
        for (int i = 0; i < 3; ++i) replaced[i][j] = -at.miss[i];
        step[j] = determinant(replaced) / whole;
    }
    return step;
}

} // namespace

TabulatedLaw generalised_gamma_law(GeneralisedGamma const& parameters, std::int32_t largest)
{
    CRX_EXPECT(parameters.power > 0 && largest >= 1);
    std::vector<std::int32_t> value(static_cast<std::size_t>(largest));
    std::iota(value.begin(), value.end(), 1);
    std::vector<Real> mass;
    for (auto const& log_k : logarithms(largest))
        mass.push_back(exp((parameters.shape - 1) * log_k -
                           exp(parameters.power * (log_k - parameters.log_scale))));
    return tabulate_masses(value, mass);
}

std::optional<GeneralisedGamma> fit_generalised_gamma(LengthFigures const& figures,
                                                      FitStart const& start)
{
    CRX_EXPECT(figures.median >= 1 && figures.median <= figures.largest && figures.variance > 0);
    CRX_EXPECT(start.scale > 0 && start.power > 0);
    auto const log_k = logarithms(figures.largest);
    GeneralisedGamma at{start.shape, log(Real(start.scale)), start.power};
    auto here = evaluate(at, figures, log_k);
    Real const converged = ldexp(Real(1), -90);
    for (int round = 0; round < 100 && here.size > converged; ++round) {
        auto const step = newton_step(here);
        if (!step) return std::nullopt;
        Real fraction = 1;
        for (; fraction > ldexp(Real(1), -16); fraction /= 2) {
            GeneralisedGamma const next{at.shape + fraction * (*step)[0],
                                        at.log_scale + fraction * (*step)[1],
                                        at.power + fraction * (*step)[2]};
            if (!(next.power > 0)) continue;
            auto const there = evaluate(next, figures, log_k);
            if (!(there.size < here.size)) continue;
            at = next;
            here = there;
            break;
        }
        if (fraction <= ldexp(Real(1), -16)) return std::nullopt;
    }
    if (!(here.size <= converged)) return std::nullopt;
    return at;
}

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
