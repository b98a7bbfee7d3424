#pragma once

// CPU only. Vectors of 32-bit integers under the same names for two kinds of processors, so that
// what is written with them is compiled for both: with AVX-512 sixteen lanes, with AVX2 eight.
// Included by few_avx512.cc and few_avx2.cc alone, through the headers that are written so; they
// say for what processor it is compiled, so it is no part of any other object file.
#if CRX_LANE_BITS == 512
#include "kernels/engine/lane_vectors_avx512.hh"
#elif CRX_LANE_BITS == 256
#include "kernels/engine/lane_vectors_avx2.hh"
#else
#error "CRX_LANE_BITS must be 512 (AVX-512) or 256 (AVX2)"
#endif
