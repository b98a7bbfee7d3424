#pragma once

#include <cstddef>
#include <cstdint>
#include <immintrin.h>

// CPU only: included by source files that are compiled for AVX-512 or for AVX2 from here on, and
// say which by CRX_WIDE_BYTES, the size of a register (after a pragma that says so, GCC 12 compiles
// for AVX-512 but defines no __AVX512F__). What lies in the unnamed namespace differs between them.

#define CRX_WIDE [[gnu::always_inline]] inline

namespace crx::wide {
namespace {

inline constexpr int lanes = CRX_WIDE_BYTES / 4;

/// A register of floats or of 32-bit integers. GCC's own vectors add, subtract, multiply and divide
/// them; the functions of wide_avx512.hh and wide_avx2.hh do the rest, by the same names.
using Floats = float __attribute__((vector_size(CRX_WIDE_BYTES), aligned(CRX_WIDE_BYTES)));
using Ints = std::int32_t __attribute__((vector_size(CRX_WIDE_BYTES), aligned(CRX_WIDE_BYTES)));
/// 32-bit integers without a sign, for what is computed modulo 2^32.
using Unsigned =
    std::uint32_t __attribute__((vector_size(CRX_WIDE_BYTES), aligned(CRX_WIDE_BYTES)));
/// The same of 16-bit integers, two where Ints has one.
using Shorts = std::int16_t __attribute__((vector_size(CRX_WIDE_BYTES), aligned(CRX_WIDE_BYTES)));

} // namespace
} // namespace crx::wide

#if CRX_WIDE_BYTES == 64
#include "kernels/simd/wide_avx512.hh"
#else
#include "kernels/simd/wide_avx2.hh"
#endif
