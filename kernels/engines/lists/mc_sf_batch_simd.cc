#include "kernels/base/lane_moves.hh"
#include "kernels/engines/lists/mc_sf_batch.hh"
#include "kernels/engines/lists/short_schedule.cuh"

#include <cstring>

namespace crx::mc_sf_batch {
namespace {

using V = Lanes<std::int16_t>;
static_assert(lanes % V::count == 0); // with AVX2 half of the instances at a time

CRX_IN_LANES V outputs(KeyLayout const& layout, V key)
{
    return V{hn::ShiftRightSame(key.v, layout.output_shift)} + V::all(layout.least_output);
}
CRX_IN_LANES V prompts(KeyLayout const& layout, V key)
{
    return (key & V::all((1 << layout.number_shift) - 1)) + V::all(layout.least_prompt);
}

/// As many instances as V has lanes, from `begin` on.
CRX_IN_LANES void schedule_some(std::span<Row const> keys, KeyLayout const& layout,
                                std::int32_t memory, int begin, LaneOutcomes& out)
{
    ShortSchedule<V> schedule;
    auto output_sum = V::zero(), sums = V::zero(); // sums: of at most eight requests
    Wide totals[V::parts] = {Wide::zero(), Wide::zero()};
    auto const flush = [&]() CRX_LAMBDA_IN_LANES {
        for_each_part<V>([&](auto p)
                             CRX_LAMBDA_IN_LANES { totals[p] = totals[p] + part_of<p()>(sums); });
        sums = V::zero();
    };
    int k = 0;
    for (auto const& row : keys) {
        auto const key = V::load(row.of + begin);
        auto const o = outputs(layout, key), s = prompts(layout, key);
        output_sum = output_sum + o;
        sums = sums + schedule.start(s, o, s - V::all(memory));
        if (++k % 8 == 0) flush();
    }
    flush();
    for_each_part<V>([&](auto p) CRX_LAMBDA_IN_LANES {
        store(out.total_latency + begin + p() * Wide::count, totals[p]);
    });
    store(out.output_sum.of + begin, output_sum);
    store(out.makespan.of + begin, schedule.makespan());
    store(out.peak_memory.of + begin, schedule.peak_memory());
    store(out.events.of + begin, schedule.event_rounds());
    store(out.lost.of + begin, schedule.lost_track());
}

void sort(std::span<Exchange const> exchanges, Row* rows)
{
    for (auto const exchange : exchanges)
        for (int k = 0; k < lanes; k += V::count) {
            auto *const low = rows[exchange.low].of + k, *const high = rows[exchange.high].of + k;
            auto const a = V::load(low), b = V::load(high);
            store(low, smaller(a, b));
            store(high, larger(a, b));
        }
}

void write_volumes(std::span<Row const> keys, KeyLayout const& layout, Row* volumes)
{
    for (auto const& row : keys) {
        for (int k = 0; k < lanes; k += V::count) {
            auto const key = V::load(row.of + k), o = outputs(layout, key);
            // o (o + 1) may need 16 bits and all is below 2^16 then, as the volume is below 2^15.
            auto const own = shifted_right<1>(without_sign(o * (o + V::all(1))));
            store(volumes->of + k, prompts(layout, key) * o + same_bits<std::int16_t>(own));
        }
        ++volumes;
    }
}

} // namespace

namespace CRX_SIMD_LEVEL {

void join_keys(std::int32_t const* output, std::int32_t const* prompt, int count, int first,
               KeyLayout const& layout, Row* keys)
{
    for (int k = 0; k < count; ++k, output += lanes, prompt += lanes)
        for (int lane = 0; lane < lanes; ++lane)
            keys[first + k].of[lane] =
                static_cast<std::int16_t>(layout.key(output[lane], first + k, prompt[lane]));
}

void sort_rows(std::span<Exchange const> exchanges, Row* rows) { sort(exchanges, rows); }

[[gnu::flatten]] void schedule_rows(std::span<Row const> keys, KeyLayout const& layout,
                                    std::int32_t memory, LaneOutcomes& out)
{
    for (int k = 0; k < lanes; k += V::count) schedule_some(keys, layout, memory, k, out);
}

/// In floats, whose division is exact enough: for integers P < 2^24 and M, P / M is an integer or
/// at least a part 2^-24 below the next one, so it does not round up to it.
void bound_rows(std::span<Row const> keys, KeyLayout const& layout, std::int32_t memory,
                std::span<Exchange const> exchanges, Row* volumes, std::int32_t* bounds)
{
    write_volumes(keys, layout, volumes);
    sort(exchanges, volumes);
    auto const divisor = static_cast<float>(memory);
    std::int32_t sums[lanes] = {}, totals[lanes] = {};
    for (auto const& row : keys) {
        Row output;
        for (int k = 0; k < lanes; k += V::count)
            store(output.of + k, outputs(layout, V::load(row.of + k)));
        auto const volume = *volumes++;
        for (int lane = 0; lane < lanes; ++lane) {
            sums[lane] += volume.of[lane];
            auto const by_volume =
                1 + static_cast<std::int32_t>(static_cast<float>(sums[lane] - 1) / divisor);
            totals[lane] += by_volume > output.of[lane] ? by_volume : output.of[lane];
        }
    }
    std::memcpy(bounds, totals, sizeof totals);
}

} // namespace CRX_SIMD_LEVEL
} // namespace crx::mc_sf_batch
