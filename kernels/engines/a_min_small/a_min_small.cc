#include "kernels/engines/a_min_small/a_min_small.hh"

#include "kernels/engines/a_min_small/variants.hh"

namespace crx {

std::size_t a_min_small_batch_bytes(std::int64_t n)
{
    auto const one = a_min_small_bytes(n);
    return one == 0
               ? 0
               : a_min_small_batch_size * (one + sizeof(std::uint32_t)); // and a word of its own
}

void execute_few_group(Requests const* requests, int count, std::uint64_t seed,
                       std::uint32_t stream, std::uint64_t first, ScheduleLog const& ask,
                       ScheduleLog const* logs, Arena& arena, std::optional<Outcome>* outcomes,
                       AMinSmallVariant const* form)
{
    for (int k = 0; k < count; ++k) outcomes[k].reset();
    if (form != nullptr)
        form->together(requests, count, seed, stream, first, ask, logs, arena, outcomes);
}

} // namespace crx
