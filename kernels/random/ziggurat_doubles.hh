#pragma once

#include "kernels/random/ziggurat_rejection.cuh"
#include "kernels/random/ziggurat_rows.hh"
#include "kernels/simd/lane_numbers.hh"

// CPU only, as lane_numbers.hh.

namespace crx {
namespace {

/// Where a word's place is under the layers, in each lane.
template <class Lanes>
struct ZigguratTrial
{
    using Number = typename Lanes::Number;

    Number k;   ///< the value it stands for,
    Number far; ///< at this distance from the centre, in doubt by less than HypergeometricZiggurat
                ///< has to spare,
    unsigned clear; ///< in those lanes in which that is certain;
    unsigned inner; ///< and in these its layer lies below the law there, as no tail does
};

template <class T>
class ZigguratInLanes;

/// HypergeometricByZiggurat in each lane, in doubles.
template <>
class ZigguratInLanes<double>
{
    using Lanes = LaneNumbers<double>;

  public:
    using Number = Lanes::Number;
    using Whole = Lanes::Whole;

    Number scale;
    Number inner; ///< of which HypergeometricZiggurat::inner says how much

    /// Contract: 0 <= marked, draws <= population where `asked`.
    CRX_IN_LANES ZigguratInLanes(Number const& population, Number const& marked,
                                 Number const& draws, unsigned asked)
    {
        auto const slope = population + 2, near = Lanes::near_inverse(slope);
        auto const inverse = near * (2 - slope * near); // within 2^-45.5 of itself
        auto const marked_share = (marked + 1) * inverse, draws_share = (draws + 1) * inverse;
        centre_ = marked_share * (draws + 1);
        auto const variance =
            centre_ * ((population + 1 - marked) * inverse * ((population + 1 - draws) * inverse));
        auto const half = 0.5 * variance;
        auto y = Lanes::rough_inverse_root(variance);
        y *= 1.5 - half * y * y;
        y *= 1.5 - half * y * y;
        constexpr double parts = HypergeometricZiggurat::scale_parts,
                         more = HypergeometricZiggurat::scale_more;
        auto const root = variance * y * parts; // within 2^-37 of itself
        auto whole = Lanes::floor(root * (1 - 0x1p-36));
        // Where that cannot say which whole number it is, it is divided as there.
        auto const next = Lanes::at_most(whole + 1, root * (1 + 0x1p-36));
        if ((Lanes::bits(next) & asked) != 0) [[unlikely]] {
            auto const of_marked = (marked + 1) * (population + 1 - marked);
            auto const of_draws = (draws + 1) * (population + 1 - draws);
            whole =
                Lanes::floor(parts * Lanes::root(of_marked / slope * (of_draws / slope) / slope));
        }
        scale = whole + more;
        auto const skew = Lanes::magnitude((1 - 2 * marked_share) * (1 - 2 * draws_share));
        inner = (scale - double{HypergeometricZiggurat::inner_less} -
                 HypergeometricZiggurat::inner_skew * skew) *
                (0x1p-13 / parts);
    }

    /// Lanes in which they cover the law.
    CRX_IN_LANES unsigned cover() const
    {
        return Lanes::bits(
            Lanes::at_most(Number{} + double{HypergeometricZiggurat::least_scale}, scale));
    }

    /// A trial of draw_by_layers in each lane, by its next word.
    CRX_IN_LANES ZigguratTrial<Lanes> try_next(Whole const (&words)[1]) const
    {
        auto const word = words[0];
        auto const row = Lanes::look_up(ziggurat_rows.reach, word & 0x1ff);
        auto const unit = scale * row;
        auto const y = Lanes::as_whole(Lanes::number(word >> 33) * unit);
        auto const below = ~word << 54 & std::uint64_t{1} << 63;
        auto const real = centre_ + Lanes::as_number(y ^ below);
        constexpr double shift = 6755399441055744; // 3 2^51: its last bit is worth 1
        auto const nearest = (real + shift) - shift, beyond = real - nearest;
        auto const k = Lanes::add_where(Lanes::less(beyond, Number{}), nearest, Number{} - 1);
        // As ZigguratPlace.
        auto const doubt = 1.05 * unit + (centre_ * 0x1p-38 + 0x1p-24);
        auto const far = Lanes::magnitude(k - centre_ + 0.5);
        auto const clear = Lanes::less(doubt, Lanes::magnitude(beyond));
        auto const inside =
            Lanes::at_most(far, inner * Lanes::number(Lanes::as_whole(row) & 0xffff));
        return {k, far, Lanes::bits(clear), Lanes::bits(inside)};
    }

  private:
    Number
        centre_; ///< within 2^-45 of itself: an inverse within 1.5 2^-12, its error squared twice
};

} // namespace
} // namespace crx
