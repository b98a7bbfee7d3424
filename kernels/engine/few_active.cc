#include "kernels/engine/few_active.hh"

#include "kernels/engine/few_forms.hh"

#include <algorithm>

namespace crx {

std::size_t few_active_bytes(std::int64_t n)
{
    auto const* const form = best_few_form();
    return form != nullptr && n <= few_active_requests ? form->arena_bytes(n) : 0;
}

std::optional<Outcome> execute_few_active(Outlived outlived, Requests const& requests,
                                          std::uint64_t seed, std::uint32_t stream,
                                          std::uint64_t instance, ScheduleLog const& log,
                                          Arena& arena, FewForm const* form)
{
    bool const all_at_0 = std::all_of(requests.arrival, requests.arrival + requests.n,
                                      [](Instant arrival) { return arrival == 0; });
    // So TEL is below 2^36, as time is below 2^24.
    if (form == nullptr || requests.n > few_active_requests ||
        requests.memory > few_active_memory || requests.clock.affine() || !all_at_0)
        return {};
    return form->alone(outlived, requests, BufferedWords(seed, stream, instance), log, arena);
}

} // namespace crx
