#pragma once

#include <cstddef>

#include "oracle/oracle.hh"

namespace oracle {

/// One stay of a request in the batch: it was admitted in round `start` and held prompt + j tokens
/// at time start + j, for j = 1 .. end - start. Under the unit clock.
struct Stay
{
    std::size_t request = 0;
    std::int64_t start = 0, end = 0; ///< end: completion, or the round that cancelled it
    bool completed = false;
};

/// As `simulate`, and appends every stay to `log`, in the order in which they ended.
Schedule simulate_logged(Policy const& policy, std::vector<Request> const& requests,
                         std::int64_t memory, std::uint64_t seed, std::uint64_t instance,
                         std::vector<Stay>& log, Clock const& clock = {});

} // namespace oracle
