#pragma once

#include "kernels/simd/processor.hh"

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
