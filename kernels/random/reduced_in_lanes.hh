#pragma once

#include "kernels/random/block_trials.hh"
#include "kernels/random/block_widths.hh"
#include "kernels/random/hypergeometric.cuh"

// CPU only, as lane_numbers.hh.

namespace crx {
namespace {

/// reduce_hypergeometric() in each lane, and the law that is then drawn from.
template <class Lanes>
class ReducedInLanes
{
    using Number = typename Lanes::Number;

  public:
    // No branch: which of the two are more cannot be foreseen.
    CRX_IN_LANES ReducedInLanes(Number const& population, Number marked, Number draws)
    {
        population_ = population;
        auto const others = Lanes::less(population, marked + marked);
        offset_ = Lanes::pick(others, draws, Number{});
        sign_ = Lanes::pick(others, Number{} - 1, Number{} + 1);
        marked = Lanes::pick(others, population - marked, marked);
        auto const rest = Lanes::less(population, draws + draws);
        offset_ = Lanes::pick(rest, offset_ + sign_ * marked, offset_);
        sign_ = Lanes::pick(rest, -sign_, sign_);
        draws = Lanes::pick(rest, population - draws, draws);
        marked_ = Lanes::smaller(marked, draws);
        draws_ = Lanes::larger(marked, draws);
    }

    /// Whether it is drawn here, by rejection.
    CRX_IN_LANES unsigned by_rejection() const
    {
        return Lanes::bits(
            Lanes::less(Number{} + double{ReducedHypergeometric::most_by_urn}, marked_) &
            Lanes::less((marked_ + 1) * (draws_ + 1), Number{} + 0x1p52));
    }
    /// The result is offset plus sign times what is drawn.
    Number const& offset() const { return offset_; }
    Number const& sign() const { return sign_; }

    /// In the lanes of `drawn`, which are by_rejection().
    CRX_IN_LANES BlockLaw<Lanes> law(unsigned drawn) const
    {
        // As in hypergeometric_ratio. All is whole and below 2^53, and the inverse within 2^-40 of
        // itself: a quotient that is off by one shows in its rest.
        auto const product = (draws_ + 1) * (marked_ + 1), slope = population_ + 2;
        auto const near = Lanes::near_inverse(slope), inverse = near * (2 - slope * near);
        auto mode = Lanes::floor(product * inverse);
        auto const rest = product - mode * slope;
        mode = Lanes::add_where(Lanes::at_most(slope, rest), mode, Number{} + 1);
        mode = Lanes::add_where(Lanes::less(rest, Number{}), mode, Number{} - 1);
        auto const spare = population_ - marked_ - draws_;
        BlockLaw<Lanes> law;
        law.mode = mode;
        auto const above = slope * (mode + 1) - product; // denominator - numerator at the mode
        law.width = BlockWidth<Lanes>(mode, spare + mode, marked_ - mode, draws_ - mode)
                        .covering(slope, inverse, above, drawn);
        // FactorialRatio::open_series
        Number const a[] = {mode + 0.5, spare + mode + 0.5};
        Number const b[] = {marked_ - mode + 0.5, draws_ - mode + 0.5};
        auto const up = a[0] * a[1], down = b[0] * b[1];
        Number sum[3] = {}, most_inverse{};
        for (int j = 0; j < 2; ++j) {
            auto const x = Lanes::near_inverse(a[j]), y = Lanes::near_inverse(b[j]);
            auto const xx = x * x, yy = y * y;
            sum[0] += y + x;
            sum[1] += yy - xx;
            sum[2] += yy * y + xx * x;
            most_inverse = Lanes::larger(most_inverse, Lanes::larger(x, y));
        }
        auto const e = (down - up) * Lanes::near_inverse(down + up), q = e * e;
        law.power[0] = 2 * e * (1 + q * (1.0 / 3));
        law.power[1] = sum[0] * (-1.0 / 2);
        law.power[2] = sum[1] * (-1.0 / 6);
        law.power[3] = sum[2] * (-1.0 / 12);
        most_inverse *= 1 + 0x1p-20;
        law.inverse =
            Lanes::pick(Lanes::less(most_inverse, Number{} + 1.0 / 16), most_inverse, Number{} + 1);
        return law;
    }

  private:
    Number population_, marked_, draws_, offset_, sign_;
};

} // namespace
} // namespace crx
