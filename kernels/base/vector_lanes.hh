#pragma once

#include "kernels/base/lane_numbers.hh"

namespace crx {
namespace {

/// A sum of products in each lane, exact in 64 bits: in numbers as long as they hold it exactly.
template <class T>
class ProductSums
{
  public:
    using Number = Lanes<T>;

    /// Contract: whole and not negative; floats: below 2^31.
    CRX_IN_LANES void add(Number const& a, Number const& b)
    {
        // Rounding is monotonic, so what comes out below the bound was not rounded.
        auto const sum = near_ + a * b;
        if (bits_of(at_least(sum, Number::all(exact))) != 0) [[unlikely]] {
            add_far(near_, Number::all(1));
            add_far(a, b);
            near_ = Number::zero();
        } else {
            near_ = sum;
        }
    }
    CRX_IN_LANES void clear()
    {
        near_ = Number::zero();
        for (auto& sums : far_) sums = Whole::zero();
    }
    CRX_IN_LANES std::int64_t of(int lane) const
    {
        return static_cast<std::int64_t>(far_[lane % parts][lane / parts]) +
               static_cast<std::int64_t>(near_[lane]);
    }

  private:
    using Whole = Lanes<std::uint64_t>;
    static constexpr int parts = 8 / sizeof(T);
    static constexpr T exact = sizeof(T) == 4 ? T(0x1p24) : T(0x1p51);

    CRX_IN_LANES void add_far(Number const& a, Number const& b)
    {
        auto const x = to_integers(a), y = to_integers(b);
        if constexpr (sizeof(T) == 4) { // products of every other lane
            auto const p = same_bits<std::uint64_t>(x), q = same_bits<std::uint64_t>(y);
            far_[0] += product_of_halves(p, q);
            far_[1] += product_of_halves(shifted_right<32>(p), shifted_right<32>(q));
        } else {
            far_[0] += same_bits<std::uint64_t>(x) * same_bits<std::uint64_t>(y);
        }
    }

    Number near_{};
    Whole far_[parts] = {};
};

/// What engines that run an instance in each lane of a register are written with. They run on a
/// GPU as well, by the same names (thread_lanes.cuh), where a thread has but one lane.
template <class T>
struct VectorLanes
{
    using Scalar = T;
    using Number = Lanes<T>;
    using Mask = LaneMask<T>;
    using Integer = IntegerAs<T>;
    using ProductSums = crx::ProductSums<T>;

    static constexpr int lanes = Number::count;
    static constexpr T never = sizeof(T) == 4 ? T(1e30) : T(1e300); ///< absorbs what is added to it

    CRX_IN_LANES static Mask less(Number a, Number b) { return crx::less(a, b); }
    CRX_IN_LANES static Mask at_most(Number a, Number b) { return crx::at_most(a, b); }
    CRX_IN_LANES static Mask equal(Number a, Number b) { return crx::equal(a, b); }
    CRX_IN_LANES static Mask without(Mask a, Mask b) { return crx::without(a, b); }
    CRX_IN_LANES static Number pick(Mask mask, Number a, Number b) { return choose(mask, a, b); }
    CRX_IN_LANES static Number where(Mask mask, Number x) { return or_zero(mask, x); }
    CRX_IN_LANES static Number add_where(Mask mask, Number a, Number b)
    {
        return crx::add_where(mask, a, b);
    }
    CRX_IN_LANES static Number floor(Number x) { return rounded_down(x); }
    CRX_IN_LANES static Number larger(Number a, Number b) { return crx::larger(a, b); }
    CRX_IN_LANES static Number smaller(Number a, Number b) { return crx::smaller(a, b); }
    CRX_IN_LANES static unsigned bits(Mask mask) { return bits_of(mask); }
    CRX_IN_LANES static Mask of_bits(unsigned bits) { return Mask::of(bits); }
    CRX_IN_LANES static Number all(T x) { return Number::all(x); }
    CRX_IN_LANES static T get(Number const& x, int lane) { return x[lane]; }
    CRX_IN_LANES static void set(Number& x, int lane, T value) { x[lane] = value; }

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

    /// Contract: whole, and an Integer can hold it (doubles: below 2^51).
    CRX_IN_LANES static Each<Integer> integers(Number const& x)
    {
        Each<Integer> each;
        store_anywhere(&each, to_integers(x));
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
