#pragma once

#include "kernels/random/layer_hat.cuh"

namespace crx {

/// LayerHat's layers as lanes look them up, in each row a number of each layer. On the CPU.
struct LayerRows
{
    /// What a step of a word's place is in Y, for each scale; the lowest 16 bits are
    /// LayerHat::inner instead, which leaves it within 2^-36 of itself.
    double reach[LayerHat::layers];
    /// The same as a float in the lower half, LayerHat::inner as one in the upper.
    double short_reach[LayerHat::layers];
    double outer[LayerHat::layers]; ///< LayerHat::outer
    double begin[LayerHat::layers]; ///< 2^23 times its height
    double thick[LayerHat::layers];
};

// Not inline: what includes this may be compiled for processors with wider vectors.
extern LayerRows const layer_rows;

} // namespace crx
