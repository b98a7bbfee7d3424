#pragma once

#include "kernels/simd/warp_lanes.cuh"

namespace crx {
namespace {

// Arrays in memory moved by a warp. Several vectors are read before the first is written, as
// waiting for one of them takes as long as for all.
inline constexpr int moved_at_once = 8;

template <class T>
CRX_HD void move_vectors(T const* from, T* to, std::int32_t count)
{
    Lanes part[moved_at_once];
    for (int b = 0; b < moved_at_once; ++b)
        part[b] = gather(LaneSet::below(count - b * Lanes::count), from + b * Lanes::count,
                         Lanes::numbers());
    for (int b = 0; b < moved_at_once; ++b)
        store_where(LaneSet::below(count - b * Lanes::count), to + b * Lanes::count, part[b]);
}
/// Moves at[0 .. count-1] one place up.
template <class T>
CRX_HD void move_up(T* at, std::int32_t count)
{
    constexpr std::int32_t most = moved_at_once * Lanes::count;
    for (auto end = count; end > 0; end -= most) {
        auto const start = end > most ? end - most : 0;
        move_vectors(at + start, at + start + 1, end - start);
    }
}
/// The same one place down.
template <class T>
CRX_HD void move_down(T* at, std::int32_t count)
{
    constexpr std::int32_t most = moved_at_once * Lanes::count;
    for (std::int32_t k = 0; k < count; k += most) {
        auto const left = count - k;
        move_vectors(at + k, at + k - 1, left < most ? left : most);
    }
}

/// How many of at[0 .. count-1], which ascend, are below a number: every look at 32 of them leaves
/// a thirty-third of the rest.
CRX_HD inline std::int32_t count_below(std::uint32_t const* at, std::int32_t count,
                                       std::uint32_t number)
{
    std::int32_t low = 0;
    while (count > 0) {
        auto const step = (count + Lanes::count - 1) / Lanes::count;
        auto const below = count_bits(bits_of(set_of([=](int lane) {
            auto const k = lane * step;
            return k < count && at[low + k] < number;
        })));
        if (below == 0) return low;
        // The last of those seen that is below, and what is before the next that was seen.
        auto const first = (below - 1) * step + 1, end = below * step;
        low += first;
        count = (end < count ? end : count) - first;
    }
    return low;
}

} // namespace
} // namespace crx
