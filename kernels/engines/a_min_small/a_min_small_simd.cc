#include "kernels/engines/a_min_small/batch_engine.hh"

namespace crx::CRX_SIMD_LEVEL {

/// In lanes of 16 bits, or where an instance needs more, of 32.
[[gnu::flatten]] void run_a_min_small(AMinSmallRun const& run)
{
    static_assert(a_min_small_batch_size <= 32); // bits of `taken`
    using Short = Lanes<std::int16_t>;
    unsigned taken = 0;
    bool are_short = true;
    for (int k = 0; k < run.count; ++k) {
        auto const& r = run.requests[k];
        if (r.n > a_min_small_requests || r.memory > a_min_small_memory || r.clock.affine() ||
            !all_at_0(r))
            continue;
        bool const is_short = AMinSmallBatch<Short>::holds(r);
        if (!is_short && !AMinSmallBatch<Wide>::holds(r)) continue;
        taken |= 1u << k;
        are_short = are_short && is_short;
    }
    are_short ? execute_in_batches<Short>(run, taken) : execute_in_batches<Wide>(run, taken);
}

std::size_t waiting_queue_bytes(std::int64_t n) { return WaitingQueueByLength::arena_bytes(n); }

} // namespace crx::CRX_SIMD_LEVEL
