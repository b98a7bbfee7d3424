#include "analysis/spectrum/proven_bounds.hh"

#include "analysis/bounds/domain.hh"
#include "analysis/bounds/logarithmic.hh"

#include <cmath>
#include <numbers>

namespace crx::spectrum {

namespace {

// 1 + 1/3 + ... + 1/(2n-1).
double odd_sum(std::int64_t n)
{
    // H_2n - H_n is ln 2 - 1/(4n) from there on, and 2n may have no place in 64 bits.
    if (n >= std::int64_t{1} << 53) return bounds::harmonic_number(n) / 2 + std::numbers::ln2;
    return bounds::harmonic_number(2 * n) - bounds::harmonic_number(n) / 2;
}

} // namespace

double odd_harmonic(Problem const& problem)
{
    return problem.l == 1 ? odd_sum(problem.u) : 1 + (odd_sum(problem.u) - odd_sum(problem.l));
}

ProvenBounds proven_bounds(Problem const& problem)
{
    bounds::require(problem.s == 0, "s", problem.s, "0 (the bound is proven there only)");
    double const sum = odd_harmonic(problem);
    double const upper = 0.75 + sum / 2;
    return {problem.l == 1 ? upper - 1 / (4 * sum) : 1, upper};
}

double asymptotic_rho(double u)
{
    bounds::require(u >= 1 && std::isfinite(u), "u", u, "a finite number, at least 1");
    constexpr double pi = std::numbers::pi;
    double const doubled = std::log(u) + std::numbers::egamma + std::log(4.0);
    return 0.75 + doubled / 4 - pi * pi / 24 / doubled;
}

} // namespace crx::spectrum
