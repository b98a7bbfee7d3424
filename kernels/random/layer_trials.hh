#pragma once

#include "kernels/base/lane_pairs.hh"
#include "kernels/random/layer_rows.hh"

// CPU only, as lane_numbers.hh.

namespace crx {
namespace {

/// HypergeometricLayers in each lane.
template <class Lanes>
struct LayersInLanes
{
    using Number = typename Lanes::Number;

    Number centre; ///< within 2^-45 of itself: an inverse within 1.5 2^-12, its error squared twice
    Number scale;
    Number inner; ///< of which LayerHat::inner says how much

    LayersInLanes() = default;
    /// Contract: 0 <= marked, draws <= population where `asked`.
    CRX_IN_LANES LayersInLanes(Number const& population, Number const& marked, Number const& draws,
                               unsigned asked)
    {
        auto const slope = population + 2, near = Lanes::near_inverse(slope);
        auto const inverse = near * (2 - slope * near); // within 2^-45.5 of itself
        auto const marked_share = (marked + 1) * inverse, draws_share = (draws + 1) * inverse;
        centre = marked_share * (draws + 1);
        auto const variance =
            centre * ((population + 1 - marked) * inverse * ((population + 1 - draws) * inverse));
        auto const half = 0.5 * variance;
        auto y = Lanes::rough_inverse_root(variance);
        y *= 1.5 - half * y * y;
        y *= 1.5 - half * y * y;
        constexpr double parts = LayerHat::scale_parts, more = LayerHat::scale_more;
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
        inner = (scale - double{LayerHat::inner_less} - LayerHat::inner_skew * skew) *
                (0x1p-13 / parts);
    }

    /// Lanes in which they cover the law.
    CRX_IN_LANES unsigned cover() const
    {
        return Lanes::bits(Lanes::at_most(Number{} + double{LayerHat::least_scale}, scale));
    }
};

/// A trial of draw_by_layers in each lane, by its next word.
template <class Lanes>
class LayerTrial
{
    using Number = typename Lanes::Number;
    using Whole = typename Lanes::Whole;
    using Mask = typename Lanes::Mask;

  public:
    CRX_IN_LANES LayerTrial(LayersInLanes<Lanes> const& law, Whole const& word)
    {
        auto const row = Lanes::look_up(layer_rows.reach, word & 0x1ff);
        auto const unit = law.scale * row;
        auto const y = Lanes::as_whole(Lanes::number(word >> 33) * unit);
        auto const below = ~word << 54 & std::uint64_t{1} << 63;
        auto const real = law.centre + Lanes::as_number(y ^ below);
        constexpr double shift = 6755399441055744; // 3 2^51: its last bit is worth 1
        auto const whole = (real + shift) - shift, beyond = real - whole;
        k_ = Lanes::add_where(Lanes::less(beyond, Number{}), whole, Number{} - 1);
        // LayerPlace; what is in the tail is not inner.
        clear_ = Lanes::bits(
            Lanes::less(1.05 * unit + (law.centre * 0x1p-38 + 0x1p-24), Lanes::magnitude(beyond)));
        inner_ =
            Lanes::bits(Lanes::at_most(Lanes::magnitude(k_ - law.centre + 0.5),
                                       law.inner * Lanes::number(Lanes::as_whole(row) & 0xffff)));
    }

    /// What is drawn.
    Number const& k() const { return k_; }
    /// Lanes in which k() is certain, and those in which nothing is to be compared.
    unsigned clear() const { return clear_; }
    unsigned inner() const { return inner_; }

  private:
    Number k_;
    unsigned clear_, inner_;
};

} // namespace
} // namespace crx
