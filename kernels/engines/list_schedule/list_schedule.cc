#include "kernels/engines/list_schedule/list_schedule.hh"

#include "kernels/engines/list_schedule/short_list.hh"
#include "kernels/simd/vector_clones.hh"

namespace crx {
namespace {

CRX_VECTOR_CLONES Outcome schedule_narrow(Requests const& r, RequestId const* order, Rounds* starts,
                                          Arena& arena)
{
    return ListSchedule<std::int32_t, Ends::any>(arena, r.n).execute(r, order, starts);
}
// Aligned: the same code took a tenth longer where its loops lay across lines of instructions.
[[gnu::aligned(64)]] CRX_VECTOR_CLONES Outcome schedule_narrow_ascending(Requests const& r,
                                                                         RequestId const* order,
                                                                         Rounds* starts,
                                                                         Arena& arena)
{
    return ListSchedule<std::int32_t, Ends::ascending>(arena, r.n).execute(r, order, starts);
}

} // namespace

std::size_t list_schedule_bytes(std::int64_t n)
{
    Arena counter(nullptr, 0);
    ListSchedule<Rounds, Ends::any> const schedule(counter, n);
    (void)schedule;
    return counter.bytes_used();
}

Outcome schedule_list(Requests const& r, RequestId const* order, Rounds* starts, Arena& arena)
{
    Rounds last = 0; // no request completes later than if they ran one by one
    bool ascending = true;
    std::int32_t before = 0;
    for (std::int64_t k = 0; k < r.n; ++k) {
        auto const o = r.output[order[k]];
        last += o;
        ascending = ascending && before <= o;
        before = o;
    }
    if (ascending && last <= short_list_rounds)
        if (auto const outcome = schedule_short_list(r, order, starts)) return *outcome;
    // Loads reach M + last, and a sum on the way the same once more.
    if (r.memory + last > INT32_MAX / 2)
        return ListSchedule<Rounds, Ends::any>(arena, r.n).execute(r, order, starts);
    return ascending ? schedule_narrow_ascending(r, order, starts, arena)
                     : schedule_narrow(r, order, starts, arena);
}

} // namespace crx
