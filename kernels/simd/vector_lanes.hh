#pragma once

#include "kernels/simd/lane_numbers.hh"

#include <cstring>
#include <type_traits>

// CPU only, as lane_numbers.hh.

namespace crx {
namespace {

/// A sum of products in each lane, exact in 64 bits: in numbers as long as they hold it exactly.
template <class T>
class ProductSums
{
  public:
    using Numbers = LaneNumbers<T>;
    using Number = typename Numbers::Number;

    /// Contract: whole and not negative; floats: below 2^31.
    CRX_IN_LANES void add(Number const& a, Number const& b)
    {
        // Rounding is monotonic, so what comes out below the bound was not rounded.
        auto const sum = near_ + a * b;
        if (Numbers::bits(Numbers::at_most(Number{} + exact, sum)) != 0) [[unlikely]] {
            add_far(near_, Number{} + 1);
            add_far(a, b);
            near_ = Number{};
        } else {
            near_ = sum;
        }
    }
    CRX_IN_LANES void clear()
    {
        near_ = Number{};
        for (auto& sums : far_) sums = Whole{};
    }
    CRX_IN_LANES std::int64_t of(int lane) const
    {
        return static_cast<std::int64_t>(far_[lane % parts][lane / parts]) +
               static_cast<std::int64_t>(near_[lane]);
    }

  private:
    using Whole = typename LaneNumbers<double>::Whole;
    static constexpr int parts = 8 / sizeof(T);
    static constexpr T exact = sizeof(T) == 4 ? T(0x1p24) : T(0x1p51);

    CRX_IN_LANES void add_far(Number const& a, Number const& b)
    {
        auto const x = Numbers::to_signed(a), y = Numbers::to_signed(b);
        if constexpr (sizeof(T) == 4) { // products of every other lane
            using Wide = LaneNumbers<double>;
            auto const p = reinterpret_cast<Whole>(x), q = reinterpret_cast<Whole>(y);
            far_[0] += Wide::product_of_halves(p, q);
            far_[1] += Wide::product_of_halves(p >> 32, q >> 32);
        } else {
            far_[0] += reinterpret_cast<Whole>(x * y);
        }
    }

    Number near_{};
    Whole far_[parts] = {};
};

/// LaneNumbers, and how a lane is spoken of alone: engines in these words run on a card as well
/// (thread_lanes.cuh), where a thread has but one.
template <class T>
struct VectorLanes : LaneNumbers<T>
{
    using Scalar = T;
    using Number = typename LaneNumbers<T>::Number;
    using Integer = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

    using ProductSums = crx::ProductSums<T>;

    static constexpr int lanes = lane_bytes / sizeof(T);

    /// An X for each lane.
    template <class X>
    struct Each
    {
        X of[lanes];
        X& operator[](int lane) { return of[lane]; }
        X const& operator[](int lane) const { return of[lane]; }
    };

    /// f(lane) for all lanes, or for those whose bit is set.
    template <class F>
    CRX_IN_LANES static void each(F f)
    {
        for (int j = 0; j < lanes; ++j) f(j);
    }
    template <class F>
    CRX_IN_LANES static void each_of(unsigned bits, F f)
    {
        for (; bits != 0; bits &= bits - 1) f(__builtin_ctz(bits));
    }
    /// Bits of the first lanes. Contract: 0 <= count <= lanes.
    CRX_IN_LANES static unsigned first(int count) { return (1u << count) - 1; }

    /// x in all lanes.
    CRX_IN_LANES static Number all(T x) { return x - Number{}; }
    /// Lanes of a that are not of b.
    template <class Mask>
    CRX_IN_LANES static Mask without(Mask a, Mask b)
    {
        return a & ~b;
    }
    CRX_IN_LANES static T get(Number const& x, int lane) { return x[lane]; }
    CRX_IN_LANES static void set(Number& x, int lane, T value) { x[lane] = value; }
    /// Contract: whole, and an Integer can hold it (doubles: below 2^51).
    CRX_IN_LANES static Each<Integer> integers(Number const& x)
    {
        Each<Integer> each;
        auto const whole = LaneNumbers<T>::to_signed(x);
        std::memcpy(&each, &whole, sizeof whole);
        return each;
    }
    /// The largest of all lanes.
    template <class X>
    CRX_IN_LANES static X most(Each<X> const& each)
    {
        X most = each[0];
        for (int j = 1; j < lanes; ++j) most = each[j] > most ? each[j] : most;
        return most;
    }
};

} // namespace
} // namespace crx
