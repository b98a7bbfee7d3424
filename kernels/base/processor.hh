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

// How functions of a source *_simd.cc are called, which is compiled for each instruction set
// (cmake/crx_simd.cmake). Such a source defines its functions in namespace crx::CRX_SIMD_LEVEL. A
// header that everybody may include declares them by
//
//     CRX_FOR_EACH_LEVEL(int count(int const* numbers, int n);)
//
// and CRX_AT_LEVEL(level, count) is a pointer to the one for a level, null where there is none or
// the processor lacks its instructions.
#ifdef CRX_HAVE_SIMD
#define CRX_FOR_EACH_LEVEL(...)                                                                    \
    namespace avx2 {                                                                               \
    __VA_ARGS__                                                                                    \
    }                                                                                              \
    namespace avx512 {                                                                             \
    __VA_ARGS__                                                                                    \
    }
#define CRX_AT_LEVEL(level, name)                                                                  \
    (usable_level(level) >= SimdLevel::avx512 ? &avx512::name                                      \
     : usable_level(level) == SimdLevel::avx2 ? &avx2::name                                        \
                                              : nullptr)
#else
#define CRX_FOR_EACH_LEVEL(...)                                                                    \
    namespace no_level {                                                                           \
    __VA_ARGS__                                                                                    \
    }
#define CRX_AT_LEVEL(level, name) (static_cast<decltype(&no_level::name)>(nullptr))
#endif
