#include "analysis/fluid/overflow_bound.hh"

#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <fmt/core.h>
#include <limits>
#include <stdexcept>

namespace crx::fluid {

double decay_rate(std::int64_t before, std::int64_t n, double p)
{
    auto const b = static_cast<double>(before), m = static_cast<double>(n);
    if (!(p > 0 && p <= 1))
        throw std::domain_error(fmt::format("p = {} is not accepted: must be in (0, 1]", p));
    if (n >= before) return std::numeric_limits<double>::infinity(); // p = 1 too: nobody leaves
    if (!(m > b * p))
        throw std::domain_error(fmt::format(
            "no bound: threshold {} must exceed p times the one before, {:.6g}", n, b * p));
    auto const bound = decay_rate_lower_bound(before, n, p);
    // Where n exceeds p times `before` by rounding alone, the equation has no root that rounding
    // leaves to be found; the bound is on the safe side of it.
    if (m - b * p <= 8 * std::numeric_limits<double>::epsilon() * b) return bound;
    // log of (16) over theta's sign change; theta + log(p + (1-p) e^-theta) does not overflow.
    auto const g = [&](double theta) {
        return -m * theta + b * (theta + std::log1p((1 - p) * std::expm1(-theta)));
    };
    auto low = bound, high = 2 * low;
    while (g(high) <= 0) high *= 2;
    while (g(low) >= 0) low /= 2; // where rounding puts the bound past the root
    std::uintmax_t steps = 200;
    auto const bracket = boost::math::tools::toms748_solve(
        g, low, high, boost::math::tools::eps_tolerance<double>(50), steps);
    return (bracket.first + bracket.second) / 2;
}

double decay_rate_lower_bound(std::int64_t before, std::int64_t n, double p)
{
    auto const b = static_cast<double>(before);
    return 8 * (static_cast<double>(n) - b * p) / b;
}

MemoryBound memory_bound(NestedLoad const& load, std::vector<std::int64_t> const& thresholds,
                         double horizon, double delta)
{
    MemoryBound bound{};
    bound.batch = static_cast<double>(nested_batch_tokens(load.prompt, load.ends, thresholds));
    bound.iterations =
        std::ceil(horizon / (load.overhead +
                             load.per_token * static_cast<double>(thresholds[0] * load.prompt)));
    auto const segments = static_cast<double>(thresholds.size());
    for (std::size_t j = 1; j < thresholds.size(); ++j) {
        auto const held = static_cast<double>(load.prompt + load.ends[j - 1]);
        auto const theta = decay_rate(thresholds[j - 1], thresholds[j], load.passing[j - 1]);
        bound.queues += static_cast<double>(thresholds[j]) * held;
        bound.deviations += std::log((segments - 1) * bound.iterations / delta) / theta * held;
    }
    return bound;
}

double wait_queue_bound(double expected_arrivals, std::int64_t n)
{
    auto const m = static_cast<double>(n);
    return 2 * m + expected_arrivals / (2 * (m - expected_arrivals));
}

double nested_queue_bound(std::int64_t before, std::int64_t n, double p)
{
    auto const mean = static_cast<double>(before) * p, m = static_cast<double>(n);
    return m + mean * (1 - p) / (2 * (m - mean));
}

} // namespace crx::fluid
