#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace crx {

/// Constants of the affine clock: a round lasts `d0 + (d1 * tokens held + d2 * prompt tokens that
/// enter) / 2^16` nanoseconds (docs/model.md#affine-clock).
struct MachineProfile
{
    std::string_view id;
    std::string_view meaning;
    std::int64_t d0 = 0; ///< nanoseconds: every weight is read once
    std::int64_t d1 = 0; ///< nanoseconds in 2^-16: the keys and values of one token are read once
    std::int64_t d2 = 0; ///< nanoseconds in 2^-16: one prompt token goes through every matrix
};

/// A decoder with gated feed-forward layers and 16-bit weights, as its configuration has it.
struct Transformer
{
    std::int64_t layers = 0, hidden = 0, feed_forward = 0, heads = 0, key_value_heads = 0,
                 vocabulary = 0;

    /// Numbers in the matrices and norms that every token passes in all layers.
    constexpr std::int64_t layer_parameters() const
    {
        auto const head = hidden / heads;
        auto const attention = 2 * hidden * hidden + 2 * hidden * key_value_heads * head;
        return layers * (attention + 3 * hidden * feed_forward + 2 * hidden);
    }
    /// All of them: with the embedding, the output matrix and the last norm.
    constexpr std::int64_t parameters() const
    {
        return layer_parameters() + 2 * vocabulary * hidden + hidden;
    }
    /// Bytes of the keys and values of one token.
    constexpr std::int64_t token_bytes() const
    {
        return 2 * 2 * layers * key_value_heads * (hidden / heads);
    }
};

/// What a vendor's data sheet says of one GPU.
struct Accelerator
{
    std::int64_t bytes_per_second = 0;      ///< of its memory
    std::int64_t operations_per_second = 0; ///< 16-bit multiplications and additions, dense
};

/// Constants of `gpus` GPUs that share a model evenly and work at the rates of the data sheet:
/// weights and keys and values over memory bandwidth, two operations a weight and prompt token
/// over the arithmetic rate. Sources and what is left out: docs/profiles.md.
///
/// Contract: all numbers positive. Each constant is rounded to the nearest unit.
MachineProfile derive_profile(std::string_view id, std::string_view meaning,
                              Transformer const& model, Accelerator const& gpu, int gpus);

/// Llama 2 (Touvron et al. 2023): the configurations published with the weights.
inline constexpr Transformer llama2_70b{80, 8192, 28672, 64, 8, 32000};
inline constexpr Transformer llama2_7b{32, 4096, 11008, 32, 32, 32000};
/// NVIDIA A100 80GB SXM (data sheet, 2021): 2,039 GB/s; 312 TFLOPS of 16-bit tensor cores.
inline constexpr Accelerator a100_80gb{2'039'000'000'000, 312'000'000'000'000};

/// The profiles that an experiment can name, in the order in which messages list them.
std::array<MachineProfile, 2> const& machine_profiles();

/// The profile of that name, or null.
MachineProfile const* machine_profile_named(std::string_view id);

} // namespace crx
