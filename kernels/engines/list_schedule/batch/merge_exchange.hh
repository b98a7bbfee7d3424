#pragma once

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
std::vector<Exchange> merge_exchange(int n);

} // namespace crx::mc_sf_batch
