#pragma once

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

} // namespace crx
