#pragma once

#include <cstdint>

// CPU only. Many small instances side by side, one in each lane of a vector: what is decided for
// one of them would be a branch, for 32 of them it is a mask. GCC makes of these types whatever the
// processor has.
namespace crx::lockstep {

inline constexpr int lanes = 32;

/// A number below 2^15 of each instance. Aligned for the widest registers, as functions for them
/// are compiled beside others (kernels/base/vector_clones.hh).
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

/// How a request lies in a key, so that keys ascend as MC-SF's order: its output, its number, its
/// prompt. Where all prompts are equal, requests of equal output are the same and have no number.
struct KeyLayout
{
    std::int32_t least_output = 1, least_prompt = 0;
    int number_shift = 0, output_shift = 0; ///< bits below the number and below the output

    Lanes output(Lanes const& key) const
    {
        return (key >> output_shift) + static_cast<std::int16_t>(least_output);
    }
    Lanes prompt(Lanes const& key) const
    {
        return (key & static_cast<std::int16_t>((1 << number_shift) - 1)) +
               static_cast<std::int16_t>(least_prompt);
    }
};

#pragma GCC diagnostic pop

} // namespace crx::lockstep
