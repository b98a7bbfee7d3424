#pragma once

#include "kernels/base/integers.cuh"
#include "kernels/model/measures.hh"
#include "kernels/model/requests.cuh"

#include <vector>

namespace crx {

/// A ratio in fixed point: 32 fractional bits, rounded to nearest, ties up.
using FixedRatio = std::int64_t;
inline constexpr int ratio_fraction_bits = 32;

/// numerator / denominator in fixed point.
///
/// Contract: numerator >= 0, denominator >= 1, quotient < 2^31. Error: at most 2^-33.
CRX_HD inline FixedRatio fixed_ratio(std::int64_t numerator, std::int64_t denominator)
{
    CRX_EXPECT(numerator >= 0 && denominator >= 1);
    // Most latencies leave room in 64 bits, where a division is several times cheaper.
    if (numerator >> (63 - ratio_fraction_bits) == 0) {
        auto const scaled = static_cast<std::uint64_t>(numerator) << (ratio_fraction_bits + 1);
        auto const quotient = scaled / static_cast<std::uint64_t>(denominator);
        return static_cast<FixedRatio>((quotient >> 1) + (quotient & 1));
    }
    auto const divisor = static_cast<Unsigned128>(denominator);
    auto const scaled = static_cast<Unsigned128>(numerator) << (ratio_fraction_bits + 1);
    auto const quotient = (scaled / divisor + 1) >> 1;
    CRX_ENSURE((quotient >> 63) == 0);
    return static_cast<FixedRatio>(quotient);
}

inline constexpr double to_double(FixedRatio ratio) { return static_cast<double>(ratio) * 0x1p-32; }

/// Which instance had an extreme ratio; between equals the lower instance, so merging is
/// commutative.
struct ExtremeRatio
{
    FixedRatio ratio = 0;
    std::int64_t instance = -1; ///< -1: none yet

    CRX_HD void take_larger(ExtremeRatio const& other)
    {
        if (other.instance < 0) return;
        if (instance < 0 || other.ratio > ratio ||
            (other.ratio == ratio && other.instance < instance))
            *this = other;
    }
    CRX_HD void take_smaller(ExtremeRatio const& other)
    {
        if (other.instance < 0) return;
        if (instance < 0 || other.ratio < ratio ||
            (other.ratio == ratio && other.instance < instance))
            *this = other;
    }
    bool operator==(ExtremeRatio const&) const = default;
};

/// Sums of one policy's total latency over one baseline, instance by instance.
struct RatioTally
{
    Unsigned128 sum = 0;          ///< of FixedRatio
    Unsigned192 sum_of_squares;   ///< of FixedRatio
    Unsigned128 baseline_sum = 0; ///< of the baseline, over finished instances of this policy
    Unsigned192 baseline_squares; ///< of the baseline
    Unsigned192 cross;            ///< of total latency times baseline
    ExtremeRatio smallest, largest;

    CRX_HD void add(std::int64_t total_latency, std::int64_t baseline, std::int64_t instance)
    {
        auto const ratio = fixed_ratio(total_latency, baseline);
        auto const latency = static_cast<Unsigned128>(total_latency);
        auto const base = static_cast<Unsigned128>(baseline);
        sum += static_cast<Unsigned128>(ratio);
        sum_of_squares.add(static_cast<Unsigned128>(ratio) * static_cast<Unsigned128>(ratio));
        baseline_sum += base;
        baseline_squares.add(base * base);
        cross.add(latency * base);
        smallest.take_smaller({ratio, instance});
        largest.take_larger({ratio, instance});
    }
    CRX_HD void add(RatioTally const& other)
    {
        sum += other.sum;
        sum_of_squares.add(other.sum_of_squares);
        baseline_sum += other.baseline_sum;
        baseline_squares.add(other.baseline_squares);
        cross.add(other.cross);
        smallest.take_smaller(other.smallest);
        largest.take_larger(other.largest);
    }
    bool operator==(RatioTally const&) const = default;
};

/// Sums of one policy's outcomes, whatever they are divided by.
struct OutcomeSums
{
    std::int64_t count = 0;      ///< instances that finished
    std::int64_t unfinished = 0; ///< instances that did not; they are in no other sum
    std::int64_t unfinished_by[unfinished_reasons] = {}; ///< the same by Unfinished
    Unsigned128 latency = 0;
    Unsigned128 first_token_latency = 0;
    Unsigned192 latency_squares, first_token_squares;
    Unsigned128 makespan = 0;
    Unsigned192 makespan_squares;
    Unsigned128 cancellations = 0;
    Unsigned128 wasted_tokens = 0;
    Unsigned128 events = 0;
    Tokens peak_memory = 0; ///< largest

    CRX_HD void add(Outcome const& outcome)
    {
        if (outcome.finished == 0) {
            ++unfinished;
            for (int k = 0; k < unfinished_reasons; ++k) // a GPU's registers cannot be indexed
                unfinished_by[k] += static_cast<int>(outcome.reason) == k ? 1 : 0;
            return;
        }
        ++count;
        auto const total = static_cast<Unsigned128>(outcome.total_latency);
        latency += total;
        latency_squares.add(total * total);
        auto const first = static_cast<Unsigned128>(outcome.first_token_latency);
        first_token_latency += first;
        first_token_squares.add(first * first);
        auto const last = static_cast<Unsigned128>(outcome.makespan);
        makespan += last;
        makespan_squares.add(last * last);
        cancellations += static_cast<Unsigned128>(outcome.cancellations);
        wasted_tokens += static_cast<Unsigned128>(outcome.wasted_tokens);
        events += static_cast<Unsigned128>(outcome.events);
        if (outcome.peak_memory > peak_memory) peak_memory = outcome.peak_memory;
    }
    CRX_HD void add(OutcomeSums const& other)
    {
        count += other.count;
        unfinished += other.unfinished;
        for (int k = 0; k < unfinished_reasons; ++k) unfinished_by[k] += other.unfinished_by[k];
        latency += other.latency;
        first_token_latency += other.first_token_latency;
        latency_squares.add(other.latency_squares);
        first_token_squares.add(other.first_token_squares);
        makespan_squares.add(other.makespan_squares);
        makespan += other.makespan;
        cancellations += other.cancellations;
        wasted_tokens += other.wasted_tokens;
        events += other.events;
        if (other.peak_memory > peak_memory) peak_memory = other.peak_memory;
    }
    bool operator==(OutcomeSums const&) const = default;
};

/// Sums of one policy over the instances of a cell. All are integers and all merge by addition (or
/// minimum and maximum), so they do not depend on how the work was cut or ordered.
struct PolicySums : OutcomeSums
{
    RatioTally ratio[baseline_kinds];

    /// Counts one instance. baselines[k] is the value of BaselineKind k, 0 where it was not asked
    /// for.
    CRX_HD void add(Outcome const& outcome, std::int64_t const* baselines, std::int64_t instance)
    {
        OutcomeSums::add(outcome);
        if (outcome.finished == 0) return;
        for (int k = 0; k < baseline_kinds; ++k)
            if (baselines[k] > 0) ratio[k].add(outcome.total_latency, baselines[k], instance);
    }
    CRX_HD void add(PolicySums const& other)
    {
        OutcomeSums::add(other);
        for (int k = 0; k < baseline_kinds; ++k) ratio[k].add(other.ratio[k]);
    }
    bool operator==(PolicySums const&) const = default;
};

/// Everything kept of one policy over a range of a cell's instances.
struct PolicyTally
{
    PolicySums sums;
    Histogram histogram[baseline_kinds];
    MeasureSums measures; ///< empty where none are kept

    void add(PolicyTally const& other)
    {
        sums.add(other.sums);
        for (int k = 0; k < baseline_kinds; ++k) histogram[k].add(other.histogram[k]);
        measures.add(other.measures);
    }
    bool operator==(PolicyTally const&) const = default;
};

/// A chunk's result: one tally a policy, in the order of the cell's policies.
using Tally = std::vector<PolicyTally>;

} // namespace crx
