#pragma once

#include "kernels/simd/lanes.hh"

#include <cstring>
#include <type_traits>

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
