#pragma once

// Part of warp_lanes.cuh: what lanes say to each other.
namespace crx {
namespace {

/// The number in a lane that is the same for all.
CRX_HD inline std::int32_t number_at(Lanes a, int lane)
{
#ifdef CRX_LANES_ARE_THREADS
    return __shfl_sync(~0u, a.v, lane);
#else
    return a.v[lane];
#endif
}
/// In each lane the number of another. Contract: 0 <= from < 32.
CRX_HD inline Lanes numbers_at(Lanes a, Lanes from)
{
#ifdef CRX_LANES_ARE_THREADS
    return {__shfl_sync(~0u, a.v, from.v)};
#else
    return lanes_of([=](int k) { return a.v[from.v[k]]; });
#endif
}

CRX_HD inline std::int32_t least_of(Lanes a)
{
#ifdef CRX_LANES_ARE_THREADS
    return __reduce_min_sync(~0u, a.v);
#else
    auto least = a.v[0];
    for (auto const v : a.v) least = v < least ? v : least;
    return least;
#endif
}
CRX_HD inline std::int32_t greatest_of(Lanes a)
{
#ifdef CRX_LANES_ARE_THREADS
    return __reduce_max_sync(~0u, a.v);
#else
    auto most = a.v[0];
    for (auto const v : a.v) most = v > most ? v : most;
    return most;
#endif
}
/// The bits that are set anywhere.
CRX_HD inline std::uint32_t any_bits_of(Lanes a)
{
#ifdef CRX_LANES_ARE_THREADS
    return __reduce_or_sync(~0u, static_cast<unsigned>(a.v));
#else
    std::uint32_t bits = 0;
    for (auto const v : a.v) bits |= static_cast<std::uint32_t>(v);
    return bits;
#endif
}

/// The sum of integers that are at least 0, whatever it is.
CRX_HD inline std::int64_t sum_of_any(Lanes a)
{
#ifdef CRX_LANES_ARE_THREADS
    auto const number = static_cast<unsigned>(a.v);
    return __reduce_add_sync(~0u, number & 0xffff) +
           (std::int64_t{__reduce_add_sync(~0u, number >> 16)} << 16);
#else
    std::int64_t sum = 0;
    for (auto const v : a.v) sum += v;
    return sum;
#endif
}

/// In each lane the sum of those below it.
CRX_HD inline Lanes sums_below(Lanes a)
{
#ifdef CRX_LANES_ARE_THREADS
    auto sum = a.v;
    int const lane = static_cast<int>(threadIdx.x % Lanes::count);
    for (int step = 1; step < Lanes::count; step *= 2) {
        auto const other = __shfl_up_sync(~0u, sum, step);
        if (lane >= step) sum += other;
    }
    return {sum - a.v};
#else
    std::int32_t sum = 0;
    for (auto& v : a.v) {
        auto const here = v;
        v = sum;
        sum += here;
    }
    return a;
#endif
}

/// In lane d the lanes of a set whose number is d, a bit each. Contract: numbers are below 32.
CRX_HD inline Lanes lanes_with(LaneSet s, Lanes number)
{
    auto with = Lanes::all(static_cast<std::int32_t>(bits_of(s)));
    for (int bit = 1; bit < Lanes::count; bit *= 2) {
        auto const set = static_cast<std::int32_t>(bits_of(not_zero(number & Lanes::all(bit))));
        auto const own = not_zero(Lanes::numbers() & Lanes::all(bit));
        with = with & choose(own, Lanes::all(set), Lanes::all(~set));
    }
    return with;
}
/// How many of these lanes, a bit each, there are; and how many below each.
CRX_HD inline Lanes counts_of(Lanes bits)
{
    return lanes_of([=](int k) { return count_bits(static_cast<std::uint32_t>(bits.own(k))); });
}
CRX_HD inline Lanes counts_below(Lanes bits)
{
    return lanes_of([=](int k) {
        return count_bits(static_cast<std::uint32_t>(bits.own(k)) & ((1u << k) - 1));
    });
}

} // namespace
} // namespace crx
