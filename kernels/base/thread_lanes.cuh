#pragma once

#include "kernels/base/in_lanes.hh"

#include <cmath>
#include <type_traits>

namespace crx {

/// The words of VectorLanes for a warp whose threads have one lane each: a Number is a thread's own
/// float or double, a Mask whether its lane is meant. Threads meet in `bits`, `together` and
/// `most`, which all 32 must come to; elsewhere each may go its own way. Whole numbers are exact as
/// there: nothing that is multiplied and added passes 2^24 (2^52), so it does not matter whether
/// the two are fused; a quotient is rounded correctly (nvcc's default) before it is rounded down.
///
/// Warp: lane(), and ballot, all_or and all_max of the 32 threads (card_warp.cuh).
template <class T, class Warp>
struct ThreadLanes
{
    using Scalar = T;
    using Number = T;
    using Mask = bool;
    using Integer = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

    static constexpr int lanes = 32;
    static constexpr T never = sizeof(T) == 4 ? T(1e30) : T(1e300);

    CRX_IN_LANES static Mask less(T a, T b) { return a < b; }
    CRX_IN_LANES static Mask at_most(T a, T b) { return a <= b; }
    CRX_IN_LANES static Mask equal(T a, T b) { return a == b; }
    CRX_IN_LANES static T pick(Mask mask, T a, T b) { return mask ? a : b; }
    CRX_IN_LANES static T where(Mask mask, T x) { return mask ? x : T{}; }
    CRX_IN_LANES static T add_where(Mask mask, T a, T b) { return mask ? a + b : a; }
    CRX_IN_LANES static T floor(T x) { return std::floor(x); }
    CRX_IN_LANES static T larger(T a, T b) { return std::fmax(a, b); }
    CRX_IN_LANES static T smaller(T a, T b) { return std::fmin(a, b); }
    CRX_IN_LANES static unsigned bits(Mask mask) { return Warp::ballot(mask); }
    CRX_IN_LANES static Mask of_bits(unsigned bits) { return bits >> Warp::lane() & 1; }

    /// That of this thread's lane: no thread asks for another's.
    template <class X>
    struct Each
    {
        X own;
        CRX_IN_LANES X& operator[](int) { return own; }
        CRX_IN_LANES X const& operator[](int) const { return own; }
    };

    template <class F>
    CRX_IN_LANES static void each(F f)
    {
        f(Warp::lane());
    }
    template <class F>
    CRX_IN_LANES static void each_of(unsigned bits, F f)
    {
        if (bits >> Warp::lane() & 1) f(Warp::lane());
    }
    CRX_IN_LANES static unsigned first(int count) { return count == 0 ? 0 : ~0u >> (32 - count); }
    CRX_IN_LANES static unsigned together(unsigned bits) { return Warp::all_or(bits); }

    CRX_IN_LANES static T get(T x, int) { return x; }
    CRX_IN_LANES static void set(T& x, int, T value) { x = value; }
    CRX_IN_LANES static Each<Integer> integers(T x) { return {static_cast<Integer>(x)}; }
    template <class X>
    CRX_IN_LANES static X most(Each<X> const& each)
    {
        return static_cast<X>(Warp::all_max(static_cast<unsigned>(each.own)));
    }
};

} // namespace crx
