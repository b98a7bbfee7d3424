#include "kernels/engines/list_schedule/batch/lane_schedule.hh"

// All functions with vectors are inlined, so it does not matter how they would be passed.
#pragma GCC diagnostic ignored "-Wpsabi"

#include "kernels/engines/list_schedule/batch/short_schedule.cuh"
#include "kernels/simd/processor.hh"
#include "kernels/simd/vector_clones.hh"

#include <algorithm>
#include <cstring>

namespace crx::mc_sf_batch {
namespace {

struct AllLanes
{
    using Number = Lanes;
    using Unsigned = UnsignedLanes;
    static constexpr int sign = 15, width = lanes;
};
struct HalfLanes
{
    using Number = std::int16_t __attribute__((vector_size(lanes), aligned(lanes)));
    using Unsigned = std::uint16_t __attribute__((vector_size(lanes), aligned(lanes)));
    static constexpr int sign = 15, width = lanes / 2;
};

/// Adds sums that 16 bits hold to wider ones, and begins them anew.
template <class Kind>
[[gnu::always_inline]] inline void flush(typename Kind::Unsigned& sums, std::int32_t* totals)
{
    for (int lane = 0; lane < Kind::width; ++lane) totals[lane] += sums[lane];
    sums = typename Kind::Unsigned{};
}
template <class Kind>
[[gnu::always_inline]] inline void write(std::int16_t* to, typename Kind::Number const& from)
{
    std::memcpy(to, &from, sizeof from);
}

/// As many lanes as the kind has, from `begin` on.
template <class Kind>
[[gnu::always_inline]] inline void schedule_some(Row const* keys, int n, KeyLayout const& layout,
                                                 std::int16_t memory, int begin, LaneOutcomes& out)
{
    using Number = typename Kind::Number;
    using Unsigned = typename Kind::Unsigned;
    ShortSchedule<Kind> schedule(Number{}, Number{} + std::int16_t{1});
    Number output_sum{};
    Unsigned totals{}; // of at most eight requests
    std::fill_n(out.total_latency + begin, Kind::width, 0);
    for (int k = 0; k < n; ++k) {
        auto const& key = *reinterpret_cast<Number const*>(
            reinterpret_cast<std::int16_t const*>(keys + k) + begin);
        auto const o = outputs(layout, key), s = prompts(layout, key);
        output_sum += o;
        totals += Unsigned(schedule.start(s, o, s - memory));
        if (k % 8 == 7) flush<Kind>(totals, out.total_latency + begin);
    }
    flush<Kind>(totals, out.total_latency + begin);
    write<Kind>(out.output_sum + begin, output_sum);
    write<Kind>(out.makespan + begin, schedule.makespan());
    write<Kind>(out.peak_memory + begin, schedule.peak_memory());
    write<Kind>(out.events + begin, schedule.event_rounds());
    write<Kind>(out.lost + begin, schedule.lost_track());
}

CRX_VECTOR_CLONES void schedule(Row const* keys, int n, KeyLayout const& layout,
                                std::int16_t memory, LaneOutcomes& out)
{
    schedule_some<AllLanes>(keys, n, layout, memory, 0, out);
}
/// Half of the lanes at a time: registers of 32 bytes hold what is known of these.
CRX_VECTOR_CLONES void schedule_halves(Row const* keys, int n, KeyLayout const& layout,
                                       std::int16_t memory, LaneOutcomes& out)
{
    schedule_some<HalfLanes>(keys, n, layout, memory, 0, out);
    schedule_some<HalfLanes>(keys, n, layout, memory, lanes / 2, out);
}

} // namespace

void schedule_lanes(Row const* keys, int n, KeyLayout const& layout, std::int32_t memory,
                    LaneOutcomes& out)
{
    auto const chosen = lane_width() >= LaneWidth::full ? schedule : schedule_halves;
    chosen(keys, n, layout, static_cast<std::int16_t>(memory), out);
}

} // namespace crx::mc_sf_batch
