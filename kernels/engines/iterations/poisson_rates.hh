#pragma once

#include "kernels/engines/iterations/poisson_arrivals.cuh"

#include <vector>

namespace crx {

/// Law of the arrivals at `rate` per second in a block that is as long as makes 64 to 128 of them
/// likely, or in one of 2^61 nanoseconds. Contract: 0 <= rate <= 10^9.
BlockLaw block_law(double rate);

/// Rates of Poisson arrivals with the arrays that a PoissonTable views.
struct PoissonRates
{
    std::int32_t types = 0;
    Nanoseconds slice_length = 1;
    std::vector<BlockLaw> laws; ///< one for each largest rate
    std::vector<std::int32_t> law_of;
    std::vector<std::uint64_t> keep; ///< type by type, a number a slice; empty: all stay

    PoissonTable table() const;
    /// Up to here all types can be drawn: a type has some 5 10^7 blocks.
    Nanoseconds longest() const;
};

/// Rates in prompts per second, `rate[s][j]` of type j in slice s of `slice_length` nanoseconds;
/// the slices repeat for ever. One slice: constant rates.
/// Contract: finite, not negative, at most 10^9; as many types in each slice, at most 65,536.
PoissonRates poisson_rates(std::vector<std::vector<double>> const& rate,
                           Nanoseconds slice_length = 1);

} // namespace crx
