#include "kernels/engines/a_min_small/few_active.hh"

#include "kernels/engines/a_min_small/variants.hh"

#include <algorithm>

namespace crx {

std::size_t a_min_small_bytes(std::int64_t n)
{
    auto const* const form = best_few_form();
    return form != nullptr && n <= a_min_small_requests ? form->arena_bytes(n) : 0;
}

std::optional<Outcome> execute_few_active(Outlived outlived, Requests const& requests,
                                          std::uint64_t seed, std::uint32_t stream,
                                          std::uint64_t instance, ScheduleLog const& log,
                                          Arena& arena, AMinSmallVariant const* form)
{
    bool const all_at_0 = std::all_of(requests.arrival, requests.arrival + requests.n,
                                      [](Instant arrival) { return arrival == 0; });
    // So TEL is below 2^36, as time is below 2^24.
    if (form == nullptr || requests.n > a_min_small_requests ||
        requests.memory > a_min_small_memory || requests.clock.affine() || !all_at_0)
        return {};
    return form->alone(outlived, requests, BufferedWords(seed, stream, instance), log, arena);
}

} // namespace crx
