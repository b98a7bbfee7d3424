#include "analysis/statistics/quantile.hh"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>

namespace crx {

std::optional<double> quantile(Histogram const& histogram, double p, FixedRatio smallest,
                               FixedRatio largest)
{
    CRX_EXPECT(p > 0 && p <= 1);
    std::int64_t total = 0;
    for (auto const& [bin, count] : histogram) total += count;
    if (total == 0) return std::nullopt;
    // A product such as 0.07 * 100 lies a rounding error above 7: it is the 7th all the same.
    double const rank = std::ceil(p * static_cast<double>(total) * (1 - 1e-12));
    auto const wanted = std::clamp<std::int64_t>(std::llround(rank), 1, total);
    std::int64_t seen = 0;
    for (auto const& [bin, count] : histogram) {
        seen += count;
        if (seen < wanted) continue;
        auto const start = histogram_bin_start(bin);
        auto const next = histogram_bin_start(bin + 1);
        return to_double(std::clamp(start + (next - start) / 2, smallest, largest));
    }
    CRX_ENSURE(false);
    return std::nullopt;
}

RankInterval quantile_ranks(std::int64_t count, double p, double confidence)
{
    CRX_EXPECT(count >= 1 && p > 0 && p < 1 && confidence > 0 && confidence < 1);
    namespace policies = boost::math::policies;
    using LeastEnough = policies::policy<policies::discrete_quantile<policies::integer_round_up>>;
    boost::math::binomial_distribution<double, LeastEnough> const below(static_cast<double>(count),
                                                                        p);
    auto const tail = (1 - confidence) / 2;
    // P(below < low) < tail; P(below >= high) <= tail.
    auto const low = std::llround(quantile(below, tail));
    auto const high = std::llround(quantile(complement(below, tail))) + 1;
    RankInterval ranks;
    if (low >= 1) ranks.low = low;
    if (high <= count) ranks.high = high;
    return ranks;
}

Distribution distribution_of(std::vector<double> values)
{
    Distribution out;
    out.count = static_cast<std::int64_t>(values.size());
    if (values.empty()) return out;
    std::ranges::sort(values);
    long double sum = 0; // of ascending values, so small ones are not lost
    for (double const value : values) sum += value;
    out.mean = static_cast<double>(sum / static_cast<long double>(values.size()));
    auto const at = [&](std::int64_t permille) {
        return values[static_cast<std::size_t>(nearest_rank(out.count, permille) - 1)];
    };
    out.min = values.front();
    out.p50 = at(500);
    out.p90 = at(900);
    out.p95 = at(950);
    out.p99 = at(990);
    out.max = values.back();
    return out;
}

} // namespace crx
