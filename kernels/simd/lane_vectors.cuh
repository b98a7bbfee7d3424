#pragma once

// Vectors of 32-bit integers under the same names for several kinds of processors, so that what is
// written with them is compiled for each: with AVX-512 sixteen lanes, with AVX2 eight, and on a
// card the 32 threads of a warp. Included through the headers that are written so, by
// few_avx512.cc, few_avx2.cc and what runs warps alone; they say for what processor it is compiled,
// so it is no part of any other object file.
#if CRX_LANE_BITS == 1024
#include "kernels/simd/warp_lanes.cuh"
#elif CRX_LANE_BITS == 512
#include "kernels/simd/lane_vectors_avx512.hh"
#elif CRX_LANE_BITS == 256
#include "kernels/simd/lane_vectors_avx2.hh"
#else
#error "CRX_LANE_BITS must be 1024 (a warp), 512 (AVX-512) or 256 (AVX2)"
#endif

namespace crx {
namespace {

/// Whether lanes are the threads of a warp: then arrays of vectors are registers, which cannot be
/// indexed by what is not known when it is compiled, and arrays in memory are far away.
template <class L>
inline constexpr bool lanes_are_threads = L::count == 32;

} // namespace
} // namespace crx

#if CRX_LANE_BITS != 1024
namespace crx {
namespace {

/// Writes one number: of a warp one thread does, and the others wait for it.
template <class T>
inline void write_one(T* to, T const& value)
{
    *to = value;
}

} // namespace
} // namespace crx
#endif
