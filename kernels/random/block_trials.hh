#pragma once

#include "kernels/base/lane_pairs.hh"
#include "kernels/random/block_rejection.cuh"

// CPU only, as lane_numbers.hh.

namespace crx {
namespace {

/// What a trial of draw_by_rejection needs to know of a hypergeometric law, in each lane.
template <class Lanes>
struct BlockLaw
{
    using Number = typename Lanes::Number;

    Number mode, width;
    Number inverse;  ///< no less than 1 / FactorialRatio's least; 1 where that is below 16
    Number power[4]; ///< FactorialRatio's coefficients of d^1 .. d^4 (BlockTrial says how near)
};

/// A trial of draw_by_rejection in each lane, of a law whose values are within 0 .. 2^31.
///
/// Decisions are those of FactorialRatio::near_filter or none: they are exact, so its margins may
/// be wider here and nothing is divided. Its logarithm is cut after y^4, which leaves less than
/// y^5 / (20 (1 - |y|)) of phi, and e's series after e^3: 2^-17.6 of the linear part. What was
/// inverted is within 2^-21 of itself, so the linear part is within 2^-17, the square and what is
/// beyond it, which is less, within 2^-19. 2^-15 is more than the bits of the uniform number that
/// are not known, below 2^-16 as the known are above 2^16, and what its logarithm is off by.
/// A value that is impossible is never within a quarter of `least` of the mode.
template <class Lanes>
class BlockTrial
{
    using Number = typename Lanes::Number;
    using Whole = typename Lanes::Whole;
    using Mask = typename Lanes::Mask;

  public:
    /// `word`, `coin`: the next two of each lane.
    CRX_IN_LANES BlockTrial(BlockLaw<Lanes> const& law, Whole const& word, Whole const& coin)
    {
        // The place is floor(x width), so the ticket, floor(place / width), is floor(x).
        auto const x = Lanes::product_of_halves(word >> 32, Whole{} + 2 * BlockHat::a_side);
        auto const product = Lanes::product_of_halves(x, Lanes::whole(law.width));
        auto const ticket = Lanes::number(x >> 32), rest = Lanes::number(product >> 32);
        auto const low = Lanes::number(product & 0xffffffff);
        // BlockHat::block_of and height_of
        auto const one = Number{} + 1;
        Number block{}, height = Number{} + 32;
        double const begin[] = {64, 122, 162, 184}, next_height[] = {29, 20, 11, 5};
        for (int b = 0; b < BlockHat::tail; ++b) {
            tail_ = Lanes::at_most(Number{} + begin[b], ticket);
            block = Lanes::add_where(tail_, block, one);
            height = Lanes::pick(tail_, Number{} + next_height[b], height);
        }
        auto const further = Lanes::where(tail_, zeros_below(coin));
        auto const away = rest + (block + further) * law.width;
        // Above the mode if the ticket is odd, else -1 - away.
        auto const sign = ~x << 31 & std::uint64_t{1} << 63;
        auto const d = Lanes::as_number(Lanes::as_whole(away + 0.5) ^ sign) - 0.5;
        k_ = law.mode + d;

        auto const* const power = law.power;
        auto const far = Lanes::magnitude(d), square_of = d * d;
        auto const linear = power[0] * d, square = power[1] * square_of;
        auto const log_ratio = linear + square + square_of * d * (power[2] + d * power[3]);
        auto const y = far * law.inverse, yy = y * y;
        auto const cut = 16.0 / 69 * y * law.inverse + 4.0 / 15 * far * (yy * yy);
        auto const error = cut + (Lanes::magnitude(linear) - 2 * square) * 0x1p-17 + 0x1p-15;
        auto const first = Lanes::number(word & 0xffffffff);
        auto const excess = log_ratio - log_height(first * height, further);
        Mask const says = Lanes::at_most(4 * y, one) & Lanes::less(Number{} + 0x1p16, first);
        // What Lemire's rule may reject, and a word of coins without a head.
        auto const clear = ~Lanes::bits(Lanes::less(low, 2.0 * BlockHat::a_side * law.width) |
                                        Lanes::less(further, Number{}));
        accepted_ = Lanes::bits(says & Lanes::less(error, excess)) & clear;
        rejected_ = Lanes::bits(says & Lanes::less(error, -excess)) & clear;
    }

    /// Lanes in which k() is accepted, and those in which it is rejected; neither: not decided.
    unsigned accepted() const { return accepted_; }
    unsigned rejected() const { return rejected_; }
    Number const& k() const { return k_; }
    /// Where the words behind those that were taken are, if the first was at `place`.
    CRX_IN_LANES Whole after(Whole const& place) const
    {
        return Lanes::as_whole(
            Lanes::pick(tail_, Lanes::as_number(place + 16), Lanes::as_number(place + 8)));
    }

  private:
    /// Zeros below the lowest bit that is set; less than 0 if none is.
    CRX_IN_LANES static Number zeros_below(Whole const& word)
    {
        auto const power = Lanes::of_64_bits(word & (~word + 1));
        return Lanes::number(Lanes::as_whole(power) >> 52) - 1023;
    }

    /// log x - (37 + further) log 2, for x from 1 on below 2^40, within 2^-22: as
    /// FactorialRatio::log_within_1e8, cut after z^7.
    CRX_IN_LANES static Number log_height(Number const& x, Number const& further)
    {
        auto bits = Lanes::as_whole(x);
        auto const power = (bits - 0x3fe6a09e667f3bcd) >> 52;
        bits -= power << 52;
        auto const m = Lanes::as_number(bits);
        auto const z = (m - 1) * Lanes::near_inverse(m + 1), q = z * z;
        return (Lanes::number(power) - 37 - further) * 0.6931471805599453 +
               z * (2 + q * (2.0 / 3 + q * (2.0 / 5 + q * (2.0 / 7))));
    }

    unsigned accepted_, rejected_;
    Number k_;
    Mask tail_;
};

} // namespace
} // namespace crx
