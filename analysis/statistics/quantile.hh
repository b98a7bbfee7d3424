#pragma once

#include "kernels/model/tally.cuh"

#include <cstdint>
#include <optional>
#include <vector>

namespace crx {

/// The ceil(p count)-th smallest ratio, read from a histogram: the middle of its bin, moved into
/// [smallest, largest], so that it is exact where all ratios are equal.
///
/// Error: at most half a bin, 1/2048 of the value. None for an empty histogram.
/// Contract: 0 < p <= 1; the histogram's ratios lie in [smallest, largest].
std::optional<double> quantile(Histogram const& histogram, double p, FixedRatio smallest,
                               FixedRatio largest);

/// Ranks, from 1, of the sample's values between which a quantile of the law lies.
struct RankInterval
{
    std::optional<std::int64_t> low, high; ///< none: no value of the sample is sure to be there
};

/// Two-sided interval of the p-quantile from `count` independent values: at either end the
/// probability to miss it is at most (1 - confidence) / 2, exactly, whatever the law, as the number
/// of values below a quantile is binomial (David and Nagaraja 2003, Order Statistics, section 7.1).
/// Contract: count >= 1, 0 < p < 1, 0 < confidence < 1.
RankInterval quantile_ranks(std::int64_t count, double p, double confidence);

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
