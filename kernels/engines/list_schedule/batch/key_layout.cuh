#pragma once

#include "kernels/laws/workload.cuh"

#include <optional>

namespace crx::mc_sf_batch {

/// Largest memory, and largest sum of outputs, of an instance: numbers on the way reach their sum,
/// and on the CPU eight completion times are added before they leave 16 bits.
inline constexpr std::int32_t most_rounds = 8191;
/// Largest volume of a request, and largest sum of an instance's volumes, for the volume bound.
inline constexpr std::int32_t most_volume = 32767;
inline constexpr std::int32_t most_volume_sum = (1 << 24) - 1;

/// How a request lies in a key of 15 bits, so that keys ascend as MC-SF's order: its output, its
/// number, its prompt. Where all prompts are equal, requests of equal output are the same and have
/// no number.
struct KeyLayout
{
    std::int32_t least_output = 1, least_prompt = 0;
    int number_shift = 0, output_shift = 0; ///< bits below the number and below the output

    CRX_HD std::int32_t key(std::int32_t output, std::int32_t number, std::int32_t prompt) const
    {
        return (output - least_output) << output_shift |
               (output_shift > 0 ? number << number_shift : 0) | (prompt - least_prompt);
    }
};

/// Whether MC-SF of this workload's instances can be made side by side, and how: independent
/// lengths, all at 0 under the unit clock, at most 256 requests, whose numbers fit and which all
/// fit alone.
std::optional<KeyLayout> layout_serving(WorkloadView const& workload);
/// Whether volume bounds of such a workload fit too.
bool bounds_volume(WorkloadView const& workload);

} // namespace crx::mc_sf_batch
