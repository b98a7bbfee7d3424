#pragma once

#include "kernels/model/tally.cuh"

#include <cmath>

namespace crx_test {

/// Counts one instance whose total latency over a baseline is `ratio`, to a millionth.
inline void add_ratio(crx::PolicyTally& tally, crx::BaselineKind baseline, double ratio,
                      std::int64_t instance)
{
    constexpr std::int64_t unit = 1'000'000;
    auto const k = static_cast<std::size_t>(baseline);
    crx::Outcome outcome;
    outcome.total_latency = std::llround(static_cast<double>(unit) * ratio);
    std::int64_t baselines[crx::baseline_kinds] = {};
    baselines[k] = unit;
    tally.sums.add(outcome, baselines, instance);
    ++tally.histogram[k][crx::histogram_bin(crx::fixed_ratio(outcome.total_latency, unit))];
}

} // namespace crx_test
