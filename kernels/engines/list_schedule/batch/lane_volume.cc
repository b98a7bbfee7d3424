#include "kernels/engines/list_schedule/batch/lane_volume.hh"

#include "kernels/simd/vector_clones.hh"

#include <cstring>

// All functions with vectors are inlined, so it does not matter how they would be passed.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace crx::mc_sf_batch {
namespace {

CRX_VECTOR_CLONES void write_volumes(Row const* keys, int n, KeyLayout const& layout, Row* volumes)
{
    for (int k = 0; k < n; ++k) {
        auto const o = UnsignedLanes(outputs(layout, keys[k].at));
        auto const s = UnsignedLanes(prompts(layout, keys[k].at));
        // o (o + 1) may need 16 bits and all is below 2^16 then, as the volume is below 2^15.
        volumes[k].at = Lanes(s * o + o * (o + std::uint16_t{1}) / std::uint16_t{2});
    }
}

/// In floats, whose division is exact enough: for integers P < 2^24 and M, P / M is an integer or
/// at least a part 2^-24 below the next one, so it does not round up to it.
CRX_VECTOR_CLONES void add_up(Row const* keys, Row const* volumes, int n, KeyLayout const& layout,
                              float memory, std::int32_t* bounds)
{
    std::int32_t sums[lanes] = {}, totals[lanes] = {};
    for (int k = 0; k < n; ++k) {
        std::int16_t volume[lanes], output[lanes];
        auto const o = outputs(layout, keys[k].at);
        std::memcpy(volume, &volumes[k], sizeof volume);
        std::memcpy(output, &o, sizeof output);
        for (int lane = 0; lane < lanes; ++lane) {
            sums[lane] += volume[lane];
            auto const by_volume =
                1 + static_cast<std::int32_t>(static_cast<float>(sums[lane] - 1) / memory);
            totals[lane] += by_volume > output[lane] ? by_volume : std::int32_t{output[lane]};
        }
    }
    std::memcpy(bounds, totals, sizeof totals);
}

} // namespace

void bound_lanes(Row const* keys, int n, KeyLayout const& layout, std::int32_t memory,
                 std::span<Exchange const> exchanges, Row* volumes, std::int32_t* bounds)
{
    write_volumes(keys, n, layout, volumes);
    sort_lanes(exchanges, volumes);
    add_up(keys, volumes, n, layout, static_cast<float>(memory), bounds);
}

} // namespace crx::mc_sf_batch
