#include "analysis/statistics/distribution.hh"

#include <algorithm>

namespace crx {

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
