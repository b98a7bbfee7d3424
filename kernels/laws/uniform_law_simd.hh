#pragma once

#include "kernels/laws/uniform_law.cuh"
#include "kernels/simd/levels.hh"

namespace crx {

/// UniformLaw::draw of n words.
CRX_FOR_EACH_LEVEL(void draw_uniform(UniformLaw law, std::uint64_t const* words, std::int64_t n,
                                     std::int32_t* out);)

} // namespace crx
