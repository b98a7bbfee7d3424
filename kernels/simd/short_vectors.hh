#pragma once

#include "kernels/simd/lane_vectors.cuh"

#include <utility>

// CPU only. ShortLanes: twice as many lanes as Lanes, of 16 bits each, under the same names; and
// what is written for either of them goes through a ShortLanes as two parts of Lanes where it needs
// 32 bits.
#if CRX_LANE_BITS == 512
#include "kernels/simd/short_vectors_avx512.hh"
#else
#include "kernels/simd/short_vectors_avx2.hh"
#endif

namespace crx {
namespace {

template <int part>
inline Lanes part_of(Lanes a)
{
    return a;
}
template <int part>
inline LaneSet part_of(LaneSet s)
{
    return s;
}
inline Lanes joined(Lanes const (&parts)[Lanes::parts]) { return parts[0]; }
inline LaneSet joined(LaneSet const (&parts)[Lanes::parts]) { return parts[0]; }

/// Calls `work` with the number of each part of a V, a constant.
template <class V, class Work>
[[gnu::always_inline]] inline void for_each_part(Work work)
{
    [&]<int... part>(std::integer_sequence<int, part...>)
    {
        (work(std::integral_constant<int, part>{}), ...);
    }
    (std::make_integer_sequence<int, V::parts>{});
}

} // namespace
} // namespace crx
