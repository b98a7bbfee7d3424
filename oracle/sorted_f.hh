#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "oracle/oracle.hh"

/// WANG's Sorted-F as in docs/model.md#sorted-f. `exact` and `scaled` look at every subset of the
/// requests, so they are for about a dozen; all arrivals must be 0.
namespace oracle {

struct SortedF
{
    std::string selector;     ///< exact, scaled, swap, quantile or exact-together
    std::int64_t cells = 100; ///< of scaled: B / epsilon
};

/// Phase 1: the batches in order, each by ascending (o, index).
std::vector<std::vector<std::size_t>> sorted_f_batches(SortedF const& policy,
                                                       std::vector<Request> const& requests,
                                                       std::int64_t memory, std::uint64_t seed,
                                                       std::uint64_t instance);

/// Both phases.
Schedule simulate_sorted_f(SortedF const& policy, std::vector<Request> const& requests,
                           std::int64_t memory, std::uint64_t seed, std::uint64_t instance,
                           Clock const& clock = {});

} // namespace oracle
