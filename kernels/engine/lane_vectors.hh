#pragma once

// CPU only. Vectors of 32-bit integers under the same names for two kinds of processors, so that
// what is written with them is compiled for both: with AVX-512 sixteen lanes, with AVX2 eight.
// Included by files that are compiled for one of the two (few_forms.hh) and say for which.
#if CRX_LANES_FOR == 512
#include "kernels/engine/lane_vectors_avx512.hh"
#elif CRX_LANES_FOR == 2
#include "kernels/engine/lane_vectors_avx2.hh"
#else
#error "CRX_LANES_FOR must be 512 (AVX-512) or 2 (AVX2)"
#endif
