#pragma once

// Whether parts of the program are compiled for wider vectors; cmake/crx_simd.cmake asks this file.
#if defined(__x86_64__) && defined(__GNUC__)
#define CRX_HAVE_SIMD 1
#endif

namespace crx {

/// The instruction sets that parts of the program are compiled for. All that is written for them
/// computes the integers of the portable code, so results do not depend on the answer.
enum class SimdLevel
{
    none,
    avx2,  ///< vectors of 32 bytes: AVX2, FMA, F16C, BMI, BMI2, LZCNT, POPCNT (as in x86-64-v3)
    avx512 ///< vectors of 64 bytes: AVX-512 F, VL, BW, DQ besides (as in x86-64-v4)
};
/// The widest that this processor has, its operating system allows and the program is compiled for.
SimdLevel simd_level();
/// `level` where this processor has its instructions, else none.
SimdLevel usable_level(SimdLevel level);

} // namespace crx
