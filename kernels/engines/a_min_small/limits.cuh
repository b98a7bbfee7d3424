#pragma once

#include "kernels/engines/a_min_small/waiting_queue_by_length.cuh"
#include "kernels/model/requests.cuh"

namespace crx {
namespace {

#ifdef CRX_WARP_LANES
CRX_HD inline bool all_at_0(Requests const& r)
{
    auto later = Lanes::zero();
    for (std::int64_t k = 0; k < r.n; k += Lanes::count)
        later = later | lanes_of(LaneSet::below(static_cast<std::int32_t>(r.n - k)),
                                 [&](int lane) { return r.arrival[k + lane] != 0; });
    return any_bits_of(later) == 0;
}
#else
inline bool all_at_0(Requests const& r)
{
    Instant any = 0;
    for (std::int64_t i = 0; i < r.n; ++i) any |= r.arrival[i];
    return any == 0;
}
#endif

/// Outputs below it: 32 bits are enough for 64 times what is computed of working lengths.
inline constexpr std::uint32_t lanes_output_limit = 1 << 23;

/// Whether outputs are below a power of two, and prompts fit the words of WaitingQueueByLength.
CRX_HD inline bool fits_lanes(Requests const& r, std::uint32_t output_limit = lanes_output_limit)
{
    constexpr std::uint32_t prompt_limit = WaitingMember::prompt_limit;
    std::uint32_t outputs = 0, prompts = 0; // limits are powers of two, so all bits together do
#ifdef CRX_WARP_LANES
    auto all_outputs = Lanes::zero(), all_prompts = Lanes::zero();
    for (std::int64_t k = 0; k < r.n; k += Lanes::count) {
        auto const some = LaneSet::below(static_cast<std::int32_t>(r.n - k));
        all_outputs = all_outputs | gather(some, r.output + k, Lanes::numbers());
        all_prompts = all_prompts | gather(some, r.prompt + k, Lanes::numbers());
    }
    outputs = any_bits_of(all_outputs);
    prompts = any_bits_of(all_prompts);
#else
    for (std::int64_t i = 0; i < r.n; ++i) {
        outputs |= static_cast<std::uint32_t>(r.output[i]);
        prompts |= static_cast<std::uint32_t>(r.prompt[i]);
    }
#endif
    return outputs < output_limit && prompts < prompt_limit;
}

} // namespace
} // namespace crx
