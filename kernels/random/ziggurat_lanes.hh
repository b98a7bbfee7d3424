#pragma once

#include "kernels/random/ziggurat_rejection.cuh"
#include "kernels/random/ziggurat_rows.hh"
#include "kernels/simd/lane_numbers.hh"

#include <cmath>

// For sources *_simd.cc.

namespace crx {
namespace {

/// Where a word's place is under the layers, in each lane.
template <class T>
struct ZigguratTrial
{
    Lanes<T> k;     ///< the value it stands for,
    Lanes<T> far;   ///< at this distance from the centre, in doubt by less than
                    ///< HypergeometricZiggurat has to spare,
    unsigned clear; ///< in those lanes in which that is certain;
    unsigned inner; ///< and in these its layer lies below the law there, as no tail does
};

/// Lanes in which layers of this scale cover the law, a bit each.
template <class T>
CRX_IN_LANES unsigned covered(Lanes<T> scale)
{
    return bits_of(at_least(scale, Lanes<T>::all(HypergeometricZiggurat::least_scale)));
}
/// Of which HypergeometricZiggurat::inner says how much. `part`: of the scale.
template <class T>
CRX_IN_LANES Lanes<T> inner_of(Lanes<T> scale, Lanes<T> marked_share, Lanes<T> draws_share, T part)
{
    auto const skew = magnitude((1 - 2 * marked_share) * (1 - 2 * draws_share));
    return (scale - T{HypergeometricZiggurat::inner_less} -
            T{HypergeometricZiggurat::inner_skew} * skew) *
           part;
}

template <class T>
class ZigguratInLanes;

/// HypergeometricByZiggurat in each lane, in doubles.
template <>
class ZigguratInLanes<double>
{
  public:
    using Number = Lanes<double>;
    using Whole = Lanes<std::uint64_t>;

    Number scale;
    Number inner; ///< of which HypergeometricZiggurat::inner says how much

    /// Contract: 0 <= marked, draws <= population where `asked`.
    CRX_IN_LANES ZigguratInLanes(Number const& population, Number const& marked,
                                 Number const& draws, unsigned asked)
    {
        auto const slope = population + 2, near = near_inverse(slope);
        auto const inverse = near * (2 - slope * near); // within 2^-45.5 of itself
        auto const marked_share = (marked + 1) * inverse, draws_share = (draws + 1) * inverse;
        centre_ = marked_share * (draws + 1);
        auto const variance =
            centre_ * ((population + 1 - marked) * inverse * ((population + 1 - draws) * inverse));
        auto const half = 0.5 * variance;
        auto y = rough_inverse_root(variance);
        y *= 1.5 - half * y * y;
        y *= 1.5 - half * y * y;
        constexpr double parts = HypergeometricZiggurat::scale_parts,
                         more = HypergeometricZiggurat::scale_more;
        auto const root = variance * y * parts; // within 2^-37 of itself
        auto whole = rounded_down(root * (1 - 0x1p-36));
        // Where that cannot say which whole number it is, it is divided as there.
        auto const next = at_most(whole + 1, root * (1 + 0x1p-36));
        if ((bits_of(next) & asked) != 0) [[unlikely]] {
            auto const of_marked = (marked + 1) * (population + 1 - marked);
            auto const of_draws = (draws + 1) * (population + 1 - draws);
            whole =
                rounded_down(parts * square_root(of_marked / slope * (of_draws / slope) / slope));
        }
        scale = whole + more;
        inner = inner_of(scale, marked_share, draws_share, 0x1p-13 / parts);
    }

    /// Lanes in which they cover the law.
    CRX_IN_LANES unsigned cover() const { return covered(scale); }

    /// A trial of draw_by_layers in each lane, by its next word.
    CRX_IN_LANES ZigguratTrial<double> try_next(Whole const (&words)[1]) const
    {
        auto const word = words[0];
        auto const row = look_up(ziggurat_rows.reach, word & 0x1ff);
        auto const unit = scale * row;
        auto const y = same_bits<std::uint64_t>(to_numbers(shifted_right<33>(word)) * unit);
        auto const below = without_bits(Whole::all(std::uint64_t{1} << 63), shifted_left<54>(word));
        auto const real = centre_ + same_bits<double>(y ^ below);
        auto const nearest = (real + last_bit_is_one) - last_bit_is_one, beyond = real - nearest;
        auto const k = add_where(less(beyond, Number::zero()), nearest, Number::all(-1));
        // As ZigguratPlace.
        auto const doubt = 1.05 * unit + (centre_ * 0x1p-38 + 0x1p-24);
        auto const far = magnitude(k - centre_ + 0.5);
        auto const clear = less(doubt, magnitude(beyond));
        auto const inside =
            at_most(far, inner * to_numbers(same_bits<std::uint64_t>(row) & 0xffff));
        return {k, far, bits_of(clear), bits_of(inside)};
    }

  private:
    Number
        centre_; ///< within 2^-45 of itself: an inverse within 1.5 2^-12, its error squared twice
};

/// HypergeometricByZiggurat in each lane, in floats. Contract: population + 2 <= 2^24, so standard
/// deviations are 2^10 at most and places within 2^13 of the centre.
template <>
class ZigguratInLanes<float>
{
  public:
    using Number = Lanes<float>;
    using Whole = Lanes<std::uint64_t>;

    Number scale;
    Number inner; ///< of which HypergeometricZiggurat::inner says how much

    /// Contract: 0 <= marked, draws <= population where `asked`.
    CRX_IN_LANES ZigguratInLanes(Number const& population, Number const& marked,
                                 Number const& draws, unsigned asked)
    {
        auto const slope = population + 2, inverse = near_inverse(slope);
        auto const of_marked = marked + 1, of_draws = draws + 1;
        // The product is two floats exactly. The whole number is within 11 of the centre, what is
        // left within 2^-20.5 of itself.
        auto const product = of_marked * of_draws;
        auto const rest_of_product = product_less(of_marked, of_draws, product);
        whole_ = rounded_down(product * inverse);
        rest_ = (less_product(product, whole_, slope) + rest_of_product) * inverse;

        auto const marked_share = of_marked * inverse, draws_share = of_draws * inverse;
        auto const others = (population + 1 - marked) * inverse;
        auto const not_drawn = (population + 1 - draws) * inverse;
        auto const variance = marked_share * draws_share * (others * not_drawn) * slope;
        constexpr float parts = HypergeometricZiggurat::scale_parts,
                        more = HypergeometricZiggurat::scale_more;
        auto const root = variance * near_inverse_root(variance) * parts;
        // Four inverses and eight roundings under the root, that of the root, and three roundings.
        constexpr float error = 3 * near_error + 8 * 0x1p-24f;
        auto whole = rounded_down(root * (1 - error));
        auto const next = at_most(whole + 1, root * (1 + error));
        for (auto unsure = bits_of(next) & asked; unsure != 0; unsure &= unsure - 1) {
            auto const j = __builtin_ctz(unsure);
            whole[j] = whole_root(population[j], marked[j], draws[j]);
        }
        scale = whole + more;
        // A part in 2^20 less for what is rounded here and in distances; what they are off by
        // beside, 2^-17, HypergeometricZiggurat has to spare.
        constexpr float part = 0x1p-13f / parts * (1 - 0x1p-20f);
        inner = inner_of(scale, marked_share, draws_share, part);
    }

    /// Lanes in which they cover the law.
    CRX_IN_LANES unsigned cover() const { return covered(scale); }

    /// A trial of draw_by_layers in each lane, by its next word.
    CRX_IN_LANES ZigguratTrial<float> try_next(Whole const (&words)[2]) const
    {
        auto const bits = split(words[0], words[1]);
        auto const row_of = [](Whole word) CRX_LAMBDA_IN_LANES {
            return same_bits<std::uint64_t>(look_up(ziggurat_rows.short_reach, word & 0x1ff));
        };
        auto const row = split(row_of(words[0]), row_of(words[1]));
        auto const place = to_numbers(same_bits<std::int32_t>(shifted_right<1>(bits.upper)));
        auto const y = place * (scale * same_bits<float>(row.lower));
        auto const below = without_bits(Halves::all(0x80000000u), shifted_left<22>(bits.lower));
        auto const real = rest_ + same_bits<float>(same_bits<std::uint32_t>(y) ^ below);
        constexpr float shift = 0x1.8p23f; // its last bit is worth 1
        auto const nearest = (real + shift) - shift, beyond = real - nearest;
        auto const found = add_where(less(beyond, Number::zero()), nearest, Number::all(-1));
        // Where in its step Y is, is 2^-18; what is left of the centre is off by 2^-17.
        auto const doubt = y * 0x1p-21f + 0x1p-15f, far = magnitude(found - rest_ + 0.5f);
        auto const clear = less(doubt, magnitude(beyond));
        auto const inside = at_most(far, inner * same_bits<float>(row.upper));
        return {whole_ + found, far, bits_of(clear), bits_of(inside)};
    }

  private:
    using Halves = Lanes<std::uint32_t>;

    /// As HypergeometricByZiggurat has it.
    CRX_IN_LANES static float whole_root(double population, double marked, double draws)
    {
        auto const variance = HypergeometricByZiggurat::variance(population, marked, draws);
        return static_cast<float>(
            static_cast<std::int32_t>(HypergeometricZiggurat::scale_parts * std::sqrt(variance)));
    }

    struct Split
    {
        Halves lower, upper;
    };
    /// Both halves of each word.
    CRX_IN_LANES static Split split(Whole first, Whole second)
    {
        Halves::Tag const tag;
        auto const a = hn::BitCast(tag, first.v), b = hn::BitCast(tag, second.v);
        return {{hn::ConcatEven(tag, b, a)}, {hn::ConcatOdd(tag, b, a)}};
    }

    Number whole_, rest_; ///< the centre is both
};

} // namespace
} // namespace crx
