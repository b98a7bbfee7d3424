#pragma once

#include "kernels/base/host_device.cuh"

// CUDA sources take cuRAND's Philox (made callable on both sides), all others Random123's. They
// give the same words: tests/kernels/random holds both to the published vectors and to each other.
#ifdef __CUDACC__
#define QUALIFIERS static __forceinline__ __host__ __device__
#include <curand_philox4x32_x.h>
#undef QUALIFIERS
#else
#include <Random123/philox.h>
#endif

namespace crx {

/// Four 32-bit outputs of Philox4x32-10.
struct PhiloxBlock
{
    std::uint32_t v[4];
};

/// One block: key = seed (low half first), counter = (draw, stream, instance low, instance high).
/// Source: Salmon, Moraes, Dror and Shaw (2011), doi:10.1145/2063384.2063405.
CRX_HD inline PhiloxBlock philox_block(std::uint64_t seed, std::uint32_t draw, std::uint32_t stream,
                                       std::uint64_t instance)
{
    auto const low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
    auto const high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
#ifdef __CUDACC__
    uint4 const out = curand_Philox4x32_10(make_uint4(draw, stream, low(instance), high(instance)),
                                           make_uint2(low(seed), high(seed)));
    return {{out.x, out.y, out.z, out.w}};
#else
    r123::Philox4x32 const philox;
    auto const out =
        philox({{draw, stream, low(instance), high(instance)}}, {{low(seed), high(seed)}});
    return {{out[0], out[1], out[2], out[3]}};
#endif
}

} // namespace crx
