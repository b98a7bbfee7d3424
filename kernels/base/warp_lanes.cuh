#pragma once

#include "kernels/base/integers.cuh"

// The names of lanes.hh for 32 lanes of 32-bit integers. On a GPU they are the threads of a warp:
// a Lanes is one number per thread, a LaneSet one bool per thread, and what is equal in all lanes
// is computed by every thread. On the CPU they are arrays, so that tests run what is written with
// them.
//
// All threads of a warp call these functions together, in blocks of whole warps along x. A write
// comes after all earlier reads of the warp's threads and before all later ones.
#define CRX_WARP_LANES 1 // for sources that are compiled with either
#if defined(__CUDA_ARCH__) || defined(CRX_TEST_LANES_ARE_THREADS)
#define CRX_LANES_ARE_THREADS 1
#endif

namespace crx {
namespace {

/// A vector of 32 integers, one in each lane.
struct Lanes
{
    using Number = std::int32_t;
    static constexpr int count = 32;
#ifdef CRX_LANES_ARE_THREADS
    std::int32_t v;
#else
    std::int32_t v[count];
#endif

    /// The number in one lane; on a GPU lane must be the thread's own.
    CRX_HD std::int32_t& own([[maybe_unused]] int lane)
    {
#ifdef CRX_LANES_ARE_THREADS
        return v;
#else
        return v[lane];
#endif
    }
    CRX_HD std::int32_t own(int lane) const { return const_cast<Lanes*>(this)->own(lane); }

    CRX_HD static Lanes zero();
    CRX_HD static Lanes all(std::int32_t value);
    CRX_HD static Lanes numbers(); ///< 0, 1, ...
    template <class T>
    CRX_HD static Lanes load_anywhere(T const* from);
};
/// Some of the lanes.
struct LaneSet
{
#ifdef CRX_LANES_ARE_THREADS
    bool v;
#else
    std::uint32_t v;
#endif

    CRX_HD bool has([[maybe_unused]] int lane) const
    {
#ifdef CRX_LANES_ARE_THREADS
        return v;
#else
        return v >> lane & 1;
#endif
    }
    /// The first `count`, at most all of them.
    CRX_HD static LaneSet below(std::int32_t count);
};

/// Calls f(lane) in each lane: on a GPU each thread for its own.
template <class F>
CRX_HD void in_each_lane(F f)
{
#ifdef CRX_LANES_ARE_THREADS
    f(static_cast<int>(threadIdx.x % Lanes::count));
#else
    for (int k = 0; k < Lanes::count; ++k) f(k);
#endif
}
/// f(lane) of each lane.
template <class F>
CRX_HD Lanes lanes_of(F f)
{
    Lanes r;
    in_each_lane([&](int k) { r.own(k) = f(k); });
    return r;
}
/// f(lane) in the lanes of a set, 0 elsewhere.
template <class F>
CRX_HD Lanes lanes_of(LaneSet s, F f)
{
    return lanes_of([&](int k) { return s.has(k) ? static_cast<std::int32_t>(f(k)) : 0; });
}
/// Where f(lane) holds.
template <class F>
CRX_HD LaneSet set_of(F f)
{
#ifdef CRX_LANES_ARE_THREADS
    return {f(static_cast<int>(threadIdx.x % Lanes::count))};
#else
    std::uint32_t bits = 0;
    for (int k = 0; k < Lanes::count; ++k) bits |= std::uint32_t{f(k)} << k;
    return {bits};
#endif
}

CRX_HD inline Lanes Lanes::zero() { return all(0); }
CRX_HD inline Lanes Lanes::all(std::int32_t value)
{
    return lanes_of([=](int) { return value; });
}
CRX_HD inline Lanes Lanes::numbers()
{
    return lanes_of([](int k) { return k; });
}
CRX_HD inline LaneSet LaneSet::below(std::int32_t count)
{
    return set_of([=](int k) { return k < count; });
}

/// The mask: a bit for each lane.
CRX_HD inline std::uint32_t bits_of(LaneSet s)
{
#ifdef CRX_LANES_ARE_THREADS
    return __ballot_sync(~0u, s.v);
#else
    return s.v;
#endif
}
CRX_HD inline LaneSet operator|(LaneSet a, LaneSet b)
{
    return set_of([=](int k) { return a.has(k) || b.has(k); });
}
CRX_HD inline LaneSet operator&(LaneSet a, LaneSet b)
{
    return set_of([=](int k) { return a.has(k) && b.has(k); });
}
CRX_HD inline LaneSet without(LaneSet a, LaneSet b)
{
    return set_of([=](int k) { return a.has(k) && !b.has(k); });
}

// --- memory --------------------------------------------------------------------------------------

/// A barrier for the threads of the warp.
CRX_HD inline void wait_for_lanes()
{
#ifdef CRX_LANES_ARE_THREADS
    __syncwarp();
#endif
}
template <class T>
CRX_HD Lanes Lanes::load_anywhere(T const* from)
{
    static_assert(sizeof(T) == 4);
    return lanes_of([=](int k) { return static_cast<std::int32_t>(from[k]); });
}
/// from[index] in the lanes of a set, 0 elsewhere.
template <class T>
CRX_HD Lanes gather(LaneSet s, T const* from, Lanes index)
{
    return lanes_of(s, [=](int k) { return from[index.own(k)]; });
}
/// to[index] in the lanes of a set. Contract: no two of them write to one address.
template <class T>
CRX_HD void scatter(LaneSet s, T* to, Lanes index, Lanes a)
{
    wait_for_lanes();
    in_each_lane([=](int k) {
        if (s.has(k)) to[index.own(k)] = static_cast<T>(a.own(k));
    });
    wait_for_lanes();
}
template <class T>
CRX_HD void store_where(LaneSet s, T* to, Lanes a)
{
    scatter(s, to, Lanes::numbers(), a);
}
template <class T>
CRX_HD void store_anywhere(T* to, Lanes a)
{
    wait_for_lanes();
    in_each_lane([=](int k) { to[k] = static_cast<T>(a.own(k)); });
    wait_for_lanes();
}
/// Writes the lanes of a mask one beside the other.
template <class T>
CRX_HD void store_packed(std::uint32_t bits, T* to, Lanes a)
{
    wait_for_lanes();
    in_each_lane([=](int k) {
        if (bits >> k & 1) to[count_bits(bits & ((1u << k) - 1))] = static_cast<T>(a.own(k));
    });
    wait_for_lanes();
}
/// Writes what is the same in all lanes.
template <class T>
CRX_HD void write_one(T* to, T const& value)
{
    wait_for_lanes();
#ifdef CRX_LANES_ARE_THREADS
    if (threadIdx.x % Lanes::count == 0)
#endif
        *to = value;
    wait_for_lanes();
}

// --- arithmetic; sums and products wrap ----------------------------------------------------------

template <class F>
CRX_HD Lanes of_each(Lanes a, Lanes b, F f)
{
    return lanes_of([=](int k) {
        return static_cast<std::int32_t>(
            f(static_cast<std::uint32_t>(a.own(k)), static_cast<std::uint32_t>(b.own(k))));
    });
}
CRX_HD inline Lanes operator+(Lanes a, Lanes b)
{
    return of_each(a, b, [](std::uint32_t x, std::uint32_t y) { return x + y; });
}
CRX_HD inline Lanes operator-(Lanes a, Lanes b)
{
    return of_each(a, b, [](std::uint32_t x, std::uint32_t y) { return x - y; });
}
CRX_HD inline Lanes operator*(Lanes a, Lanes b)
{
    return of_each(a, b, [](std::uint32_t x, std::uint32_t y) { return x * y; });
}
CRX_HD inline Lanes operator&(Lanes a, Lanes b)
{
    return of_each(a, b, [](std::uint32_t x, std::uint32_t y) { return x & y; });
}
CRX_HD inline Lanes operator|(Lanes a, Lanes b)
{
    return of_each(a, b, [](std::uint32_t x, std::uint32_t y) { return x | y; });
}
CRX_HD inline Lanes smaller(Lanes a, Lanes b)
{
    return lanes_of([=](int k) { return a.own(k) < b.own(k) ? a.own(k) : b.own(k); });
}
CRX_HD inline Lanes larger(Lanes a, Lanes b)
{
    return lanes_of([=](int k) { return a.own(k) > b.own(k) ? a.own(k) : b.own(k); });
}

// --- comparisons; of a set: where they hold in it ------------------------------------------------

CRX_HD inline LaneSet equal(Lanes a, Lanes b)
{
    return set_of([=](int k) { return a.own(k) == b.own(k); });
}
CRX_HD inline LaneSet at_most(Lanes a, Lanes b)
{
    return set_of([=](int k) { return a.own(k) <= b.own(k); });
}
CRX_HD inline LaneSet more(Lanes a, Lanes b)
{
    return set_of([=](int k) { return a.own(k) > b.own(k); });
}
CRX_HD inline LaneSet at_least(Lanes a, Lanes b)
{
    return set_of([=](int k) { return a.own(k) >= b.own(k); });
}
CRX_HD inline LaneSet not_zero(Lanes a)
{
    return set_of([=](int k) { return a.own(k) != 0; });
}
CRX_HD inline LaneSet differ(LaneSet s, Lanes a, Lanes b) { return without(s, equal(a, b)); }
CRX_HD inline LaneSet at_most(LaneSet s, Lanes a, Lanes b) { return s & at_most(a, b); }

/// a in a set, b elsewhere.
CRX_HD inline Lanes choose(LaneSet s, Lanes a, Lanes b)
{
    return lanes_of([=](int k) { return s.has(k) ? a.own(k) : b.own(k); });
}
/// a & b in a set, c elsewhere.
CRX_HD inline Lanes and_where(LaneSet s, Lanes a, Lanes b, Lanes c) { return choose(s, a & b, c); }
/// a in a set, 0 elsewhere.
CRX_HD inline Lanes or_zero(LaneSet s, Lanes a) { return choose(s, a, Lanes::zero()); }
CRX_HD inline Lanes sum_or_zero(LaneSet s, Lanes a, Lanes b) { return or_zero(s, a + b); }
/// Changed in a set, a elsewhere.
CRX_HD inline Lanes add_where(LaneSet s, Lanes a, Lanes b) { return choose(s, a + b, a); }
CRX_HD inline Lanes count_where(LaneSet s, Lanes a) { return add_where(s, a, Lanes::all(1)); }
CRX_HD inline Lanes smaller_where(LaneSet s, Lanes a, Lanes b)
{
    return choose(s, smaller(a, b), a);
}
CRX_HD inline Lanes larger_where(LaneSet s, Lanes a, Lanes b) { return choose(s, larger(a, b), a); }

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
