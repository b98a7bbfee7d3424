#pragma once

#include "kernels/base/host_device.cuh"
#include "kernels/base/lane_numbers.hh"
#include "kernels/random/buffered_words.hh"
#include "kernels/random/hypergeometric_ziggurat.cuh"
#include "kernels/random/ziggurat_rejection.cuh"

#include <algorithm>
#include <cmath>
#include <cstring>

// For sources *_simd.cc.

namespace crx {
namespace {

/// FactorialRatio<2>::filter for numbers that lanes know, the four factorials together, for values
/// k not far from the mode. Its decisions or none.
///
/// With d = k - mode, log f(k)/f(mode) is a sum of logarithms of whole numbers. Each run of |d| of
/// them is an integral of the logarithm between halves, x and x - |d|, by the midpoint rule: off by
/// less than |d| / (23 x (x - |d|)). With A_j = r_j + mode + 1/2, B_j = b_j - mode + 1/2 and
/// phi(y) = (1+y) log(1+y) - y the integrals are
///   d log(prod B / prod A) - sum_j A_j phi(d/A_j) - sum_j B_j phi(-d/B_j).
/// phi(y) = y^2/2 - y^3/6 + y^4/12 - .. is cut after y^4, which leaves less than
/// y^5 / (20 (1 - |y|)). The first logarithm, 2 (e + e^3/3 + ..) with e the difference of the
/// products over their sum, is cut after e^3: 2^-17.6 of the linear part. 2^-15 is more than what
/// is not known of the height, below 2^-16 of it, what its logarithm is off by, what the mode is,
/// below 2^-19, and what rounding adds, below 2^-40 of sums below 2^20. A value that is impossible
/// is never within a quarter of the least factorial's number of the mode.
class NearRatio
{
  public:
    /// Contract: that of hypergeometric(). `centre`: HypergeometricZiggurat's x, within 2^-45 of
    /// itself. Next to a whole number the value below may be taken for the mode: f is as large
    /// there but for one part in 2^19, as x is off by 2^-13 at most.
    CRX_IN_LANES NearRatio(double population, double marked, double draws, double centre)
        : mode_(std::floor(centre))
    {
        double const spare = population - marked - draws;
        number_ = Four{mode_, spare + mode_, marked - mode_, draws - mode_} + 0.5;
        inverse_ = 1 / number_;
        auto const up = number_[0] * number_[1], down = number_[2] * number_[3];
        auto const e = (down - up) / (down + up);
        linear_ = 2 * e * (1 + e * e * (1.0 / 3));
        most_ = std::max(std::max(inverse_[0], inverse_[1]), std::max(inverse_[2], inverse_[3]));
    }

    /// 1: f(k) / f(mode) is certainly above any height in [low, low + spread) 2^-47; -1: certainly
    /// below; 0: cannot say.
    CRX_IN_LANES int compare(double k, double low, double spread) const
    {
        auto const d = k - mode_, far = std::abs(d);
        auto const y = Four{d, d, -d, -d} * inverse_;
        auto const phi = d * d * inverse_ * (1.0 / 2 + y * (y * (1.0 / 12) - 1.0 / 6));
        auto const sum = phi[0] + phi[1] + (phi[2] + phi[3]);
        auto const of_most = far * most_, square = of_most * of_most;
        auto const cut = 16.0 / 69 * of_most * most_ + 4.0 / 15 * far * (square * square);
        auto const error = cut + std::abs(linear_ * d) * 0x1p-17 + 0x1p-15;
        auto const excess = linear_ * d - sum - (log(low) - 47 * 0.6931471805599453);
        if (4 * of_most > 1 || most_ >= 1.0 / 16 || low <= 0x1p16 * spread) return 0;
        return excess > error ? 1 : excess < -error ? -1 : 0;
    }

  private:
    using Four = double __attribute__((vector_size(32)));

    /// log x, for x from 1 on below 2^53, within 2^-22: with x = 2^n m, m between sqrt(1/2) and
    /// sqrt(2), and z = (m - 1) / (m + 1), log m = 2 (z + z^3/3 + ..), cut
    /// after z^7.
    CRX_IN_LANES static double log(double x)
    {
        std::uint64_t bits;
        std::memcpy(&bits, &x, sizeof bits);
        auto const power = static_cast<std::int64_t>(bits - 0x3fe6a09e667f3bcd) >> 52;
        bits -= static_cast<std::uint64_t>(power) << 52;
        double m;
        std::memcpy(&m, &bits, sizeof m);
        auto const z = (m - 1) / (m + 1), q = z * z;
        return static_cast<double>(power) * 0.6931471805599453 +
               z * (2 + q * (2.0 / 3 + q * (2.0 / 5 + q * (2.0 / 7))));
    }

    double mode_, linear_, most_; ///< most_: of inverse_
    Four number_, inverse_;
};

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
/// The part of a layer that HypergeometricZiggurat::inner says lies below the law. `part`: of the
/// scale.
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

/// Addresses of the next words of several streams, as integers that fit in lanes.
template <int streams>
struct WordPlaces
{
    /// Not known: the stream itself knows.
    static constexpr std::uint64_t unknown = std::uint64_t{1} << 51; ///< above all addresses

    alignas(64) std::uint64_t next[streams];
    alignas(64) std::uint64_t last[streams]; ///< from this address on there may be too few words

    void forget(int j)
    {
        next[j] = unknown;
        last[j] = 0;
    }
    /// Tells the stream which words were used, before it is used itself.
    void leave(int j, BufferedWords& words)
    {
        if (next[j] == unknown) return;
        words.use_until(reinterpret_cast<std::uint64_t const*>(next[j]));
        forget(j);
    }
    /// Finds BufferedWords::most_looked_at words, and more.
    void look(int j, BufferedWords& words)
    {
        leave(j, words);
        next[j] = reinterpret_cast<std::uint64_t>(words.look_ahead());
        last[j] = reinterpret_cast<std::uint64_t>(words.last_look());
    }
};

/// hypergeometric() in the lanes of a vector, each with its own stream: the same draws from the
/// same words. A point under the layers (HypergeometricZiggurat) is computed in all lanes together.
/// Where it needs a test, one in thirty for large laws, it is tested by itself. What that leaves
/// open is drawn alone, from the first trial that could not be decided. Floats: for populations up
/// to 2^24 - 2.
template <class T>
class HypergeometricLanes
{
  public:
    static constexpr int lanes = Lanes<T>::count;

    /// Parameters of each draw, whole. Lanes without a draw have any numbers from 0 on: these may
    /// break the contracts of what is computed in all lanes, to no effect.
    alignas(64) T population[lanes] = {}, marked[lanes] = {}, draws[lanes] = {};
    alignas(64) T found[lanes];
    BufferedWords* words[lanes];
    WordPlaces<lanes> places; ///< in these streams

    /// Finds those of `asked`. Contract: as of hypergeometric() for each.
    void execute(unsigned asked)
    {
        if (asked != 0) try_all(asked);
        for (; open_ != 0; open_ &= open_ - 1) try_further(__builtin_ctz(open_));
    }

  private:
    using Law = ZigguratInLanes<T>;
    using Number = Lanes<T>;
    using Whole = Lanes<std::uint64_t>;

    static constexpr int words_at_once = Whole::count, parts = lanes / words_at_once;

    /// From the stream's next word on.
    void draw_alone(int j)
    {
        places.leave(j, *words[j]);
        found[j] = static_cast<T>(hypergeometric_one(
            static_cast<std::int64_t>(population[j]), static_cast<std::int64_t>(marked[j]),
            static_cast<std::int64_t>(draws[j]), *words[j]));
    }

    /// A trial of those of `asked`, of which the ones that need a test wait for it.
    [[gnu::noinline]] void try_all(unsigned asked)
    {
        auto const of_part = [&](unsigned bits, int p) CRX_LAMBDA_IN_LANES {
            return Whole::Mask::of(bits >> (p * words_at_once) & ((1u << words_at_once) - 1));
        };
        // Words first, which wait for nothing.
        Whole next[parts], word[parts];
        unsigned few = 0;
        for (int p = 0; p < parts; ++p) {
            auto const at = p * words_at_once;
            next[p] = Whole::load(places.next + at);
            few |= highest_bits(Whole::load(places.last + at) - next[p]) << (p * words_at_once);
        }
        if ((few & asked) != 0) [[unlikely]] {
            // All of them, as they are read about as fast.
            for (auto rest = asked; rest != 0; rest &= rest - 1) {
                auto const j = __builtin_ctz(rest);
                places.look(j, *words[j]);
            }
            for (int p = 0; p < parts; ++p) next[p] = Whole::load(places.next + p * words_at_once);
        }
        static constexpr std::uint64_t none = 0; // lanes without a draw look there
        auto const nowhere = Whole::all(reinterpret_cast<std::uint64_t>(&none));
        for (int p = 0; p < parts; ++p)
            word[p] = words_at(choose(of_part(asked, p), next[p], nowhere));
        Law const law(Number::load(population), Number::load(marked), Number::load(draws), asked);
        auto const drawn = asked & law.cover();
        auto const trial = law.try_next(word);
        auto const sure = drawn & trial.clear & trial.inner;
        store(found, trial.k);
        store(far_, trial.far);
        store(scale_, law.scale); // no branch: it would be mispredicted
        store(inner_, law.inner);
        for (int p = 0; p < parts; ++p)
            store(places.next + p * words_at_once, choose(of_part(sure, p), next[p] + 8, next[p]));
        open_ = drawn & ~sure;
        clear_ = trial.clear;
        for (auto rest = asked & ~drawn; rest != 0; rest &= rest - 1)
            draw_alone(__builtin_ctz(rest));
    }

    /// One that needs a test, from the trial on that showed it.
    [[gnu::noinline]] void try_further(int j)
    {
        static_assert(HypergeometricZiggurat::outer_skew == HypergeometricZiggurat::inner_skew);
        constexpr double part = 0x1p-13 / HypergeometricZiggurat::scale_parts;
        double const whole = population[j], chosen = marked[j], drawn = draws[j];
        double const scale = scale_[j], inner = inner_[j];
        auto const centre = (chosen + 1) * (drawn + 1) / (whole + 2);
        auto const outer =
            (2 * scale - HypergeometricZiggurat::outer_less - HypergeometricZiggurat::inner_less) *
                part -
            inner;
        // 1: the height is certainly below the law, -1: above it, 0: cannot say.
        auto const compare = [&](std::uint64_t word, double k, double far) CRX_LAMBDA_IN_LANES {
            auto const layer = word & 0x1ff;
            if (far >= outer * ziggurat_rows.outer[layer]) return -1;
            NearRatio const ratio(whole, chosen, drawn, centre);
            auto const thick = ziggurat_rows.thick[layer];
            auto const height = static_cast<double>(word >> 10 & 0x7fffff);
            return ratio.compare(k, ziggurat_rows.begin[layer] + height * thick, thick);
        };
        auto const* next = reinterpret_cast<std::uint64_t const*>(places.next[j]);
        auto const* const end = next + BufferedWords::most_looked_at;
        auto word = *next;
        auto verdict = (clear_ >> j & 1) == 0 || ZigguratPlace::is_tail(word)
                           ? 0
                           : compare(word, found[j], far_[j]);
        while (verdict < 0 && ++next != end) {
            word = *next;
            auto const row = ziggurat_rows.reach[word & 0x1ff];
            ZigguratPlace const place(word, scale * row, centre);
            found[j] = static_cast<T>(place.k);
            std::uint64_t bits;
            std::memcpy(&bits, &row, sizeof bits);
            verdict = ZigguratPlace::is_tail(word) || !place.clear ? 0
                      : place.far <= inner * static_cast<double>(bits & 0xffff)
                          ? 1
                          : compare(word, place.k, place.far);
        }
        places.next[j] = reinterpret_cast<std::uint64_t>(next + (verdict > 0));
        if (verdict <= 0) draw_alone(j);
    }

    unsigned open_ = 0;        ///< those that need a test
    unsigned clear_ = 0;       ///< those whose place says what it stands for, which is in found,
    alignas(64) T far_[lanes]; ///< at this distance from the centre
    alignas(64) T scale_[lanes], inner_[lanes];
};

} // namespace
} // namespace crx
