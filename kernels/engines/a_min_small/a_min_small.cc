#include "kernels/engines/a_min_small/a_min_small.hh"

#include "kernels/engines/a_min_small/a_min_small_simd.hh"

namespace crx {

std::size_t a_min_small_batch_bytes(std::int64_t n, SimdLevel level)
{
    auto* const bytes = CRX_AT_LEVEL(level, waiting_queue_bytes);
    if (bytes == nullptr || n > a_min_small_requests) return 0;
    // And for each a word of its own, for who is kept apart.
    return a_min_small_batch_size * (bytes(n) + sizeof(std::uint32_t));
}

void execute_a_min_small(Requests const* requests, int count, std::uint64_t seed,
                         std::uint32_t stream, std::uint64_t first, ScheduleLog const& ask,
                         ScheduleLog const* logs, Arena& arena, std::optional<Outcome>* outcomes,
                         SimdLevel level)
{
    for (int k = 0; k < count; ++k) outcomes[k].reset();
    if (auto* const execute = CRX_AT_LEVEL(level, execute_a_min_small))
        execute({requests, count, seed, stream, first, ask, logs, arena, outcomes});
}

} // namespace crx
