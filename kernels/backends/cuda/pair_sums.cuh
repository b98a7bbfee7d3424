#pragma once

#include "kernels/backends/cuda/spectrum_weights.cuh"

#include <cstdint>

namespace crx {

// Sums before and behind each length, in an order that does not depend on when blocks run: a tile
// of lengths a block and a few lengths a thread, each in ascending order, threads and tiles in a
// tree. So the same vector gives the same digits in every run.

inline constexpr int tile_threads = 256;
inline constexpr int lengths_a_thread = 8;
inline constexpr std::int64_t tile_lengths = tile_threads * lengths_a_thread;

/// An unevaluated sum high + low: additions in any order keep about 32 digits.
struct Pair
{
    double high, low;
    CRX_HD double value() const { return high + low; }
};

struct PairSum
{
    CRX_HD Pair operator()(Pair const& a, Pair const& b) const
    {
        double const sum = a.high + b.high;
        double const shadow = sum - a.high;
        double const error = (a.high - (sum - shadow)) + (b.high - shadow);
        double const low = error + (a.low + b.low);
        double const high = sum + low;
        return {high, low - (high - sum)};
    }
};

/// The terms of the three sums at a length.
struct TailTerms
{
    SpectrumWeights weights;

    /// i: the length is l + i; x: its entry.
    CRX_HD double prefix(std::int64_t i, double x) const
    {
        return (i == 0 ? weights.f_first() : weights.f(weights.l + static_cast<double>(i))) * x;
    }
    /// Nobody wants the first length's.
    CRX_HD double suffix(std::int64_t i, double x) const
    {
        return i == 0 ? 0 : weights.h(weights.l + static_cast<double>(i)) * x;
    }
};

/// Sums over a tile, and after scan_tiles() those before it and behind it; rest: of all entries
/// but the first.
struct TileSums
{
    Pair prefix, suffix, rest;
};

/// Shared memory of sum_of_others().
struct ThreadPairs
{
    Pair of[tile_threads];
};

/// Whose pairs a thread adds up.
enum class Others
{
    before, ///< threads of lower numbers
    behind  ///< threads of higher numbers
};

#ifdef __CUDACC__
/// The sum of what others of the block give. Every thread of the block must come.
__device__ inline Pair sum_of_others(Others which, Pair own, ThreadPairs& shared)
{
    auto const thread = static_cast<int>(threadIdx.x);
    auto const place = which == Others::before ? thread : tile_threads - 1 - thread;
    PairSum const add;
    __syncthreads(); // nobody reads what was there before
    shared.of[place] = own;
    for (int step = 1; step < tile_threads; step *= 2) {
        __syncthreads();
        auto const before = place >= step ? shared.of[place - step] : Pair{0, 0};
        __syncthreads();
        own = add(before, own);
        shared.of[place] = own;
    }
    __syncthreads();
    return place == 0 ? Pair{0, 0} : shared.of[place - 1];
}
#endif

} // namespace crx
