#include "kernels/engines/lists/list_schedule.hh"

namespace crx::CRX_SIMD_LEVEL {

// The compiler makes vectors of its loops.
[[gnu::flatten]] Outcome schedule_list_narrow(Requests const& r, RequestId const* order,
                                              Rounds* starts, Arena& arena)
{
    return ListSchedule<std::int32_t, Ends::any>(arena, r.n).execute(r, order, starts);
}
// Aligned: the same code took a tenth longer where its loops lay across lines of instructions.
[[gnu::aligned(64), gnu::flatten]] Outcome
schedule_list_ascending(Requests const& r, RequestId const* order, Rounds* starts, Arena& arena)
{
    return ListSchedule<std::int32_t, Ends::ascending>(arena, r.n).execute(r, order, starts);
}

} // namespace crx::CRX_SIMD_LEVEL
