#pragma once

#include "kernels/engine/lane_vectors.cuh"

#include <utility>

// CPU only. ShortLanes: twice as many lanes as Lanes, of 16 bits each, under the same names; and
// what is written for either of them goes through a ShortLanes as two parts of Lanes where it needs
// 32 bits.
#if CRX_LANE_BITS == 512
#include "kernels/engine/short_vectors_avx512.hh"
#else
#include "kernels/engine/short_vectors_avx2.hh"
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

/// Quotients of numbers >= 0 rounded down; means nothing where b is 0. Exact: a quotient of two
/// 16-bit integers that is none is further from the next one than a float is wrong.
inline ShortLanes quotients(ShortLanes a, ShortLanes b)
{
    Lanes parts[ShortLanes::parts];
    for_each_part<ShortLanes>(
        [&](auto p) { parts[p] = quotients_by_floats(part_of<p()>(a), part_of<p()>(b)); });
    return joined(parts);
}

} // namespace
} // namespace crx
