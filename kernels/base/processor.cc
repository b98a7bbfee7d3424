#include "kernels/base/processor.hh"

#ifdef CRX_HAVE_SIMD
#include <cpuid.h>
#endif

namespace crx {

#ifdef CRX_HAVE_SIMD
namespace {

/// What no compiler asks for by name alike: LZCNT and F16C.
bool has_lzcnt_and_f16c()
{
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & bit_F16C) == 0) return false;
    return __get_cpuid(0x80000001, &a, &b, &c, &d) != 0 && (c & bit_LZCNT) != 0;
}

SimdLevel detect()
{
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
        !__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2") ||
        !__builtin_cpu_supports("popcnt") || !has_lzcnt_and_f16c())
        return SimdLevel::none;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512vl") ||
        !__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512dq"))
        return SimdLevel::avx2;
    return SimdLevel::avx512;
}

} // namespace

SimdLevel simd_level()
{
    static auto const level = detect();
    return level;
}
#else
SimdLevel simd_level() { return SimdLevel::none; }
#endif

SimdLevel usable_level(SimdLevel level) { return level <= simd_level() ? level : SimdLevel::none; }

} // namespace crx
