#include "kernels/lockstep/lane_schedule.hh"

// All functions with vectors are inlined, so it does not matter how they would be passed.
#pragma GCC diagnostic ignored "-Wpsabi"

#include "kernels/base/vector_clones.hh"
#include "kernels/lockstep/short_schedule.cuh"

#include <cstring>

namespace crx::lockstep {
namespace {

struct InLanes
{
    using Number = Lanes;
    using Unsigned = UnsignedLanes;
    static constexpr int sign = 15;
};

void write(std::int16_t* to, Lanes const& from) { std::memcpy(to, &from, sizeof from); }

/// Adds sums that 16 bits hold to wider ones, and begins them anew.
void flush(UnsignedLanes& sums, std::int32_t* totals)
{
    for (int lane = 0; lane < lanes; ++lane) totals[lane] += sums[lane];
    sums = UnsignedLanes{};
}

CRX_VECTOR_CLONES void schedule(Row const* keys, int n, KeyLayout const& layout,
                                std::int16_t memory, LaneOutcomes& out)
{
    ShortSchedule<InLanes> schedule(Lanes{}, Lanes{} + std::int16_t{1});
    Lanes output_sum{};
    UnsignedLanes totals{}; // of at most eight requests
    std::memset(out.total_latency, 0, sizeof out.total_latency);
    for (int k = 0; k < n; ++k) {
        auto const o = outputs(layout, keys[k].at), s = prompts(layout, keys[k].at);
        output_sum += o;
        totals += UnsignedLanes(schedule.start(s, o, s - memory));
        if (k % 8 == 7) flush(totals, out.total_latency);
    }
    flush(totals, out.total_latency);
    write(out.output_sum, output_sum);
    write(out.makespan, schedule.makespan());
    write(out.peak_memory, schedule.peak_memory());
    write(out.events, schedule.event_rounds());
    write(out.lost, schedule.lost_track());
}

} // namespace

void schedule_lanes(Row const* keys, int n, KeyLayout const& layout, std::int32_t memory,
                    LaneOutcomes& out)
{
    schedule(keys, n, layout, static_cast<std::int16_t>(memory), out);
}

} // namespace crx::lockstep
