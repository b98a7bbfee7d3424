#include "kernels/engines/a_min_small/a_min_small.hh"

namespace crx {

std::size_t a_min_small_batch_bytes(std::int64_t n, SimdLevel level)
{
    auto* const bytes = CRX_AT_LEVEL(level, waiting_queue_bytes);
    if (bytes == nullptr || n > a_min_small_requests) return 0;
    // And for each a word of its own, for who is kept apart.
    return a_min_small_batch_size * (bytes(n) + sizeof(std::uint32_t));
}

void execute_a_min_small(AMinSmallRun const& run, SimdLevel level)
{
    CRX_EXPECT(run.count <= a_min_small_batch_size);
    for (int k = 0; k < run.count; ++k) run.outcomes[k].reset();
    if (auto* const execute = CRX_AT_LEVEL(level, run_a_min_small)) execute(run);
}

} // namespace crx
