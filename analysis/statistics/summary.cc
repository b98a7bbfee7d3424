#include "analysis/statistics/summary.hh"

#include "analysis/statistics/estimate.hh"

namespace crx {

std::int64_t divided_by(PolicyTally const& tally, BaselineKind baseline)
{
    int const k = static_cast<int>(baseline);
    if (k < engine_baselines)
        return tally.sums.ratio[k].smallest.instance < 0 ? 0 : tally.sums.count;
    std::int64_t divided = 0;
    for (auto const& [bin, count] : tally.histogram[k]) divided += count;
    return divided;
}

RatioSummary summarise(PolicySums const& sums, BaselineKind baseline, double confidence)
{
    auto const& ratio = sums.ratio[static_cast<int>(baseline)];
    RatioSummary summary;
    summary.instances = sums.count;
    summary.unfinished = sums.unfinished;
    // No baseline asked for: its sums are zero though instances were counted.
    if (sums.count == 0 || ratio.smallest.instance < 0) return summary;
    summary.divided = sums.count;
    summary.mean_of_ratios = estimate_mean(sums.count, to_big(ratio.sum),
                                           to_big(ratio.sum_of_squares), 0x1p-32, confidence);
    summary.ratio_of_means = estimate_ratio_of_means(
        {sums.count, to_big(sums.latency), to_big(ratio.baseline_sum), to_big(sums.latency_squares),
         to_big(ratio.baseline_squares), to_big(ratio.cross)},
        confidence);
    summary.smallest = to_double(ratio.smallest.ratio);
    summary.largest = to_double(ratio.largest.ratio);
    summary.smallest_instance = ratio.smallest.instance;
    summary.largest_instance = ratio.largest.instance;
    return summary;
}

RatioSummary summarise(PolicyTally const& tally, BaselineKind baseline, double confidence)
{
    int const k = static_cast<int>(baseline);
    auto summary = summarise(tally.sums, baseline, confidence);
    summary.divided = divided_by(tally, baseline);
    if (k < engine_baselines || summary.divided == tally.sums.count) return summary;
    auto const& ratio = tally.sums.ratio[k];
    summary.ratio_of_means.reset();
    summary.mean_of_ratios.reset();
    if (summary.divided > 0)
        summary.mean_of_ratios = estimate_mean(summary.divided, to_big(ratio.sum),
                                               to_big(ratio.sum_of_squares), 0x1p-32, confidence);
    return summary;
}

RatioSum sum_of_ratios(PolicyTally const& tally, BaselineKind baseline)
{
    int const k = static_cast<int>(baseline);
    return {tally.sums.ratio[k].sum, divided_by(tally, baseline)};
}

bool larger_mean(RatioSum const& one, RatioSum const& other)
{
    if (one.count == 0 || other.count == 0) return one.count > 0 && other.count == 0;
    return to_big(one.sum) * other.count > to_big(other.sum) * one.count;
}

} // namespace crx
