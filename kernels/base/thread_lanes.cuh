#pragma once

#include "kernels/base/host_device.cuh"

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace crx {

/// The names of lanes.hh for a vector of one 32-bit integer, so that what is written with them runs
/// in a thread of a GPU too.
struct OneLane
{
    std::int32_t v;

    CRX_IN_LANES static OneLane zero() { return {0}; }
    CRX_IN_LANES static OneLane all(std::int32_t value) { return {value}; }
};

CRX_IN_LANES OneLane operator+(OneLane a, OneLane b) { return {a.v + b.v}; }
CRX_IN_LANES OneLane operator-(OneLane a, OneLane b) { return {a.v - b.v}; }
CRX_IN_LANES OneLane smaller(OneLane a, OneLane b) { return a.v < b.v ? a : b; }
CRX_IN_LANES OneLane smaller_unsigned(OneLane a, OneLane b)
{
    return static_cast<std::uint32_t>(a.v) < static_cast<std::uint32_t>(b.v) ? a : b;
}
CRX_IN_LANES OneLane larger(OneLane a, OneLane b) { return a.v > b.v ? a : b; }
CRX_IN_LANES bool less(OneLane a, OneLane b) { return a.v < b.v; }
CRX_IN_LANES bool less(bool mask, OneLane a, OneLane b) { return mask && a.v < b.v; }
CRX_IN_LANES bool differ(OneLane a, OneLane b) { return a.v != b.v; }
CRX_IN_LANES bool differ(bool mask, OneLane a, OneLane b) { return mask && a.v != b.v; }
CRX_IN_LANES OneLane choose(bool mask, OneLane a, OneLane b) { return mask ? a : b; }
CRX_IN_LANES OneLane add_where(bool mask, OneLane a, OneLane b) { return {mask ? a.v + b.v : a.v}; }
CRX_IN_LANES OneLane count_where(bool mask, OneLane a) { return {mask ? a.v + 1 : a.v}; }

/// The operations of VectorLanes for a thread of a GPU: a register of one lane, its own. A Number
/// is a float or double, a Mask whether the lane is meant; the GPU itself makes vectors of the 32
/// threads of a warp, and masks of those that a branch leaves out. Whole numbers are exact as
/// there: nothing that is multiplied and added passes 2^24 (2^51), so it does not matter whether
/// the two are fused; products that are compared are rounded, each alone; a quotient is rounded
/// correctly (nvcc's default) before it is rounded down.
template <class T>
struct ThreadLanes
{
    using Scalar = T;
    using Number = T;
    using Mask = bool;
    using Integer = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

    static constexpr int lanes = 1;
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
    CRX_IN_LANES static unsigned bits(Mask mask) { return mask ? 1 : 0; }
    CRX_IN_LANES static Mask of_bits(unsigned bits) { return bits != 0; }

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
        f(0);
    }
    template <class F>
    CRX_IN_LANES static void each_of(unsigned bits, F f)
    {
        if (bits != 0) f(0);
    }
    CRX_IN_LANES static unsigned first(int count) { return count > 0 ? 1 : 0; }

    /// VectorLanes::ProductSums
    class ProductSums
    {
      public:
        CRX_IN_LANES void add(T a, T b)
        {
            sum_ += static_cast<std::int64_t>(static_cast<Integer>(a)) * static_cast<Integer>(b);
        }
        CRX_IN_LANES void clear() { sum_ = 0; }
        CRX_IN_LANES std::int64_t of(int) const { return sum_; }

      private:
        std::int64_t sum_ = 0;
    };

    CRX_IN_LANES static T all(T x) { return x; }
    CRX_IN_LANES static Mask without(Mask a, Mask b) { return a && !b; }
    CRX_IN_LANES static T get(T x, int) { return x; }
    CRX_IN_LANES static void set(T& x, int, T value) { x = value; }
    CRX_IN_LANES static Each<Integer> integers(T x) { return {static_cast<Integer>(x)}; }
    template <class X>
    CRX_IN_LANES static X most(Each<X> const& each)
    {
        return each.own;
    }
};

} // namespace crx
