#pragma once

#include "kernels/simd/in_lanes.hh"

#include <cstddef>
#include <cstdint>
#include <hwy/highway.h>
#include <immintrin.h>

// The vectors that fast engines are written with: a register of numbers of one kind, a "lane" each,
// and masks that say which lanes are meant. For sources named *_simd.cc alone, which are compiled
// for each instruction set (cmake/crx_simd.cmake). Google Highway knows the instructions; what it
// lacks is written here for AVX2 and AVX-512. Further operations: lane_compare.hh (comparisons),
// lane_moves.hh (across lanes).
#if HWY_TARGET != HWY_AVX2 && HWY_TARGET != HWY_AVX3
#error "kernels/simd/lanes.hh is for sources *_simd.cc, compiled for AVX2 or AVX-512"
#endif

namespace crx {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Whether masks are registers of bits (AVX-512); else they are vectors, all bits of a lane alike.
inline constexpr bool masks_are_bits = HWY_TARGET == HWY_AVX3;

/// Some of the lanes of a Lanes<T>.
template <class T>
struct LaneMask
{
    using Tag = hn::ScalableTag<T>;
    hn::Mask<Tag> v;

    CRX_IN_LANES static LaneMask of(unsigned bits); ///< a bit for each lane
    /// The first `count`, at most all of them. Contract: count >= 0.
    CRX_IN_LANES static LaneMask below(std::int32_t count);
};

/// As many numbers as a register holds. T: std::int16_t, std::int32_t, std::uint32_t, float, double
/// or an integer of 64 bits. Sums, differences and products of integers are modulo their size.
template <class T>
struct Lanes
{
    using Number = T;
    using Mask = LaneMask<T>;
    using Tag = hn::ScalableTag<T>;
    static constexpr int count = static_cast<int>(HWY_MAX_BYTES / sizeof(T));
    /// Registers of 32-bit numbers that hold as many (lane_moves.hh).
    static constexpr int parts = sizeof(T) == 2 ? 2 : 1;

    hn::Vec<Tag> v;

    /// One lane's number, of lanes in memory rather than in a register.
    using InMemory [[gnu::may_alias]] = T;
    CRX_IN_LANES InMemory& operator[](int lane) { return reinterpret_cast<InMemory*>(this)[lane]; }
    CRX_IN_LANES T operator[](int lane) const
    {
        return reinterpret_cast<InMemory const*>(this)[lane];
    }

    CRX_IN_LANES static Lanes zero() { return {hn::Zero(Tag())}; }
    template <class X>
    CRX_IN_LANES static Lanes all(X value)
    {
        return {hn::Set(Tag(), static_cast<T>(value))};
    }
    CRX_IN_LANES static Lanes numbers() { return {hn::Iota(Tag(), T{0})}; } ///< 0, 1, 2 ..
    /// From a multiple of the size of a register, or from anywhere.
    CRX_IN_LANES static Lanes load(void const* from)
    {
        return {hn::Load(Tag(), static_cast<T const*>(from))};
    }
    CRX_IN_LANES static Lanes load_anywhere(void const* from)
    {
        return {hn::LoadU(Tag(), static_cast<T const*>(from))};
    }
};

template <class T>
CRX_IN_LANES void store(void* to, Lanes<T> a)
{
    hn::Store(a.v, hn::ScalableTag<T>(), static_cast<T*>(to));
}
template <class T>
CRX_IN_LANES void store_anywhere(void* to, Lanes<T> a)
{
    hn::StoreU(a.v, hn::ScalableTag<T>(), static_cast<T*>(to));
}

#define CRX_LANES_OPERATOR(op)                                                                     \
    template <class T>                                                                             \
    CRX_IN_LANES Lanes<T> operator op(Lanes<T> a, Lanes<T> b)                                      \
    {                                                                                              \
        return {a.v op b.v};                                                                       \
    }
CRX_LANES_OPERATOR(+)
CRX_LANES_OPERATOR(-)
CRX_LANES_OPERATOR(*)
CRX_LANES_OPERATOR(/)
CRX_LANES_OPERATOR(&)
CRX_LANES_OPERATOR(|)
CRX_LANES_OPERATOR(^)
#undef CRX_LANES_OPERATOR
template <int bits, class T>
CRX_IN_LANES Lanes<T> shifted_left(Lanes<T> a)
{
    return {hn::ShiftLeft<bits>(a.v)};
}
template <int bits, class T>
CRX_IN_LANES Lanes<T> shifted_right(Lanes<T> a)
{
    return {hn::ShiftRight<bits>(a.v)};
}
template <class T>
CRX_IN_LANES Lanes<T> smaller(Lanes<T> a, Lanes<T> b)
{
    return {hn::Min(a.v, b.v)};
}
template <class T>
CRX_IN_LANES Lanes<T> larger(Lanes<T> a, Lanes<T> b)
{
    return {hn::Max(a.v, b.v)};
}
/// The same bits as numbers of another kind.
template <class To, class T>
CRX_IN_LANES Lanes<To> same_bits(Lanes<T> a)
{
    return {hn::BitCast(hn::ScalableTag<To>(), a.v)};
}

// Masks.
template <class T>
CRX_IN_LANES LaneMask<T> operator|(LaneMask<T> a, LaneMask<T> b)
{
    return {hn::Or(a.v, b.v)};
}
template <class T>
CRX_IN_LANES LaneMask<T> operator&(LaneMask<T> a, LaneMask<T> b)
{
    return {hn::And(a.v, b.v)};
}
/// Lanes of a that are not of b.
template <class T>
CRX_IN_LANES LaneMask<T> without(LaneMask<T> a, LaneMask<T> b)
{
    return {hn::AndNot(b.v, a.v)};
}

// What a mask decides.
/// a in a mask, b elsewhere.
template <class T>
CRX_IN_LANES Lanes<T> choose(LaneMask<T> mask, Lanes<T> a, Lanes<T> b)
{
    return {hn::IfThenElse(mask.v, a.v, b.v)};
}
/// a in a mask, 0 elsewhere.
template <class T>
CRX_IN_LANES Lanes<T> or_zero(LaneMask<T> mask, Lanes<T> a)
{
    return {hn::IfThenElseZero(mask.v, a.v)};
}
/// a & b in a mask, c elsewhere.
template <class T>
CRX_IN_LANES Lanes<T> and_where(LaneMask<T> mask, Lanes<T> a, Lanes<T> b, Lanes<T> c)
{
    return choose(mask, a & b, c);
}
/// a + b in a mask, a elsewhere.
template <class T>
CRX_IN_LANES Lanes<T> add_where(LaneMask<T> mask, Lanes<T> a, Lanes<T> b)
{
    if constexpr (masks_are_bits)
        return choose(mask, a + b, a);
    else
        return a + or_zero(mask, b);
}
/// One more in a mask. T: integers.
template <class T>
CRX_IN_LANES Lanes<T> count_where(LaneMask<T> mask, Lanes<T> a)
{
    if constexpr (masks_are_bits)
        return choose(mask, a + Lanes<T>::all(1), a);
    else
        return a - Lanes<T>{hn::VecFromMask(hn::ScalableTag<T>(), mask.v)};
}
template <class T>
CRX_IN_LANES Lanes<T> larger_where(LaneMask<T> mask, Lanes<T> a, Lanes<T> b)
{
    return choose(mask, larger(a, b), a);
}
template <class T>
CRX_IN_LANES Lanes<T> smaller_where(LaneMask<T> mask, Lanes<T> a, Lanes<T> b)
{
    return choose(mask, smaller(a, b), a);
}
/// Writes the lanes of a mask alone; what lies in others may be read and written as it was.
template <class T>
CRX_IN_LANES void store_where(LaneMask<T> mask, void* to, Lanes<T> a)
{
    if constexpr (masks_are_bits)
        hn::BlendedStore(a.v, mask.v, hn::ScalableTag<T>(), static_cast<T*>(to));
    else
        store_anywhere(to, choose(mask, a, Lanes<T>::load_anywhere(to)));
}

} // namespace
} // namespace crx

#include "kernels/simd/lane_compare.hh"
