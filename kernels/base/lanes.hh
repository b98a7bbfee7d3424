#pragma once

#include "kernels/base/host_device.cuh"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <hwy/highway.h>
#include <immintrin.h>
#include <type_traits>

// The vectors that fast engines are written with: a register of numbers of one kind, a "lane" each,
// and masks that say which lanes are meant. For sources named *_simd.cc alone, which are compiled
// for each instruction set (cmake/crx_simd.cmake). Google Highway knows the instructions; what it
// lacks is written here for AVX2 and AVX-512. Further operations: lane_compare.hh (comparisons),
// lane_moves.hh (across lanes).
#if HWY_TARGET != HWY_AVX2 && HWY_TARGET != HWY_AVX3
#error "kernels/base/lanes.hh is for sources *_simd.cc, compiled for AVX2 or AVX-512"
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
/// A register's bits read as numbers of another kind.
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

// Part of lanes.hh: comparisons of lanes, and masks as bits. Of integers Highway 1.0.3 knows `less`
// and `equal` alone; and lanes of a mask alone, which costs AVX-512 nothing, it does not compare.
namespace crx {
namespace {

enum class Comparison // by the processor's numbers
{
    equal = 0,
    less = 1,
    at_most = 2,
    differ = 4
};

/// Lanes of `mask` where the comparison holds.
template <Comparison comparison, class T>
CRX_IN_LANES LaneMask<T> compared(LaneMask<T> mask, Lanes<T> a, Lanes<T> b)
{
#if HWY_TARGET == HWY_AVX3
    constexpr int by = static_cast<int>(comparison);
    auto const m = mask.v.raw;
    auto const x = a.v.raw, y = b.v.raw;
    if constexpr (std::is_same_v<T, float>)
        return {{_mm512_mask_cmp_ps_mask(m, x, y, by)}};
    else if constexpr (std::is_same_v<T, double>)
        return {{_mm512_mask_cmp_pd_mask(m, x, y, by)}};
    else if constexpr (std::is_same_v<T, std::int16_t>)
        return {{_mm512_mask_cmp_epi16_mask(m, x, y, by)}};
    else if constexpr (std::is_same_v<T, std::uint16_t>)
        return {{_mm512_mask_cmp_epu16_mask(m, x, y, by)}};
    else if constexpr (std::is_same_v<T, std::int32_t>)
        return {{_mm512_mask_cmp_epi32_mask(m, x, y, by)}};
    else if constexpr (std::is_same_v<T, std::uint32_t>)
        return {{_mm512_mask_cmp_epu32_mask(m, x, y, by)}};
    else if constexpr (std::is_same_v<T, std::int64_t>)
        return {{_mm512_mask_cmp_epi64_mask(m, x, y, by)}};
    else
        return {{_mm512_mask_cmp_epu64_mask(m, x, y, by)}};
#else
    if constexpr (comparison == Comparison::equal)
        return mask & LaneMask<T>{hn::Eq(a.v, b.v)};
    else if constexpr (comparison == Comparison::less)
        return mask & LaneMask<T>{hn::Lt(a.v, b.v)};
    else if constexpr (comparison == Comparison::differ)
        return without(mask, LaneMask<T>{hn::Eq(a.v, b.v)});
    else if constexpr (std::is_floating_point_v<T>)
        return mask & LaneMask<T>{hn::Le(a.v, b.v)};
    else if constexpr (std::is_unsigned_v<T>)
        return mask & LaneMask<T>{hn::Eq(hn::Min(a.v, b.v), a.v)};
    else
        return without(mask, LaneMask<T>{hn::Lt(b.v, a.v)});
#endif
}

template <class T>
CRX_IN_LANES LaneMask<T> all_lanes()
{
    if constexpr (masks_are_bits) {
        using Bits = decltype(LaneMask<T>().v.raw);
        return {{static_cast<Bits>(~Bits{0})}};
    } else {
        hn::RebindToUnsigned<hn::ScalableTag<T>> const whole;
        return {hn::MaskFromVec(
            hn::BitCast(hn::ScalableTag<T>(), hn::Set(whole, ~hn::TFromD<decltype(whole)>{0})))};
    }
}

/// All lanes where the comparison holds.
template <Comparison comparison, class T>
CRX_IN_LANES LaneMask<T> compared(Lanes<T> a, Lanes<T> b)
{
    // Without a mask where masks are vectors: GCC does not see that it is of all lanes.
    constexpr bool at_most = comparison == Comparison::at_most;
    if constexpr (!masks_are_bits && comparison == Comparison::equal)
        return {hn::Eq(a.v, b.v)};
    else if constexpr (!masks_are_bits && comparison == Comparison::less)
        return {hn::Lt(a.v, b.v)};
    else if constexpr (!masks_are_bits && at_most && std::is_floating_point_v<T>)
        return {hn::Le(a.v, b.v)};
    else
        return compared<comparison>(all_lanes<T>(), a, b);
}

// Comparisons; of a mask: where they hold in it.
#define CRX_COMPARE_LANES(name, comparison, first, second)                                         \
    template <class T>                                                                             \
    CRX_IN_LANES LaneMask<T> name(LaneMask<T> mask, Lanes<T> a, Lanes<T> b)                        \
    {                                                                                              \
        return compared<Comparison::comparison>(mask, first, second);                              \
    }                                                                                              \
    template <class T>                                                                             \
    CRX_IN_LANES LaneMask<T> name(Lanes<T> a, Lanes<T> b)                                          \
    {                                                                                              \
        return compared<Comparison::comparison>(first, second);                                    \
    }
CRX_COMPARE_LANES(equal, equal, a, b)
CRX_COMPARE_LANES(differ, differ, a, b)
CRX_COMPARE_LANES(less, less, a, b)
CRX_COMPARE_LANES(at_most, at_most, a, b)
CRX_COMPARE_LANES(more, less, b, a)
CRX_COMPARE_LANES(at_least, at_most, b, a)
#undef CRX_COMPARE_LANES
template <class T>
CRX_IN_LANES LaneMask<T> not_zero(Lanes<T> a)
{
    return differ(a, Lanes<T>::zero());
}

/// A bit for each lane of the mask.
template <class T>
CRX_IN_LANES unsigned bits_of(LaneMask<T> mask)
{
#if HWY_TARGET == HWY_AVX3
    return static_cast<unsigned>(mask.v.raw);
#else
    auto const all = hn::VecFromMask(hn::ScalableTag<T>(), mask.v);
    if constexpr (sizeof(T) == 2) {
        auto const bytes =
            _mm_packs_epi16(_mm256_castsi256_si128(all.raw), _mm256_extracti128_si256(all.raw, 1));
        return static_cast<unsigned>(_mm_movemask_epi8(bytes));
    } else if constexpr (sizeof(T) == 4) {
        return static_cast<unsigned>(
            _mm256_movemask_ps(hn::BitCast(hn::ScalableTag<float>(), all).raw));
    } else {
        return static_cast<unsigned>(
            _mm256_movemask_pd(hn::BitCast(hn::ScalableTag<double>(), all).raw));
    }
#endif
}
template <class T>
CRX_IN_LANES LaneMask<T> LaneMask<T>::of(unsigned bits)
{
    if constexpr (masks_are_bits) {
        return {{static_cast<decltype(v.raw)>(bits)}};
    } else {
        std::uint8_t bytes[8] = {};
        std::memcpy(bytes, &bits, sizeof bits);
        return {hn::LoadMaskBits(Tag(), bytes)};
    }
}
template <class T>
CRX_IN_LANES LaneMask<T> LaneMask<T>::below(std::int32_t count)
{
    if constexpr (masks_are_bits) { // Highway's would branch
        auto const some = static_cast<unsigned>(count < Lanes<T>::count ? count : Lanes<T>::count);
        return {{static_cast<decltype(v.raw)>(_bzhi_u64(~std::uint64_t{0}, some))}};
    } else {
        auto const some =
            count < Lanes<T>::count ? count : Lanes<T>::count; // lanes may be of 16 bits
        return {hn::FirstN(Tag(), static_cast<std::size_t>(some))};
    }
}

} // namespace
} // namespace crx
