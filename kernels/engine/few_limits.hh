#pragma once

#include "kernels/engine/front_class.hh"
#include "kernels/model/requests.cuh"

// CPU only, as lane_vectors.hh.
namespace crx {
namespace {

inline bool all_at_0(Requests const& r)
{
    Instant any = 0;
    for (std::int64_t i = 0; i < r.n; ++i) any |= r.arrival[i];
    return any == 0;
}

/// Whether 32 bits are enough for 64 times what is computed of the requests' working lengths, and
/// prompts fit the words of FrontClass.
inline bool fits_lanes(Requests const& r)
{
    constexpr std::uint32_t output_limit = 1 << 23, prompt_limit = FrontClass::prompt_limit;
    std::uint32_t outputs = 0, prompts = 0; // limits are powers of two, so all bits together do
    for (std::int64_t i = 0; i < r.n; ++i) {
        outputs |= static_cast<std::uint32_t>(r.output[i]);
        prompts |= static_cast<std::uint32_t>(r.prompt[i]);
    }
    return outputs < output_limit && prompts < prompt_limit;
}

} // namespace
} // namespace crx
