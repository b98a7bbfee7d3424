#include "kernels/lockstep/lane_schedule.hh"

#include "kernels/base/vector_clones.hh"

#include <cstring>

// All functions with vectors are inlined, so it does not matter how they would be passed.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace crx::lockstep {
namespace {

constexpr int slots = 8;

void write(std::int16_t* to, Lanes const& from) { std::memcpy(to, &from, sizeof from); }

// Masks are made by arithmetic: of comparisons as values GCC makes code lane by lane.
[[gnu::always_inline]] inline Lanes negative(Lanes const& v) { return v >> 15; }
[[gnu::always_inline]] inline Lanes not_zero(Lanes const& v) { return (v | -v) >> 15; }
[[gnu::always_inline]] inline Lanes select(Lanes const& mask, Lanes const& yes, Lanes const& no)
{
    return no ^ ((yes ^ no) & mask);
}

/// Adds sums that 16 bits hold to wider ones, and begins them anew.
void flush(UnsignedLanes& sums, std::int32_t* totals)
{
    for (int lane = 0; lane < lanes; ++lane) totals[lane] += sums[lane];
    sums = UnsignedLanes{};
}

CRX_VECTOR_CLONES void schedule(Row const* keys, int n, KeyLayout const& layout,
                                std::int16_t memory, LaneOutcomes& out)
{
    // As in ListSchedule: ends to come and what is held at each, plus its time. The latest is last;
    // slots not in use ended before time 0.
    Lanes end[slots], load[slots];
    for (int i = 0; i < slots; ++i) end[i] = load[i] = Lanes{} - std::int16_t{1};
    Lanes t{}, peak{}, lost{}, output_sum{};
    Lanes events = Lanes{} + std::int16_t{1}; // round 0, in which the first request starts
    UnsignedLanes totals{};                   // of at most eight requests
    std::memset(out.total_latency, 0, sizeof out.total_latency);
    for (int k = 0; k < n; ++k) {
        auto const o = layout.output(keys[k].at), s = layout.prompt(keys[k].at);
        auto const excess = s - memory;
        auto bound = t;
#pragma GCC unroll 8
        for (int i = 0; i < slots; ++i) bound = larger(bound, smaller(end[i], load[i] + excess));
        auto const later = negative(t - bound);
        t = bound;
        UnsignedLanes nearest = ~UnsignedLanes{}; // 0: something ends in round t
#pragma GCC unroll 8
        for (int i = 0; i < slots; ++i) {
            auto const past = t - end[i]; // negative: it is to come
            auto const distance = reinterpret_cast<UnsignedLanes>(past);
            nearest = distance < nearest ? distance : nearest;
            load[i] += negative(past) & (s - past);
        }
        events -=
            later & not_zero(reinterpret_cast<Lanes>(nearest)); // a start in a round of its own
        auto const own_end = t + o;
        auto const fresh = not_zero(end[slots - 1] - own_end);
        lost |= negative(t - end[0]) & fresh;
        peak = larger(peak, load[0] - end[0]); // what is held at an end only grows
#pragma GCC unroll 8
        for (int i = 0; i + 1 < slots; ++i) {
            end[i] = select(fresh, end[i + 1], end[i]);
            load[i] = select(fresh, load[i + 1], load[i]);
        }
        end[slots - 1] = own_end;
        load[slots - 1] = select(fresh, own_end + (s + o), load[slots - 1]);
        events -= fresh; // an end of its own
        output_sum += o;
        totals += reinterpret_cast<UnsignedLanes>(own_end);
        if (k % 8 == 7) flush(totals, out.total_latency);
    }
    flush(totals, out.total_latency);
#pragma GCC unroll 8
    for (int i = 0; i < slots; ++i) peak = larger(peak, load[i] - end[i]);
    write(out.output_sum, output_sum);
    write(out.makespan, end[slots - 1]);
    write(out.peak_memory, peak);
    write(out.events, events);
    write(out.lost, lost);
}

} // namespace

void schedule_lanes(Row const* keys, int n, KeyLayout const& layout, std::int32_t memory,
                    LaneOutcomes& out)
{
    schedule(keys, n, layout, static_cast<std::int16_t>(memory), out);
}

} // namespace crx::lockstep
