#pragma once

#include "kernels/base/lane_numbers.hh"
#include "kernels/random/hypergeometric.cuh"
#include "kernels/random/hypergeometric_one.hh"

// CPU only, as lane_numbers.hh.

namespace crx {
namespace {

/// hypergeometric() for several populations at once, each with words of its own: the same draws by
/// the same words. A place under the hat and the series about the mode (FactorialRatio) are
/// computed in all lanes together; what they leave open is decided one by one.
class HypergeometricLanes
{
  public:
    static constexpr int lanes = lane_bytes / sizeof(double);

    /// Contract: as of hypergeometric() for each.
    static void execute(HypergeometricDraw* draw, int count)
    {
        for (; count > 0; count -= lanes, draw += lanes)
            HypergeometricLanes(draw, count < lanes ? count : lanes).run();
    }

  private:
    using Lanes = LaneNumbers<double>;
    using Number = Lanes::Number;
    using Whole = Lanes::Whole;
    using Mask = Lanes::Mask;

    CRX_IN_LANES HypergeometricLanes(HypergeometricDraw* draw, int count) : draw_(draw)
    {
        // Lanes without a draw take part in a harmless one.
        Whole population = Whole{} + 64, marked = population, draws = population;
        for (int j = 0; j < count; ++j) {
            population[j] = static_cast<std::uint64_t>(draw[j].population);
            marked[j] = static_cast<std::uint64_t>(draw[j].marked);
            draws[j] = static_cast<std::uint64_t>(draw[j].draws);
        }
        reduce(Lanes::number(population), Lanes::number(marked), Lanes::number(draws));
        auto const in_lanes = Lanes::bits(
            Lanes::less(Number{} + double{ReducedHypergeometric::most_by_urn}, marked_) &
            Lanes::less((marked_ + 1) * (draws_ + 1), Number{} + 0x1p52));
        auto const all = (1u << count) - 1;
        open_ = in_lanes & all;
        for (auto rest = all & ~open_; rest != 0; rest &= rest - 1) {
            auto& d = draw[__builtin_ctz(rest)];
            d.found = hypergeometric_one(d.population, d.marked, d.draws, *d.words);
        }
    }

    /// reduce_hypergeometric(). No branch: which of the two are more cannot be foreseen.
    CRX_IN_LANES void reduce(Number const& population, Number marked, Number draws)
    {
        auto const others = Lanes::less(population, marked + marked);
        offset_ = Lanes::pick(others, draws, Number{});
        sign_ = Lanes::pick(others, Number{} - 1, Number{} + 1);
        marked = Lanes::pick(others, population - marked, marked);
        auto const rest = Lanes::less(population, draws + draws);
        offset_ = Lanes::pick(rest, offset_ + sign_ * marked, offset_);
        sign_ = Lanes::pick(rest, -sign_, sign_);
        draws = Lanes::pick(rest, population - draws, draws);
        population_ = population;
        marked_ = Lanes::smaller(marked, draws);
        draws_ = Lanes::larger(marked, draws);
    }

    CRX_IN_LANES void run()
    {
        if (open_ == 0) return;
        // As in hypergeometric_ratio: the floor is exact as the product is below 2^52.
        auto const product = (draws_ + 1) * (marked_ + 1), slope = population_ + 2;
        mode_ = Lanes::floor(Number(product / slope));
        spare_ = population_ - marked_ - draws_;
        width_ = width(slope, slope * (mode_ + 1) - product);
        open_series();
        auto const drawn = open_;
        while (open_ != 0) trial();
        auto const found = Lanes::whole(offset_ + sign_ * found_);
        for (auto rest = drawn; rest != 0; rest &= rest - 1) {
            auto const j = __builtin_ctz(rest);
            draw_[j].found = static_cast<std::int64_t>(found[j]);
        }
    }

    /// block_width: the same products and comparisons. `above`: denominator minus numerator at the
    /// mode.
    CRX_IN_LANES Number width(Number const& slope, Number const& above) const
    {
        double const twice_log[] = {0.19689, 0.94001, 2.13568, 3.71260};
        double const twice_log_2 = 1.38630;
        auto const below = slope - above;
        auto const denominator = [&](Number const& d) CRX_LAMBDA_IN_LANES {
            return Number((mode_ + 1 + d) * (spare_ + mode_ + 1 + d));
        };
        auto const numerator = [&](Number const& d) CRX_LAMBDA_IN_LANES {
            return Number((marked_ - mode_ - d) * (draws_ - mode_ - d));
        };
        auto w = Lanes::floor(0.5 * Lanes::root(Number(denominator(Number{}) / slope))) + 1;
        for (;;) {
            auto covers = Lanes::of_bits(~0u);
            for (int j = 1; j <= 4; ++j) {
                auto const d = j * w, fall = slope * (d - 1);
                covers &=
                    Lanes::at_most(twice_log[j - 1] * denominator(d - 1), d * (2 * above + fall));
                covers &= Lanes::at_most(twice_log[j - 1] * numerator(-d), d * (2 * below + fall));
            }
            auto const d = 4 * w;
            covers &= Lanes::at_most(twice_log_2 * denominator(d), 2 * w * (above + slope * d));
            covers &= Lanes::at_most(twice_log_2 * numerator(-1 - d), 2 * w * (below + slope * d));
            if ((~Lanes::bits(covers) & open_) == 0) return w;
            w = Lanes::pick(covers, w, w + Lanes::floor(w * (1.0 / 16)) + 1);
        }
    }

    /// FactorialRatio::open_series
    CRX_IN_LANES void open_series()
    {
        Number const a[] = {mode_ + 0.5, spare_ + mode_ + 0.5};
        Number const b[] = {marked_ - mode_ + 0.5, draws_ - mode_ + 0.5};
        auto const up = a[0] * a[1], down = b[0] * b[1];
        auto least = Lanes::smaller(Lanes::smaller(a[0], a[1]), Lanes::smaller(b[0], b[1]));
        Number sum[4] = {};
        for (int j = 0; j < 2; ++j) {
            auto const x = 1 / a[j], y = 1 / b[j], xx = x * x, yy = y * y;
            sum[0] += y + x;
            sum[1] += yy - xx;
            sum[2] += yy * y + xx * x;
            sum[3] += yy * yy - xx * xx;
        }
        auto const e = (down - up) / (down + up), q = e * e;
        power_[0] = 2 * e * (1 + q * (1.0 / 3 + q * (1.0 / 5 + q * (1.0 / 7))));
        power_[1] = sum[0] * (-1.0 / 2);
        power_[2] = sum[1] * (-1.0 / 6);
        power_[3] = sum[2] * (-1.0 / 12);
        power_[4] = sum[3] * (-1.0 / 20);
        inverse_ = 1 / least;
        least_ = Lanes::pick(Lanes::less(least, Number{} + 16), Number{}, least);
    }

    /// A trial of draw_by_rejection in each lane that is open.
    CRX_IN_LANES void trial()
    {
        Whole word{};
        for (auto rest = open_; rest != 0; rest &= rest - 1) {
            auto const j = __builtin_ctz(rest);
            word[j] = draw_[j].words->next();
        }
        auto const places = 2.0 * BlockHat::a_side * width_;
        auto const product = Lanes::product_of_halves(word >> 32, Lanes::whole(places));
        auto const place = Lanes::number(product >> 32);
        auto const low = Lanes::number(product & 0xffffffff);
        auto const ticket = Lanes::floor(Number(place / width_));
        auto const rest = place - ticket * width_;
        auto const half = Lanes::floor(ticket * 0.5);
        auto const odd = Lanes::less(half * 2, ticket);
        // BlockHat::block_of and height_of
        auto const one = Number{} + 1;
        Number block{}, height = Number{} + 32;
        double const begin[] = {32, 61, 81, 92}, next_height[] = {29, 20, 11, 5};
        for (int b = 0; b < 4; ++b) {
            auto const past = Lanes::at_most(Number{} + begin[b], half);
            block += Lanes::pick(past, one, Number{});
            height = Lanes::pick(past, Number{} + next_height[b], height);
        }
        Number further{};
        auto again = Lanes::bits(Lanes::less(low, places)) & open_; // seldom one to be drawn again
        if (again != 0) again = drawn_again(again, low, places);
        auto const tails =
            Lanes::bits(Lanes::equal(block, Number{} + double{BlockHat::tail})) & open_ & ~again;
        for (auto left = tails; left != 0; left &= left - 1) {
            auto const j = __builtin_ctz(left);
            further[j] = static_cast<double>(coins(*draw_[j].words));
        }
        auto const away = rest + (block + further) * width_;
        auto const d = Lanes::pick(odd, away, -1 - away);
        auto const first = Lanes::number(word & 0xffffffff);
        decide(d, first, height, further, open_ & ~again);
    }

    /// Which of these lanes Lemire's rule rejects.
    unsigned drawn_again(unsigned lanes_in_question, Number const& low, Number const& places) const
    {
        unsigned again = 0;
        for (auto left = lanes_in_question; left != 0; left &= left - 1) {
            auto const j = __builtin_ctz(left);
            if (low[j] < static_cast<double>((std::uint64_t{1} << 32) %
                                             static_cast<std::uint64_t>(places[j])))
                again |= 1u << j;
        }
        return again;
    }

    /// FactorialRatio::exceeds in these lanes; closes those whose value is accepted.
    CRX_IN_LANES void decide(Number const& d, Number const& first, Number const& height,
                             Number const& further, unsigned asked)
    {
        auto const k = mode_ + d;
        auto const possible =
            Lanes::bits(Lanes::at_most(Number{}, k) & Lanes::at_most(Number{}, spare_ + k) &
                        Lanes::at_most(k, marked_) & Lanes::at_most(k, draws_));
        auto const at_mode =
            Lanes::bits(Lanes::equal(d, Number{}) & Lanes::equal(height, Number{} + 32));
        // FactorialRatio::near_filter
        auto const far = Lanes::larger(d, -d), square_of = d * d;
        auto const linear = power_[0] * d, square = power_[1] * square_of;
        auto const log_ratio =
            linear + square + square_of * d * (power_[2] + d * (power_[3] + d * power_[4]));
        auto const size = Lanes::larger(linear, -linear) - 2 * square + far;
        auto const y = far * inverse_, yy = y * y;
        auto const cut = 4 * (4.0 / 69 * y * inverse_ + 4.0 / 90 * far * yy * yy * y);
        auto const error = cut + size * 0x1p-46 + 1e-7;
        auto const log_height =
            log_within_1e8(first * height) - (37.0 + further) * 0.6931471805599453;
        auto const excess = log_ratio - log_height;
        auto const near =
            Lanes::bits(Lanes::at_most(4 * far, least_) & Lanes::at_most(Number{} + 256, first));
        auto const above = Lanes::bits(Lanes::less(error + 1 / first, excess));
        auto const below = Lanes::bits(Lanes::less(error, -excess));
        asked &= possible;
        auto accepted = asked & (at_mode | (near & above));
        for (auto left = asked & ~accepted & ~(near & below); left != 0; left &= left - 1) {
            auto const j = __builtin_ctz(left);
            UniformHeight const exact{static_cast<std::uint32_t>(first[j]),
                                      static_cast<std::int32_t>(height[j]),
                                      static_cast<std::int64_t>(further[j])};
            auto const whole = [&](Number const& x)
                                   CRX_LAMBDA_IN_LANES { return static_cast<std::int64_t>(x[j]); };
            if (hypergeometric_exceeds(whole(population_), whole(marked_), whole(draws_), whole(k),
                                       exact, *draw_[j].words))
                accepted |= 1u << j;
        }
        open_ &= ~accepted;
        found_ = Lanes::pick(Lanes::of_bits(accepted), k, found_);
    }

    /// FactorialRatio::log_within_1e8, in lanes where x is at least 1.
    CRX_IN_LANES static Number log_within_1e8(Number const& x)
    {
        auto bits = reinterpret_cast<Whole>(x);
        auto const power = (bits - 0x3fe6a09e667f3bcd) >> 52;
        bits -= power << 52;
        auto const m = reinterpret_cast<Number>(bits);
        auto const z = (m - 1) / (m + 1), q = z * z;
        return Lanes::number(power) * 0.6931471805599453 +
               2 * z * (1 + q * (1.0 / 3 + q * (1.0 / 5 + q * (1.0 / 7 + q * (1.0 / 9)))));
    }

    HypergeometricDraw* draw_;
    unsigned open_ = 0;                  ///< lanes still to be drawn
    Number population_, marked_, draws_; ///< as ReducedHypergeometric
    Number offset_, sign_, found_{};     ///< the result is offset + sign times what is found
    Number mode_, spare_, width_;
    Number power_[5], least_, inverse_; ///< of FactorialRatio's series
};

} // namespace
} // namespace crx
