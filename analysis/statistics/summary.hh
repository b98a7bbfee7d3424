#pragma once

#include "analysis/statistics/estimate.hh"
#include "kernels/model/tally.cuh"

namespace crx {

/// What is reported of one policy over one baseline. The two averages are different numbers
/// (docs/model.md#averages): the mean of TEL/baseline over instances, and mean TEL over mean
/// baseline.
struct RatioSummary
{
    std::int64_t instances = 0;  ///< finished ones: those in the sums
    std::int64_t divided = 0;    ///< finished ones that have this baseline: those in its ratios
    std::int64_t unfinished = 0; ///< those that are in no sum
    std::optional<Estimate> mean_of_ratios, ratio_of_means; ///< none without a finished instance
    std::optional<double> smallest, largest;
    std::int64_t smallest_instance = -1, largest_instance = -1;
};

/// Finished instances that have the baseline. The engines' own is there for all or for none.
std::int64_t divided_by(PolicyTally const& tally, BaselineKind baseline);

/// Averages and extremes of a policy's ratio over one baseline, with two-sided confidence
/// intervals. Contract: 0 < confidence < 1.
/// Every finished instance must have this baseline, or none.
RatioSummary summarise(PolicySums const& sums, BaselineKind baseline, double confidence);

/// The same for baselines that some instances lack (BaselineKind from engine_baselines on). Their
/// mean of ratios is that of the instances that have it; there is no ratio of means unless all do.
RatioSummary summarise(PolicyTally const& tally, BaselineKind baseline, double confidence);

/// A mean of ratios as its exact parts: the sum in units of FixedRatio, over `count` instances.
struct RatioSum
{
    Unsigned128 sum = 0;
    std::int64_t count = 0; ///< finished instances that have the baseline
};

RatioSum sum_of_ratios(PolicyTally const& tally, BaselineKind baseline);

/// Whether the first mean of ratios is larger than the second, exactly. One of no instance is the
/// least.
bool larger_mean(RatioSum const& one, RatioSum const& other);

} // namespace crx
