#pragma once

#include "kernels/random/buffered_words.hh"
#include "kernels/random/hypergeometric_ziggurat.cuh"

namespace crx {

/// HypergeometricZiggurat's layers as lanes look them up, in each row a number of each layer. On
/// the CPU.
struct ZigguratRows
{
    /// What a step of a word's place is in Y, for each scale; the lowest 16 bits are
    /// HypergeometricZiggurat::inner instead, which leaves it within 2^-36 of itself.
    double reach[HypergeometricZiggurat::layers];
    /// The same as a float in the lower half, HypergeometricZiggurat::inner as one in the upper.
    double short_reach[HypergeometricZiggurat::layers];
    double outer[HypergeometricZiggurat::layers]; ///< HypergeometricZiggurat::outer
    double begin[HypergeometricZiggurat::layers]; ///< 2^23 times its height
    double thick[HypergeometricZiggurat::layers];
};

// Not inline: what includes this may be compiled for processors with wider vectors.
extern ZigguratRows const ziggurat_rows;

} // namespace crx

// What HypergeometricLanes leaves to be done draw by draw, not inline: templates that are
// instantiated where code is made for wider vectors must not be shared with other files.

namespace crx {

std::int64_t hypergeometric_one(std::int64_t population, std::int64_t marked, std::int64_t draws,
                                BufferedWords& words);

} // namespace crx
