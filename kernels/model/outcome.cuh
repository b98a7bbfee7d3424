#pragma once

#include "kernels/base/host_device.cuh"

namespace crx {

/// What one policy did with one instance.
struct Outcome
{
    std::int64_t total_latency = 0; ///< TEL, sum of c_i - a_i, rounds
    Rounds makespan = 0;            ///< last completion
    Tokens peak_memory = 0;         ///< most memory held at any time
    std::int64_t cancellations = 0;
    std::int64_t wasted_tokens = 0; ///< generated, then lost to a cancellation
    std::int64_t events = 0;        ///< rounds the engine stopped at: the work it did
    std::int32_t finished = 1;      ///< 0: the policy cycles for ever on this instance

    bool operator==(Outcome const&) const = default;
};

/// What a ratio is divided by (SPEC section 5).
enum class BaselineKind : std::uint8_t
{
    h_sf = 0,   ///< TEL of mc-sf with true lengths: a schedule, an upper bound on OPT
    volume = 1, ///< the volume bound, all at 0: a lower bound on OPT
};
inline constexpr int baseline_kinds = 2;

} // namespace crx
