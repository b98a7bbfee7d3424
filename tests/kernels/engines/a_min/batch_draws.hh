#pragma once

#include "kernels/base/processor.hh"

#include <cstdint>

namespace crx_test {

struct BatchDraws
{
    int differing = 0; ///< not what WordStream draws
    int again = 0;     ///< for which an upper half of a word was not enough
};

} // namespace crx_test

namespace crx {

/// Draws by BatchWords, in lanes of 16 or of 32 bits, beside those of WordStream: some lanes at a
/// time, by proposals or one by one, every other count large.
CRX_FOR_EACH_LEVEL(crx_test::BatchDraws draw_in_batches(bool in_16_bits, std::uint64_t seed,
                                                        int turns);)

} // namespace crx
