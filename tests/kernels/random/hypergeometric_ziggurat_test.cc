#include "kernels/random/hypergeometric.cuh"
#include "support/test_seed.hh"

#include <cmath>
#include <gtest/gtest.h>

namespace crx {
namespace {

constexpr int layers = HypergeometricZiggurat::layers;
constexpr long double top = std::uint32_t{1} << HypergeometricZiggurat::height_bits;

/// w times this is where a layer ends.
long double reach(int layer)
{
    return static_cast<long double>(HypergeometricZiggurat::area) /
           HypergeometricZiggurat::thickness(layer);
}

TEST(HypergeometricZiggurat, HasLayersOfOneAreaUpToTheMode)
{
    EXPECT_EQ(HypergeometricZiggurat::height(0), 0u);
    EXPECT_EQ(HypergeometricZiggurat::height(layers),
              std::uint32_t{1} << HypergeometricZiggurat::height_bits);
    for (int i = 0; i < layers; ++i) {
        EXPECT_LT(HypergeometricZiggurat::height(i), HypergeometricZiggurat::height(i + 1));
        if (i > 0) {
            EXPECT_LE(reach(i), reach(i - 1)) << i;
        }
    }
}

// The certificate's two bounds of log f(k)/f(m), for a standard deviation t and a distance D.
long double upper(long double d, long double t, long double skew = 1)
{
    auto const s = 1 / (t * t), r = d * s;
    return -d * d * s / 2 * (1 - skew * r / 3) + 0.13L * s +
           (d + 1) * s * s / (24 * (1 - r) * (1 - r));
}
long double lower(long double d, long double t, long double skew)
{
    auto const s = 1 / (t * t), r = d * s;
    return -d * d * s / 2 * (1 + skew * r / 3 + r * r * (1 + 3 * skew * skew) / (24 * (1 - r))) -
           (d + 1) * s * s / (24 * (1 - r) * (1 - r));
}

/// Up to this distance the layer is below the law.
long double inner(int layer, long double scale, long double skew)
{
    return (scale - (HypergeometricZiggurat::inner_less +
                     HypergeometricZiggurat::inner_skew * std::abs(skew)) /
                        16.0L) *
           HypergeometricZiggurat::inner(layer) / 8192;
}

/// From this distance on the layer is above the law.
long double outer(int layer, long double scale, long double skew)
{
    return (scale - (HypergeometricZiggurat::outer_less -
                     HypergeometricZiggurat::outer_skew * std::abs(skew)) /
                        16.0L) *
           HypergeometricZiggurat::outer(layer) / 8192;
}

/// What inner() and outer() have to spare in D.
constexpr long double spare = 5e-4L;

TEST(HypergeometricZiggurat, ItsCertificateHolds)
{
    auto const log_height = [](int i) { return std::log(HypergeometricZiggurat::height(i) / top); };
    for (long double t = 8; t < 70000; t *= t < 12 ? 1.002L : 1.05L) {
        // As it is rounded down to parts of 16.
        auto const least = t + 11.0L / 16, most = t + 12.0L / 16;
        for (int i = 1; i < layers; ++i) {
            EXPECT_LE(upper(least * reach(i) - 0.5L, t), log_height(i)) << i << " " << t;
            for (long double skew = 0; skew <= 1; skew += 1.0L / 32) {
                auto const end = inner(i - 1, most, skew);
                if (end > 0) {
                    EXPECT_GE(lower(end + spare, t, skew), log_height(i)) << i << " " << t;
                }
                EXPECT_LE(upper(outer(i, least, skew) - spare, t, skew), log_height(i))
                    << i << " " << t;
            }
        }
        EXPECT_GT(outer(0, least, 0), most * reach(0) + 1); // nobody is that far out
        // Nothing above the last but one is inner: the mode's own height.
        EXPECT_EQ(HypergeometricZiggurat::inner(layers - 1), 0u);
        auto const tail = reach(0) * HypergeometricZiggurat::tail_begin / 128,
                   block = reach(0) - tail;
        EXPECT_LE(upper(least * tail - 0.5L, t), log_height(1) - std::log(2.0L)) << t;
        auto const z = (least * tail - 1.5L) / t;
        EXPECT_GE((least * block - 1) * z / t * (1 - z / (2 * t)), std::log(2.0L)) << t;
    }
}

struct Law
{
    std::int64_t population, marked, draws;
    HypergeometricByZiggurat layers{population, marked, draws};

    long double log_weight(std::int64_t k) const
    {
        auto const f = [](std::int64_t n) { return std::lgammal(static_cast<long double>(n) + 1); };
        return -f(k) - f(marked - k) - f(draws - k) - f(population - marked - draws + k);
    }
    long double of_mode(std::int64_t k) const
    {
        return std::exp(log_weight(k) - log_weight(layers.mode()));
    }
};

/// Values of a law that are above the hat at a place of theirs, or below what is called inner.
int outside(Law const& law)
{
    auto const mode = law.layers.mode();
    auto const centre =
        static_cast<long double>(law.layers.rest()) / static_cast<long double>(law.layers.slope());
    auto const w =
        static_cast<long double>(law.layers.scale()) / HypergeometricZiggurat::scale_parts;
    auto const share = [&](std::int64_t part) {
        return static_cast<long double>(part + 1) / static_cast<long double>(law.population + 2);
    };
    auto const skew = (1 - 2 * share(law.marked)) * (1 - 2 * share(law.draws));
    int outside = 0;
    auto const far_off = static_cast<std::int64_t>(6 * w);
    auto const least = std::max<std::int64_t>(0, law.marked + law.draws - law.population);
    for (auto k = std::max(least, mode - far_off);
         k <= std::min(law.marked, law.draws) && k <= mode + far_off; ++k) {
        auto const from = static_cast<long double>(k - mode) - centre, to = from + 1;
        auto const far = std::max(std::abs(from), std::abs(to));
        auto const height = law.of_mode(k) * top * (1 - 1e-12L);
        for (int i = 0; i < layers; ++i) {
            outside += std::abs(from + 0.5L) <= inner(i, w, skew) &&
                       height < HypergeometricZiggurat::height(i + 1) * (1 - 1e-9L);
            outside += std::abs(from + 0.5L) >= outer(i, w, skew) &&
                       height * (1 + 1e-9L) > HypergeometricZiggurat::height(i);
            outside += i > 0 && HypergeometricZiggurat::height(i) < height && w * reach(i) < far;
        }
        // The tail's last block that begins before the place's end.
        auto const tail = w * reach(0) * HypergeometricZiggurat::tail_begin / 128,
                   block = w * reach(0) - tail;
        if (far > tail)
            outside += height > HypergeometricZiggurat::height(1) *
                                    std::exp2(-1 - std::floor((far - tail) / block));
    }
    return outside;
}

TEST(HypergeometricZiggurat, CoversLawsAndIsInnerWhereTheyAreAbove)
{
    WordStream words(crx_test::test_seed(), stream_policy, 1);
    int covered = 0;
    for (int trial = 0; trial < 3000; ++trial) {
        auto const up_to = [&](std::int64_t n) {
            return static_cast<std::int64_t>(words.bounded(static_cast<std::uint64_t>(n) + 1));
        };
        auto const population = 250 + up_to(std::int64_t{1} << (8 + up_to(14)));
        auto const draws = up_to(population), marked = up_to(population);
        Law const law{population, marked, draws};
        if (!law.layers.cover() || law.layers.scale() > 16 * 300) continue;
        ++covered;
        EXPECT_EQ(outside(law), 0) << population << " " << marked << " " << draws;
    }
    EXPECT_GT(covered, 500);
    // Of the least scale, balanced and skewed.
    for (std::int64_t n = 256; n < 20000; n += 1 + n / 8)
        for (std::int64_t draws = n / 2; draws > 30; draws -= 1 + draws / 16)
            for (std::int64_t marked = draws; marked > 30; marked -= 1 + marked / 40) {
                Law const law{n, marked, draws};
                if (!law.layers.cover() ||
                    law.layers.scale() > HypergeometricZiggurat::least_scale + 4)
                    continue;
                EXPECT_EQ(outside(law), 0) << n << " " << marked << " " << draws;
            }
}

} // namespace
} // namespace crx
