#include "kernels/base/processor.hh"

namespace crx {

LaneWidth lane_width()
{
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
    static auto const width = __builtin_cpu_supports("x86-64-v4")   ? LaneWidth::full
                              : __builtin_cpu_supports("x86-64-v3") ? LaneWidth::half
                                                                    : LaneWidth::none;
    return width;
#else
    return LaneWidth::none;
#endif
}

} // namespace crx
