#pragma once

#include "kernels/base/lanes.hh"

#include <utility>

// Further operations on the vectors of lanes.hh: across lanes, table look-up, and vectors of 16-bit
// lanes as two of 32-bit lanes.
namespace crx {
namespace {

/// The last number of `lower`, then all of `upper` but the last.
CRX_IN_LANES Lanes<std::int32_t> shifted_in(Lanes<std::int32_t> lower, Lanes<std::int32_t> upper)
{
#if HWY_TARGET == HWY_AVX3
    return {decltype(upper.v){_mm512_alignr_epi32(upper.v.raw, lower.v.raw, 15)}};
#else
    auto const between = _mm256_permute2x128_si256(lower.v.raw, upper.v.raw, 0x21);
    return {decltype(upper.v){_mm256_alignr_epi8(upper.v.raw, between, 12)}};
#endif
}

/// from[index[k]] in each lane k. With AVX2 one by one: on many processors that have no more
/// gathers are no faster.
CRX_IN_LANES Lanes<std::uint32_t> gather(std::uint32_t const* from, Lanes<std::int32_t> index)
{
    using Result = Lanes<std::uint32_t>;
#if HWY_TARGET == HWY_AVX3
    return {hn::GatherIndex(Result::Tag(), from, index.v)};
#else
    alignas(32) std::int32_t at[Result::count];
    store(at, index);
    auto const of = [&](int lane) { return static_cast<int>(from[at[lane]]); };
    return {decltype(Result::v){
        _mm256_setr_epi32(of(0), of(1), of(2), of(3), of(4), of(5), of(6), of(7))}};
#endif
}

/// Upper and lower halves of the products of unsigned numbers.
struct Products
{
    Lanes<std::uint32_t> high, low;
};
/// The factor of an even lane is in that lane of even_factor, of an odd one in the lane before it
/// of odd_factor.
CRX_IN_LANES Products products_of_pairs(Lanes<std::uint32_t> a, Lanes<std::uint32_t> even_factor,
                                        Lanes<std::uint32_t> odd_factor)
{
    auto const even =
        same_bits<std::uint32_t>(Lanes<std::uint64_t>{hn::MulEven(a.v, even_factor.v)});
    auto const odd = same_bits<std::uint32_t>(
        Lanes<std::uint64_t>{hn::MulEven(hn::Shuffle2301(a.v), odd_factor.v)});
    return {{hn::OddEven(odd.v, hn::Shuffle2301(even.v))},
            {hn::OddEven(hn::Shuffle2301(odd.v), even.v)}};
}
CRX_IN_LANES Products products(Lanes<std::uint32_t> a, Lanes<std::uint32_t> b)
{
    return products_of_pairs(a, b, {hn::Shuffle2301(b.v)});
}
/// products(a, b) for a b that is equal in all lanes.
CRX_IN_LANES Products products_with(Lanes<std::uint32_t> a, Lanes<std::uint32_t> b)
{
    return products_of_pairs(a, b, b);
}

/// A register's bits read as unsigned numbers.
template <class T>
CRX_IN_LANES auto without_sign(Lanes<T> a)
{
    return same_bits<hwy::MakeUnsigned<T>>(a);
}
/// A mask for numbers of another type of equal width.
template <class To, class T>
CRX_IN_LANES LaneMask<To> same_lanes(LaneMask<T> mask)
{
    return {hn::RebindMask(hn::ScalableTag<To>(), mask.v)};
}
template <class T>
CRX_IN_LANES Lanes<T> smaller_unsigned(Lanes<T> a, Lanes<T> b)
{
    return same_bits<T>(smaller(without_sign(a), without_sign(b)));
}
template <class T>
CRX_IN_LANES Lanes<T> larger_unsigned_where(LaneMask<T> mask, Lanes<T> a, Lanes<T> b)
{
    return choose(mask, same_bits<T>(larger(without_sign(a), without_sign(b))), a);
}

// A Lanes<T> as parts of 32-bit numbers, and back. Lanes of 32 bits are one part.
using Wide = Lanes<std::int32_t>;
using WideMask = LaneMask<std::int32_t>;

/// Calls `work` with the number of each part of a V, a constant.
template <class V, class Work>
CRX_IN_LANES void for_each_part(Work work)
{
    [&]<int... part>(std::integer_sequence<int, part...>) CRX_LAMBDA_IN_LANES {
        (work(std::integral_constant<int, part>{}), ...);
    }(std::make_integer_sequence<int, V::parts>{});
}
template <int part, class V>
CRX_IN_LANES auto half_of(V v)
{
    hn::Half<hn::DFromV<V>> const half;
    if constexpr (part == 0)
        return hn::LowerHalf(half, v);
    else
        return hn::UpperHalf(half, v);
}
template <int part>
CRX_IN_LANES Wide part_of(Wide a)
{
    return a;
}
template <int part>
CRX_IN_LANES WideMask part_of(WideMask mask)
{
    return mask;
}
/// Numbers >= 0.
template <int part>
CRX_IN_LANES Wide part_of(Lanes<std::int16_t> a)
{
    return {hn::PromoteTo(Wide::Tag(), half_of<part>(without_sign(a).v))};
}
template <int part>
CRX_IN_LANES WideMask part_of(LaneMask<std::int16_t> mask)
{
#if HWY_TARGET == HWY_AVX3
    return {{static_cast<__mmask16>(mask.v.raw >> part * Wide::count)}};
#else
    auto const all = hn::VecFromMask(hn::ScalableTag<std::int16_t>(), mask.v);
    return {hn::MaskFromVec(hn::PromoteTo(Wide::Tag(), half_of<part>(all)))};
#endif
}
CRX_IN_LANES Wide joined(Wide const (&parts)[1]) { return parts[0]; }
CRX_IN_LANES WideMask joined(WideMask const (&parts)[1]) { return parts[0]; }
/// Numbers >= 0, below 2^16.
CRX_IN_LANES Lanes<std::int16_t> joined(Wide const (&parts)[2])
{
    using Raw = decltype(Lanes<std::int16_t>::v);
    auto const low = parts[0].v.raw, high = parts[1].v.raw;
#if HWY_TARGET == HWY_AVX3
    return {Raw{_mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi32_epi16(low)),
                                   _mm512_cvtepi32_epi16(high), 1)}};
#else
    return {Raw{_mm256_permute4x64_epi64(_mm256_packus_epi32(low, high), 0xd8)}};
#endif
}
CRX_IN_LANES LaneMask<std::int16_t> joined(WideMask const (&parts)[2])
{
#if HWY_TARGET == HWY_AVX3
    return {{bits_of(parts[0]) | bits_of(parts[1]) << Wide::count}};
#else
    hn::ScalableTag<std::int16_t> const both;
    auto const of = [](WideMask m) { return hn::VecFromMask(Wide::Tag(), m.v).raw; };
    return {hn::MaskFromVec(hn::Vec<decltype(both)>{
        _mm256_permute4x64_epi64(_mm256_packs_epi32(of(parts[0]), of(parts[1])), 0xd8)})};
#endif
}

/// The least of all lanes.
CRX_IN_LANES std::int32_t least_of(Wide a) { return hn::GetLane(hn::MinOfLanes(Wide::Tag(), a.v)); }
template <class V>
CRX_IN_LANES std::int32_t least_without_sign(V numbers)
{
    if constexpr (sizeof(numbers) > 16)
        return least_without_sign(hn::Min(half_of<0>(numbers), half_of<1>(numbers)));
    else
        return _mm_cvtsi128_si32(_mm_minpos_epu16(numbers.raw)) & 0xffff;
}
/// Of numbers >= 0.
CRX_IN_LANES std::int32_t least_of(Lanes<std::int16_t> a)
{
    return least_without_sign(without_sign(a).v);
}
/// The least of numbers >= 0, or 2^16 - 1 if that is less.
CRX_IN_LANES std::int32_t least_below_64k(Wide a)
{
    return least_without_sign(hn::DemoteTo(hn::Rebind<std::uint16_t, Wide::Tag>(), a.v));
}

/// Quotients rounded towards 0; means nothing where b is 0. Exact, as a quotient of 32-bit integers
/// that is no integer is further from one than a double is wrong.
CRX_IN_LANES Wide quotients(Wide a, Wide b)
{
    hn::ScalableTag<double> const doubles;
    hn::Half<Wide::Tag> const half;
    auto const of = [=](auto x, auto y) CRX_LAMBDA_IN_LANES {
        return hn::DemoteTo(half, hn::PromoteTo(doubles, x) / hn::PromoteTo(doubles, y));
    };
    return {hn::Combine(Wide::Tag(), of(half_of<1>(a.v), half_of<1>(b.v)),
                        of(half_of<0>(a.v), half_of<0>(b.v)))};
}
#if HWY_TARGET == HWY_AVX3
/// 2^16 / b rounded down for b = 1, 2, .. 64; for b = 1 one less.
struct alignas(64) Reciprocals
{
    std::uint16_t of[64];
    constexpr Reciprocals() : of()
    {
        for (int b = 1; b <= 64; ++b)
            of[b - 1] = static_cast<std::uint16_t>(b == 1 ? 0xffff : 0x10000 / b);
    }
};
inline constexpr Reciprocals reciprocals;
#endif
/// Quotients rounded down of numbers >= 0 by 1 to 64; means nothing for others.
CRX_IN_LANES Lanes<std::int16_t> quotients(Lanes<std::int16_t> a, Lanes<std::int16_t> b)
{
#if HWY_TARGET == HWY_AVX3
    using Result = Lanes<std::int16_t>;
    auto const at = b - Result::all(1);
    auto const reciprocal = _mm512_permutex2var_epi16(_mm512_load_si512(reciprocals.of), at.v.raw,
                                                      _mm512_load_si512(reciprocals.of + 32));
    // Too small by at most a / 2^16, so by at most one.
    Result const found{decltype(a.v){_mm512_mulhi_epu16(a.v.raw, reciprocal)}};
    return count_where(at_least(a - found * b, b), found);
#else
    // By floats, which is exact: a quotient of two 16-bit integers that is no integer is further
    // from the next one than a float is wrong.
    auto const of = [](Wide x, Wide y) CRX_LAMBDA_IN_LANES {
        auto const quotient =
            _mm256_div_ps(_mm256_cvtepi32_ps(x.v.raw), _mm256_cvtepi32_ps(y.v.raw));
        return Wide{decltype(x.v){_mm256_cvttps_epi32(quotient)}};
    };
    return joined({of(part_of<0>(a), part_of<0>(b)), of(part_of<1>(a), part_of<1>(b))});
#endif
}

/// Writes one number; in a warp of a GPU one thread does it (warp_lanes.cuh).
template <class T>
CRX_IN_LANES void write_one(T* to, T const& value)
{
    *to = value;
}

} // namespace
} // namespace crx
