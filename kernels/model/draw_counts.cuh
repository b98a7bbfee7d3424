#pragma once

#include "kernels/model/workload.cuh"
#include "kernels/random/block_rejection.cuh"

namespace crx {

/// Heads among n fair coins; exact in law, the same on every processor. No word if n = 0.
/// Up to 256 coins: their bits; above: draw_by_rejection. Contract: 0 <= n < 2^32 - 1.
CRX_HD inline std::int64_t fair_binomial(std::int64_t n, WordStream& words)
{
    CRX_EXPECT(n >= 0 && n < (std::int64_t{1} << 32) - 1);
    if (n > 256) {
        std::int64_t const rising[] = {0}, falling[] = {n};
        FactorialRatio<1> ratio(rising, falling, n / 2);
        return draw_by_rejection(ratio, words);
    }
    std::int64_t heads = 0;
    for (; n >= 64; n -= 64) heads += count_bits(words.next());
    if (n > 0) heads += count_bits(words.next() >> (64 - n));
    return heads;
}

/// How many of an instance's n requests have each length of a tabulated law, without writing the
/// requests down: the counts of n independent words by the law's thresholds, so exactly the
/// multinomial law of the counts that request-by-request draws give.
///
/// A word's bits are decided from the top: of m words that agree so far, a fair binomial number
/// goes on with 0. Halves that lie in one class are counted whole, so only halves that a threshold
/// cuts are split further; up to 4 words are finished one by one. Words from stream lengths, the
/// half with bit 0 first. Cost: at most log2 n splits a threshold. Contract: w is of kind table, n
/// < 2^32 - 1; counts has one entry a value.
CRX_HD inline void draw_counts(WorkloadView const& w, std::uint64_t instance, std::int64_t* counts)
{
    constexpr std::uint32_t few = 4;
    /// m words of which the bits above the lowest `bits` are those of `low`; they lie in classes
    /// first .. last. Numbers of 32 bits: with 64 the kernel spilled (scripts/kernel_resources).
    struct Part
    {
        std::uint64_t low;
        std::uint32_t m, first, last;
        int bits;
    };
    auto const class_of = [&w](std::uint64_t word, std::uint32_t first, std::uint32_t last) {
        while (first < last) {
            auto const middle = first + (last - first) / 2;
            if (word < w.output_threshold[middle])
                last = middle;
            else
                first = middle + 1;
        }
        return first;
    };
    WordStream words(w.seed, stream_lengths, instance);
    auto const classes = static_cast<std::uint32_t>(w.output_value.size());
    for (std::uint32_t k = 0; k < classes; ++k) counts[k] = 0;
    Part open[65]; // the halves with bit 1 that wait, one a bit at most
    int waiting = 0;
    open[waiting++] = {0, static_cast<std::uint32_t>(w.requests), 0, classes - 1, 64};
    while (waiting > 0) {
        auto const part = open[--waiting];
        if (part.m == 0) continue;
        if (part.first == part.last) {
            counts[part.first] += part.m;
            continue;
        }
        if (part.m <= few) {
            for (std::uint32_t j = 0; j < part.m; ++j)
                ++counts[class_of(part.low | words.next() >> (64 - part.bits), part.first,
                                  part.last)];
            continue;
        }
        auto const middle = part.low | std::uint64_t{1} << (part.bits - 1);
        auto const left = static_cast<std::uint32_t>(fair_binomial(part.m, words));
        open[waiting++] = {middle, part.m - left, class_of(middle, part.first, part.last),
                           part.last, part.bits - 1};
        open[waiting++] = {part.low, left, part.first, class_of(middle - 1, part.first, part.last),
                           part.bits - 1};
    }
}

} // namespace crx
