#include "kernels/model/length_law.cuh"

namespace crx::CRX_SIMD_LEVEL {

// The compiler makes vectors of it.
void draw_uniform(UniformLaw law, std::uint64_t const* words, std::int64_t n, std::int32_t* out)
{
    for (std::int64_t i = 0; i < n; ++i) out[i] = law.draw(words[i]);
}

} // namespace crx::CRX_SIMD_LEVEL
