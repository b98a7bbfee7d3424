#pragma once

#include "kernels/engines/list_schedule/batch/key_layout.cuh"

// CPU only. Many small instances side by side, one in each lane of a vector: what is decided for
// one of them would be a branch, for 32 of them it is a mask. GCC makes of these types whatever the
// processor has.
namespace crx::mc_sf_batch {

inline constexpr int lanes = 32;

/// A number below 2^15 of each instance. Aligned for the widest registers, as functions for them
/// are compiled beside others (kernels/simd/vector_clones.hh).
using Lanes = std::int16_t __attribute__((vector_size(2 * lanes), aligned(2 * lanes)));
using UnsignedLanes = std::uint16_t __attribute__((vector_size(2 * lanes), aligned(2 * lanes)));

/// Lanes in memory: containers do not see the alignment of a vector.
struct Row
{
    Lanes at;
};
static_assert(alignof(Row) == 2 * lanes);

// All functions with vectors are inlined, so it does not matter how they would be passed.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

[[gnu::always_inline]] inline Lanes larger(Lanes const& a, Lanes const& b) { return a > b ? a : b; }
[[gnu::always_inline]] inline Lanes smaller(Lanes const& a, Lanes const& b)
{
    return a < b ? a : b;
}

/// Outputs and prompts of the requests with these keys.
template <class Number>
[[gnu::always_inline]] inline Number outputs(KeyLayout const& layout, Number const& key)
{
    auto const least = static_cast<std::int16_t>(layout.least_output);
    return (key >> layout.output_shift) + least;
}
template <class Number>
[[gnu::always_inline]] inline Number prompts(KeyLayout const& layout, Number const& key)
{
    // Numbers of their own: under sanitizers GCC takes an expression for a wider one.
    auto const digits = static_cast<std::int16_t>((1 << layout.number_shift) - 1);
    auto const least = static_cast<std::int16_t>(layout.least_prompt);
    return (key & digits) + least;
}

#pragma GCC diagnostic pop

} // namespace crx::mc_sf_batch
