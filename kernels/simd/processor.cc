#include "kernels/simd/processor.hh"

namespace crx {

LaneWidth lane_width()
{
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
    static auto const width = [] {
        if (!__builtin_cpu_supports("x86-64-v3")) return LaneWidth::none;
        if (!__builtin_cpu_supports("x86-64-v4")) return LaneWidth::half;
        bool const counts =
            __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512vbmi2");
        return counts ? LaneWidth::counting : LaneWidth::full;
    }();
    return width;
#else
    return LaneWidth::none;
#endif
}

} // namespace crx
