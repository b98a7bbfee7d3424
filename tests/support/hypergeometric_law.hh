#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace crx_test {

/// Probability of each k = 0 .. draws, from the product formula for neighbours.
inline std::vector<double> hypergeometric_probabilities(std::int64_t population,
                                                        std::int64_t marked, std::int64_t draws)
{
    auto const log_choose = [](std::int64_t n, std::int64_t k) {
        auto const f = [](std::int64_t x) { return std::lgamma(static_cast<double>(x) + 1); };
        return f(n) - f(k) - f(n - k);
    };
    std::vector<double> p(static_cast<std::size_t>(draws) + 1, 0.0);
    for (std::int64_t k = 0; k <= draws; ++k)
        if (k <= marked && draws - k <= population - marked)
            p[static_cast<std::size_t>(k)] =
                std::exp(log_choose(marked, k) + log_choose(population - marked, draws - k) -
                         log_choose(population, draws));
    return p;
}

/// Chi-square of the draws over a threshold that their law passes with probability 1e-9: above 1
/// is a rejection. Cells that expect fewer than 50 draws are joined. Threshold d + 2 sqrt(d x) +
/// 2x, x = log 1e9, for d degrees of freedom (Laurent and Massart 2000, Lemma 1; the chi-square law
/// is the limit for many draws).
template <class Draw>
double chi_square_over_threshold(std::vector<double> const& p, std::int64_t runs, Draw draw)
{
    std::vector<std::int64_t> seen(p.size(), 0);
    for (std::int64_t r = 0; r < runs; ++r) ++seen.at(static_cast<std::size_t>(draw()));
    double statistic = 0, expected = 0, observed = 0;
    int cells = 0;
    auto const close = [&] {
        if (expected > 0) statistic += (observed - expected) * (observed - expected) / expected;
        ++cells;
        expected = observed = 0;
    };
    for (std::size_t k = 0; k < p.size(); ++k) {
        expected += p[k] * static_cast<double>(runs);
        observed += static_cast<double>(seen[k]);
        if (expected >= 50) close();
    }
    close();
    double const d = cells, x = std::log(1e9);
    return statistic / (d + 2 * std::sqrt(d * x) + 2 * x);
}

} // namespace crx_test
