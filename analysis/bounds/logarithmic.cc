#include "analysis/bounds/logarithmic.hh"

#include "analysis/bounds/domain.hh"

#include <cmath>
#include <numbers>

namespace crx::bounds {

double harmonic_number(std::int64_t u)
{
    require(u >= 1, "u", static_cast<double>(u), "an integer, at least 1");
    if (u < 64) {
        double sum = 0;
        for (auto k = u; k >= 1; --k) sum += 1 / static_cast<double>(k);
        return sum;
    }
    // The next term, 1/(240 u^8), is below 1e-16 relative from u = 64 on.
    double const n = static_cast<double>(u);
    double const square = n * n;
    return std::log(n) + std::numbers::egamma + 1 / (2 * n) - 1 / (12 * square) +
           1 / (120 * square * square) - 1 / (252 * square * square * square);
}

double figure_1_fit(double u)
{
    require(u >= 1 && std::isfinite(u), "u", u, "a finite number, at least 1");
    return 0.2555 * std::log(u + 0.2793) + 1.1587;
}

double logarithmic_bound(double alpha)
{
    require(alpha > 0 && alpha <= 1, "alpha", alpha, "in (0, 1]");
    return 1.25 + std::log(1 / alpha) / 4;
}

} // namespace crx::bounds
