#pragma once

#include "kernels/random/ziggurat_doubles.hh"

// CPU only, as lane_numbers.hh.

namespace crx {
namespace {

/// HypergeometricByZiggurat in each lane, in floats. Contract: population + 2 <= 2^24, so standard
/// deviations are 2^10 at most and places within 2^13 of the centre.
template <>
class ZigguratInLanes<float>
{
    using Lanes = LaneNumbers<float>;
    using Wide = LaneNumbers<double>;

  public:
    using Number = Lanes::Number;
    using Whole = Wide::Whole;

    Number scale;
    Number inner; ///< of which HypergeometricZiggurat::inner says how much

    /// Contract: 0 <= marked, draws <= population where `asked`.
    CRX_IN_LANES ZigguratInLanes(Number const& population, Number const& marked,
                                 Number const& draws, unsigned asked)
    {
        auto const slope = population + 2, inverse = Lanes::near_inverse(slope);
        auto const of_marked = marked + 1, of_draws = draws + 1;
        // The product is two floats exactly. The whole number is within 11 of the centre, what is
        // left within 2^-20.5 of itself.
        auto const product = of_marked * of_draws;
        auto const rest_of_product = Lanes::product_less(of_marked, of_draws, product);
        whole_ = Lanes::floor(product * inverse);
        rest_ = (Lanes::less_product(product, whole_, slope) + rest_of_product) * inverse;

        auto const marked_share = of_marked * inverse, draws_share = of_draws * inverse;
        auto const others = (population + 1 - marked) * inverse;
        auto const not_drawn = (population + 1 - draws) * inverse;
        auto const variance = marked_share * draws_share * (others * not_drawn) * slope;
        constexpr float parts = HypergeometricZiggurat::scale_parts,
                        more = HypergeometricZiggurat::scale_more;
        auto const root = variance * Lanes::near_inverse_root(variance) * parts;
        // Four inverses and eight roundings under the root, that of the root, and three roundings.
        constexpr float error = 3 * Lanes::near_error + 8 * 0x1p-24f;
        auto whole = Lanes::floor(root * (1 - error));
        auto const next = Lanes::at_most(whole + 1, root * (1 + error));
        for (auto unsure = Lanes::bits(next) & asked; unsure != 0; unsure &= unsure - 1) {
            auto const j = __builtin_ctz(unsure);
            whole[j] = whole_root(population[j], marked[j], draws[j]);
        }
        scale = whole + more;
        auto const skew = Lanes::magnitude((1 - 2 * marked_share) * (1 - 2 * draws_share));
        // A part in 2^20 less for what is rounded here and in distances; what they are off by
        // beside, 2^-17, HypergeometricZiggurat has to spare.
        constexpr float part = 0x1p-13f / parts * (1 - 0x1p-20f);
        inner = (scale - float{HypergeometricZiggurat::inner_less} -
                 HypergeometricZiggurat::inner_skew * skew) *
                part;
    }

    /// Lanes in which they cover the law.
    CRX_IN_LANES unsigned cover() const
    {
        return Lanes::bits(
            Lanes::at_most(Number{} + float{HypergeometricZiggurat::least_scale}, scale));
    }

    /// A trial of draw_by_layers in each lane, by its next word.
    CRX_IN_LANES ZigguratTrial<Lanes> try_next(Whole const (&words)[2]) const
    {
        auto const bits = split(words[0], words[1]);
        auto const row =
            split(Wide::as_whole(Wide::look_up(ziggurat_rows.short_reach, words[0] & 0x1ff)),
                  Wide::as_whole(Wide::look_up(ziggurat_rows.short_reach, words[1] & 0x1ff)));
        auto const place = Lanes::to_number(reinterpret_cast<Signed>(bits.upper >> 1));
        auto const y = place * (scale * reinterpret_cast<Number>(row.lower));
        auto const below = ~bits.lower << 22 & 0x80000000u;
        auto const real = rest_ + reinterpret_cast<Number>(reinterpret_cast<Halves>(y) ^ below);
        constexpr float shift = 0x1.8p23f; // its last bit is worth 1
        auto const nearest = (real + shift) - shift, beyond = real - nearest;
        auto const found = Lanes::add_where(Lanes::less(beyond, Number{}), nearest, Number{} - 1);
        // Where in its step Y is, is 2^-18; what is left of the centre is off by 2^-17.
        auto const doubt = y * 0x1p-21f + 0x1p-15f, far = Lanes::magnitude(found - rest_ + 0.5f);
        auto const clear = Lanes::less(doubt, Lanes::magnitude(beyond));
        auto const inside = Lanes::at_most(far, inner * reinterpret_cast<Number>(row.upper));
        return {whole_ + found, far, Lanes::bits(clear), Lanes::bits(inside)};
    }

  private:
    using Signed = Lanes::Signed;
    using Halves = std::uint32_t __attribute__((vector_size(lane_bytes), aligned(lane_bytes)));

    /// As HypergeometricByZiggurat has it.
    CRX_IN_LANES static float whole_root(double population, double marked, double draws)
    {
        auto const of_marked = (marked + 1) * (population + 1 - marked);
        auto const of_draws = (draws + 1) * (population + 1 - draws), slope = population + 2;
        auto const variance = of_marked / slope * (of_draws / slope) / slope;
        return static_cast<float>(
            static_cast<std::int32_t>(HypergeometricZiggurat::scale_parts * std::sqrt(variance)));
    }

    struct Split
    {
        Halves lower, upper;
    };
    /// Both halves of each word.
    CRX_IN_LANES static Split split(Whole const& first, Whole const& second)
    {
#if CRX_LANE_BYTES == 64
        Halves const even{0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30};
        auto const a = reinterpret_cast<__m512i>(first), b = reinterpret_cast<__m512i>(second);
        return {reinterpret_cast<Halves>(
                    _mm512_permutex2var_epi32(a, reinterpret_cast<__m512i>(even), b)),
                reinterpret_cast<Halves>(
                    _mm512_permutex2var_epi32(a, reinterpret_cast<__m512i>(even + 1), b))};
#else
        auto const a = reinterpret_cast<__m256>(first), b = reinterpret_cast<__m256>(second);
        constexpr int in_order = 0xd8; // quarters 0, 2, 1, 3
        return {reinterpret_cast<Halves>(_mm256_permute4x64_epi64(
                    reinterpret_cast<__m256i>(_mm256_shuffle_ps(a, b, 0x88)), in_order)),
                reinterpret_cast<Halves>(_mm256_permute4x64_epi64(
                    reinterpret_cast<__m256i>(_mm256_shuffle_ps(a, b, 0xdd)), in_order))};
#endif
    }

    Number whole_, rest_; ///< the centre is both
};

} // namespace
} // namespace crx
