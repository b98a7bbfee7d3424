#pragma once

#include "kernels/iteration/iteration_arrivals.cuh"
#include "kernels/iteration/iteration_policy.hh"
#include "kernels/iteration/iteration_tally.cuh"

namespace crx {

/// Rates of Poisson arrivals with the arrays that a PoissonTable views.
struct PoissonRates
{
    std::uint64_t mean_gap = 0; ///< nanoseconds times 2^20
    std::int32_t types = 0;
    Nanoseconds slice_length = 1;
    std::vector<std::uint64_t> threshold; ///< slice by slice
    bool thinned = false;

    PoissonTable table() const;
};

/// Rates in prompts per second, `rate[s][j]` of type j in slice s of `slice_length` nanoseconds;
/// the slices repeat for ever. One slice: constant rates.
/// Contract: finite, not negative, a positive total in some slice below 10^9 per second.
PoissonRates poisson_rates(std::vector<std::vector<double>> const& rate,
                           Nanoseconds slice_length = 1);

/// Everything that determines a path of the iteration model, but for its number.
struct IterationCell
{
    IterationTime time;
    std::vector<PromptType> types;
    PoissonRates arrivals;
    IterationPolicySpec policy;
    std::uint64_t seed = 1;
    std::vector<Nanoseconds> checkpoints; ///< ascending; a shorter horizon is a prefix of the path
};

/// Tallies of one path, one a checkpoint. A function of the cell and the path's number.
std::vector<IterationTally> execute_path(IterationCell const& cell, std::int64_t path);

/// The same for `count` paths from `first` on, on all threads that oneTBB has: path by path, in
/// order.
std::vector<std::vector<IterationTally>> launch_paths(IterationCell const& cell, std::int64_t first,
                                                      std::int64_t count);

} // namespace crx
