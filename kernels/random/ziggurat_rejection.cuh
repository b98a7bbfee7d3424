#pragma once

#include "kernels/base/host_device.cuh"
#include "kernels/random/block_rejection.cuh"
#include "kernels/random/hypergeometric_ziggurat.cuh"

namespace crx {

/// True with probability part / whole, exactly. Contract: 0 <= part < whole < 2^95.
template <class Words>
CRX_HD bool happens(Unsigned128 part, Unsigned128 whole, Words& words)
{
    for (;;) { // digit by digit of their quotient, to the base 2^32
        part <<= 32;
        auto const digit = static_cast<std::uint64_t>(part / whole), uniform = words.next() >> 32;
        part %= whole;
        if (uniform != digit) return uniform < digit;
    }
}

/// What a word draws from a layer: bits 0 to 8 are the layer, bit 9 the side, bits 10 to 32 how
/// high in it and the others how far out.
///
/// As doubles tell: `unit` is what a step of the last bits is in Y, within 2^-36 of itself,
/// `centre` the hat's, from wherever k is counted, within 2^-45 of itself.
struct ZigguratPlace
{
    double k;
    bool clear; ///< whether that is certain
    double far; ///< |D|

    CRX_IN_LANES ZigguratPlace(std::uint64_t word, double unit, double centre)
    {
        auto const y = static_cast<double>(word >> 33) * unit;
        auto const real = (word >> 9 & 1) != 0 ? centre + y : centre - y;
        auto const doubt = 1.05 * unit + (centre * 0x1p-38 + 0x1p-24);
        k = std::floor(real - doubt);
        clear = real + doubt < k + 1;
        far = std::abs(k + 0.5 - centre);
    }
    /// Whether the lowest layer's word is in its tail.
    CRX_IN_LANES static bool is_tail(std::uint64_t word)
    {
        return (word & 0x1ff) == 0 && word >> 57 >= HypergeometricZiggurat::tail_begin;
    }
};

/// The hat of HypergeometricZiggurat over the law of marked ones among `draws` from `population`,
/// and draws from it. Contract: 0 <= marked, draws <= population < 2^32 - 1.
class HypergeometricByZiggurat
{
  public:
    CRX_HD HypergeometricByZiggurat(std::int64_t population, std::int64_t marked,
                                    std::int64_t draws)
        : slope_(static_cast<std::uint64_t>(population) + 2)
    {
        CRX_EXPECT(0 <= marked && marked <= population && 0 <= draws && draws <= population &&
                   population < (std::int64_t{1} << 32) - 1);
        auto const product =
            static_cast<std::uint64_t>(draws + 1) * static_cast<std::uint64_t>(marked + 1);
        mode_ = static_cast<std::int64_t>(product / slope_);
        rest_ = product % slope_;
        scale_ = static_cast<std::uint32_t>(
                     HypergeometricZiggurat::scale_parts *
                     std::sqrt(variance(static_cast<double>(population),
                                        static_cast<double>(marked), static_cast<double>(draws)))) +
                 HypergeometricZiggurat::scale_more;
        auto const skew = (1 - 2 * static_cast<double>(marked + 1) / static_cast<double>(slope_)) *
                          (1 - 2 * static_cast<double>(draws + 1) / static_cast<double>(slope_));
        auto const size = skew < 0 ? -skew : skew,
                   part = 0x1p-13 / HypergeometricZiggurat::scale_parts;
        inner_ = (scale_ - (HypergeometricZiggurat::inner_less +
                            HypergeometricZiggurat::inner_skew * size)) *
                 part;
        outer_ = (scale_ - HypergeometricZiggurat::outer_less +
                  HypergeometricZiggurat::outer_skew * size) *
                 part;
    }

    /// HypergeometricZiggurat's t^2. Products and quotients only, each correctly rounded: the same
    /// on every processor.
    CRX_HD static double variance(double population, double marked, double draws)
    {
        auto const of_marked = (marked + 1) * (population + 1 - marked);
        auto const of_draws = (draws + 1) * (population + 1 - draws), slope = population + 2;
        return of_marked / slope * (of_draws / slope) / slope;
    }

    /// Where marked and draws, brought to half the population, are not both so many, the hat covers
    /// no law: t^2 is at most (b + 1) / 4.
    static constexpr std::int64_t least_marked = 255;

    /// Whether the hat covers the law.
    CRX_HD bool cover() const { return scale_ >= HypergeometricZiggurat::least_scale; }
    CRX_HD std::int64_t mode() const { return mode_; }
    /// The centre is the mode and rest / slope.
    CRX_HD std::uint64_t rest() const { return rest_; }
    CRX_HD std::uint64_t slope() const { return slope_; }
    CRX_HD std::uint32_t scale() const { return scale_; }

    /// A place under the hat.
    struct Trial
    {
        std::int64_t k;
        UniformHeight height;
        int sure; ///< 1: the height is below the law, -1: above it, 0: that needs a test
    };

    template <class Words>
    CRX_HD Trial next(Words& words) const
    {
        auto const word = words.next();
        auto const layer = static_cast<int>(word & 0x1ff);
        bool const above = (word >> 9 & 1) != 0;
        auto const begin = HypergeometricZiggurat::height(layer),
                   thick = HypergeometricZiggurat::thickness(layer);
        UniformHeight height{(std::uint64_t{begin} << 23) + (word >> 10 & 0x7fffff) * thick, thick,
                             47, 0};
        if (ZigguratPlace::is_tail(word)) {
            auto const further = coins(words);
            height.i = 1 + further;
            // The part of the tail's block, in 2^-31 of the 128 that the layer has.
            auto const block = (static_cast<std::uint64_t>(further) << 31) + (words.next() >> 33);
            return {
                at(above,
                   tail_parts * block + (std::uint64_t{HypergeometricZiggurat::tail_begin} << 31),
                   tail_parts, thick, 38, words),
                height, 0};
        }
        auto const reach =
            static_cast<double>(scale_) * (HypergeometricZiggurat::area * 0x1p-35) / thick;
        auto const centre = static_cast<double>(rest_) / static_cast<double>(slope_);
        ZigguratPlace place(word, reach, centre);
        auto k = mode_ + static_cast<std::int64_t>(place.k);
        if (!place.clear) {
            k = at(above, word >> 33, 1, thick, 31, words);
            place.far = std::abs(static_cast<double>(k - mode_) + 0.5 - centre);
        }
        return {k, height,
                place.far <= inner_ * HypergeometricZiggurat::inner(layer)   ? 1
                : place.far >= outer_ * HypergeometricZiggurat::outer(layer) ? -1
                                                                             : 0};
    }

  private:
    static constexpr std::uint32_t tail_parts = 128 - HypergeometricZiggurat::tail_begin;

    /// floor(centre + Y) or, not above, floor(centre - Y) for a uniform real Y in
    /// scale area / (16 thick) [place, place + unit) 2^-bits.
    template <class Words>
    CRX_HD std::int64_t at(bool above, std::uint64_t place, std::uint32_t unit, std::uint32_t thick,
                           int bits, Words& words) const
    {
        // In parts of whole: below 2^32 2^19 2^42 for what is one, 2^32 2^20 2^17 2^50 for Y.
        auto const whole = Unsigned128{slope_} * thick << (bits + 4);
        auto const width = Unsigned128{slope_} * scale_ * HypergeometricZiggurat::area;
        auto const centre = Unsigned128{rest_} * thick << (bits + 4);
        auto const y = width * place, more = width * unit;
        if (above) {
            auto const steps = (centre + y) / whole, left = (steps + 1) * whole - (centre + y);
            bool const next = left < more && !happens(left, more, words);
            return mode_ + static_cast<std::int64_t>(steps) + next;
        }
        // floor(-z) is -ceil(z), and z real: it is -floor(z) - 1.
        if (y < centre) { // z below 0 at first
            auto const left = centre - y;
            bool const next = left < more && !happens(left, more, words);
            return mode_ - next;
        }
        auto const steps = (y - centre) / whole, left = (steps + 1) * whole - (y - centre);
        bool const next = left < more && !happens(left, more, words);
        return mode_ - 1 - static_cast<std::int64_t>(steps) - next;
    }

    std::int64_t mode_;
    std::uint64_t rest_, slope_;
    std::uint32_t scale_;
    double inner_, outer_; ///< of which HypergeometricZiggurat's say how much
};

/// The law by exact rejection, at a cost that does not grow with the numbers: a place under the
/// hat, and unless it lies where the law is surely above its layer, a comparison of a uniform real
/// with the law. Every value has exactly its probability. 1.01 to 1.11 trials, a word each.
/// Contract: layers.cover(), for the law of `ratio`.
template <class Words>
CRX_HD_CALLED std::int64_t draw_by_layers(HypergeometricByZiggurat const& layers,
                                          FactorialRatio<2>& ratio, Words& words)
{
    for (;;) {
        auto const trial = layers.next(words);
        if (trial.sure < 0) continue;
        if (trial.sure > 0 || ratio.exceeds(trial.k, trial.height, words)) return trial.k;
    }
}

} // namespace crx
