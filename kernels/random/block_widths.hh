#pragma once

#include "kernels/base/lane_pairs.hh"

// CPU only, as lane_numbers.hh.

namespace crx {
namespace {

/// block_width() of a hypergeometric law in each lane: the same products and comparisons.
template <class Lanes>
class BlockWidth
{
    using Number = typename Lanes::Number;

  public:
    /// The factors of denominator(mode - 1) and numerator(mode).
    CRX_IN_LANES BlockWidth(Number const& a, Number const& b, Number const& c, Number const& d)
        : up_{a * b, a + b}, down_{c * d, c + d}
    {
    }

    /// `inverse`: 1 / slope, within 2^-40 of itself. `above`: denominator minus numerator at the
    /// mode. `drawn`: lanes that matter. Contract: all whole and below 2^52.
    CRX_IN_LANES Number covering(Number const& slope, Number const& inverse, Number const& above,
                                 unsigned drawn) const
    {
        auto w = first(slope, inverse, drawn);
        auto const turn = 2 * above - slope;
        if (surely_covers(w, slope, turn, drawn)) return w;
        auto const below = slope - above;
        for (;;) {
            auto covers = Lanes::of_bits(~0u);
            for (int j = 1; j <= 4; ++j) {
                auto const d = j * w, fall = slope * d;
                covers &= Lanes::at_most(twice_log[j - 1] * up_.at(d), d * (fall + turn));
                covers &= Lanes::at_most(twice_log[j - 1] * down_.at(d), d * (fall - turn));
            }
            auto const d = 4 * w, fall = slope * d;
            covers &= Lanes::at_most(twice_log_2 * up_.at(d + 1), 2 * w * (above + fall));
            covers &= Lanes::at_most(twice_log_2 * down_.at(d + 1), 2 * w * (below + fall));
            if ((~Lanes::bits(covers) & drawn) == 0) return w;
            w = Lanes::pick(covers, w, w + Lanes::floor(w * (1.0 / 16)) + 1);
        }
    }

  private:
    /// (x + d) (y + d), exact: whole and below 2^53.
    struct Product
    {
        Number product, sum; ///< of x and y
        CRX_IN_LANES Number at(Number const& d) const { return product + d * (sum + d); }
    };

    static constexpr double twice_log[] = {0.19689, 0.94001, 2.13568, 3.71260};
    static constexpr double twice_log_2 = 1.38630;

    /// floor(root(denominator(mode) / slope) / 2) + 1. Where an inverse root cannot say which
    /// whole number it is, as it is done there.
    CRX_IN_LANES Number first(Number const& slope, Number const& inverse, unsigned drawn) const
    {
        auto const denominator = up_.at(Number{} + 1);
        auto const square = denominator * inverse, half = 0.5 * square;
        auto y = Lanes::rough_inverse_root(square);
        y *= 1.5 - half * y * y;
        y *= 1.5 - half * y * y;
        auto const root = half * y; // within 2^-38 of itself
        auto const next = Lanes::floor(root * (1 - 0x1p-36)) + 1;
        if ((Lanes::bits(Lanes::at_most(next, root * (1 + 0x1p-36))) & drawn) != 0) [[unlikely]]
            return Lanes::floor(0.5 * Lanes::root(denominator / slope)) + 1;
        return next;
    }

    /// Whether the first width covers with so much to spare that no rounding matters.
    ///
    /// With s the slope, both products are below denominator(mode) <= 4 w^2 s, both sums below s,
    /// and |turn| <= s. So from w = 8 on (s > 700) block 1 needs 0.788 + 1.197 / w + 0.197 / s of
    /// w^2 s and has 1, the tail 5.546 + 5.719 / w + 23.6 / s of 8; blocks 2 to 4 are compared for
    /// both sides at once, with the larger of what differs.
    CRX_IN_LANES bool surely_covers(Number const& w, Number const& slope, Number const& turn,
                                    unsigned drawn) const
    {
        auto const product = Lanes::larger(up_.product, down_.product) * (1 + 0x1p-30);
        auto const sum = Lanes::larger(up_.sum, down_.sum), turns = Lanes::magnitude(turn);
        auto spare = w - 8;
        for (int j = 2; j <= 4; ++j) {
            auto const d = j * w, fall = d * (slope - twice_log[j - 1]);
            auto const more = d * (fall - (turns + twice_log[j - 1] * sum));
            spare = Lanes::smaller(spare, more - twice_log[j - 1] * product);
        }
        return (Lanes::bits(Lanes::less(spare, Number{})) & drawn) == 0;
    }

    Product up_, down_;
};

} // namespace
} // namespace crx
