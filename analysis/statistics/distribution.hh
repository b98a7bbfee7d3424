#pragma once

#include <cstdint>
#include <vector>

namespace crx {

/// Values of a list, of which the q-quantile is by nearest rank: the ceil(q n)-th smallest. All 0
/// for an empty list. Exact but for the mean's rounding and integers past 2^53.
struct Distribution
{
    std::int64_t count = 0;
    double mean = 0, min = 0, p50 = 0, p90 = 0, p95 = 0, p99 = 0, max = 0;
};

Distribution distribution_of(std::vector<double> values);

/// Rank, from 1, of the q-quantile of n values: ceil(q n), at least 1; `permille` is 1000 q.
inline std::int64_t nearest_rank(std::int64_t n, std::int64_t permille)
{
    auto const rank = (n * permille + 999) / 1000;
    return rank < 1 ? 1 : rank;
}

} // namespace crx
