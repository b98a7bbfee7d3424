#include "kernels/engines/lists/list_schedule.hh"

namespace crx {

std::size_t list_schedule_bytes(std::int64_t n)
{
    return arena_bytes_of([n](Arena& arena) { ListSchedule<Rounds, Ends::any>(arena, n); });
}

Outcome schedule_list(Requests const& r, RequestId const* order, Rounds* starts, Arena& arena)
{
    static auto* const ascending_ends = CRX_AT_LEVEL(simd_level(), schedule_list_ascending);
    static auto* const any_ends = CRX_AT_LEVEL(simd_level(), schedule_list_narrow);
    Rounds last = 0; // no request completes later than if they ran one by one
    bool ascending = true;
    std::int32_t before = 0;
    for (std::int64_t k = 0; k < r.n; ++k) {
        auto const o = r.output[order[k]];
        last += o;
        ascending = ascending && before <= o;
        before = o;
    }
    // Loads reach M + last, and a sum on the way the same once more.
    if (r.memory + last <= INT32_MAX / 2)
        if (auto* const narrow = ascending ? ascending_ends : any_ends)
            return narrow(r, order, starts, arena);
    return ListSchedule<Rounds, Ends::any>(arena, r.n).execute(r, order, starts);
}

} // namespace crx
