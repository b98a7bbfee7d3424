#pragma once

#include "kernels/engines/a_min_small/a_min_small.hh"
#include "kernels/simd/levels.hh"

namespace crx {

/// What execute_a_min_small is given.
struct AMinSmallRun
{
    Requests const* requests;
    int count;
    std::uint64_t seed;
    std::uint32_t stream;
    std::uint64_t first;
    ScheduleLog const& ask;
    ScheduleLog const* logs;
    Arena& arena;
    std::optional<Outcome>* outcomes;
};

CRX_FOR_EACH_LEVEL(void execute_a_min_small(AMinSmallRun const& run);
                   /// Of one instance of n requests.
                   std::size_t waiting_queue_bytes(std::int64_t n);)

} // namespace crx
