#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace crx::mc_sf_batch {

/// Two places that a sorting network brings in order.
struct Exchange
{
    std::int16_t low, high;
};

/// Compare-exchanges that sort n <= 2^15 - 1 items, whatever they are. Source: Batcher's merge
/// exchange, Knuth, The Art of Computer Programming 3, 5.2.2, Algorithm M.
inline std::vector<Exchange> merge_exchange(int n)
{
    std::vector<Exchange> exchanges;
    if (n < 2) return exchanges;
    auto const top = static_cast<int>(std::bit_ceil(static_cast<unsigned>(n))) / 2;
    for (auto p = top; p > 0; p /= 2) {
        auto q = top, r = 0, d = p;
        for (;;) {
            for (int i = 0; i < n - d; ++i)
                if ((i & p) == r)
                    exchanges.push_back(
                        {static_cast<std::int16_t>(i), static_cast<std::int16_t>(i + d)});
            if (q == p) break;
            d = q - p;
            q /= 2;
            r = p;
        }
    }
    return exchanges;
}

} // namespace crx::mc_sf_batch
