#pragma once

#include "kernels/random/hypergeometric.cuh"
#include "kernels/random/log_factorials.hh"
#include "kernels/random/words_ahead.hh"

#include <cstring>
#include <immintrin.h>

// CPU only: included by sources that are compiled for AVX2 at least from here on. What lies in the
// unnamed namespace differs between them.

#define CRX_AHEAD [[gnu::always_inline]]

namespace crx {
namespace {

/// hypergeometric_by_blocks() from small populations, where layers do not cover the law: the
/// same draws by the same words. Four trials are made together, as nobody can foresee which of them
/// is the first to be accepted; they are decided by a table of log-factorials, and what that leaves
/// open is done as there.
class RejectionAhead
{
  public:
    static constexpr std::int64_t most = LogFactorials::size - 1; ///< the largest population

    /// Contract: 1 <= marked <= draws <= population / 2, population <= most.
    CRX_AHEAD RejectionAhead(std::int64_t population, std::int64_t marked, std::int64_t draws,
                             WordsAhead& words)
        : population_(population), marked_(marked), draws_(draws),
          spare_(population - marked - draws), words_(words)
    {
        auto const product = static_cast<double>((draws + 1) * (marked + 1));
        auto const slope = static_cast<double>(population + 2);
        mode_ = std::floor(product / slope); // exact, as the product is below 2^52
        at_mode_ = log_factorials_at(static_cast<std::int32_t>(mode_));
        width_ = width(slope, slope * (mode_ + 1) - product);
    }

    CRX_AHEAD std::int64_t execute()
    {
        for (;;) {
            auto const* const look = words_.look();
            Whole word;
            memcpy(&word, look, sizeof word);
            // The place is floor(x width), so the ticket, floor(place / width), is floor(x).
            auto const x = number(word >> 32) * (2.0 * BlockHat::a_side * 0x1p-32);
            auto const ticket = floor(x);
            auto const in_block = (x - ticket) * width_, rest = floor(in_block);
            // BlockHat::block_of and height_of
            double const begin[] = {64, 122, 162, 184};
            double const lower[] = {log_32 - log_29, log_29 - log_20, log_20 - log_11,
                                    log_11 - log_5};
            Four block{}, log_height = Four{} + (log_32 - 37 * log_2);
            for (int b = 0; b < BlockHat::tail; ++b) {
                auto const past = ticket >= begin[b];
                block += where(past, Four{} + 1);
                log_height -= where(past, Four{} + lower[b]);
            }
            auto const odd = reinterpret_cast<Whole>(ticket + 0x1p52) << 63;
            auto const side = reinterpret_cast<Four>(reinterpret_cast<Whole>(Four{} - 1) ^ odd);
            auto const k = (mode_ - 0.5 + 0.5 * side) + side * (rest + block * width_);

            auto const first = number(word & 0xffffffff), log_first = log_within_1e8(first);
            auto const more = at_mode_ - log_factorials_at(possible(k)) - (log_first + log_height);
            auto const impossible = (k < 0) | (k > static_cast<double>(marked_));
            // What Lemire's rule may reject, and a logarithm of 0.
            auto const unclear =
                ((in_block - rest) * 0x1p32 < 2.0 * BlockHat::a_side * width_) | (first < 1);
            auto const tail = ticket >= begin[BlockHat::tail - 1], sure = ~(unclear | tail);
            auto const accepted = bits(sure & ~impossible & ((more - error) * first > 1));
            auto const rejected = bits(sure & (impossible | (more < -error)));

            auto const j = lowest_bit(~std::uint64_t{rejected}); // 4: all of them
            if ((accepted >> j & 1) != 0) {
                words_.use(static_cast<std::uint64_t>(j) + 1);
                return static_cast<std::int64_t>(k[j]);
            }
            words_.use(static_cast<std::uint64_t>(j));
            if (j == 4) continue;
            auto const coin = look[j + 1];
            if ((bits(tail & ~unclear) >> j & 1) == 0 || coin == 0) break;
            auto const further = lowest_bit(coin);
            auto const away = rest[j] + (BlockHat::tail + further) * width_;
            auto const value =
                static_cast<std::int64_t>(side[j] > 0 ? mode_ + away : mode_ - 1 - away);
            if (value >= 0 && value <= marked_) {
                auto const over = at_mode_ - log_factorials_at(value) -
                                  (log_first[j] + log_height[j] - further * log_2);
                if ((over - error) * first[j] > 1) {
                    words_.use(2);
                    return value;
                }
                if (over >= -error) break;
            }
            words_.use(2);
        }
        return hypergeometric_by_blocks(population_, marked_, draws_, words_);
    }

  private:
    using Four = double __attribute__((vector_size(32)));
    using Whole = std::uint64_t __attribute__((vector_size(32)));
    using Mask = std::int64_t __attribute__((vector_size(32))); ///< -1 or 0

    static constexpr double log_2 = 0.6931471805599453, log_32 = 5 * log_2,
                            log_29 = 3.367295829986474, log_20 = 2.995732273553991,
                            log_11 = 2.3978952727983707, log_5 = 1.6094379124341003;
    /// Of log f(k)/f(mode) minus the logarithm of the height, beside the bits that are not known
    /// (as in FactorialRatio): that of the uniform number is within 1e-8, eight log-factorials are
    /// within 2^-36 each, and the roundings of their sums, below 2^17, within 2^-36.
    static constexpr double error = 1e-7;

    /// A whole number below 2^52.
    CRX_AHEAD static Four number(Whole const& a)
    {
        return reinterpret_cast<Four>(a | 0x4330000000000000) - 0x1p52;
    }
    CRX_AHEAD static Four floor(Four const& a) { return _mm256_floor_pd(a); }
    CRX_AHEAD static Four where(Mask const& mask, Four const& a)
    {
        return reinterpret_cast<Four>(mask & reinterpret_cast<Mask>(a));
    }
    CRX_AHEAD static unsigned bits(Mask const& mask)
    {
        return static_cast<unsigned>(_mm256_movemask_pd(reinterpret_cast<__m256d>(mask)));
    }

    /// block_width: the same products and comparisons, for two widths at a time, as often the first
    /// will not do. `above`: denominator minus numerator at the mode.
    CRX_AHEAD double width(double slope, double above) const
    {
        auto const below = slope - above, spare = static_cast<double>(spare_),
                   marked = static_cast<double>(marked_), draws = static_cast<double>(draws_);
        Four const blocks{1, 2, 3, 4}, twice_log{0.19689, 0.94001, 2.13568, 3.71260};
        auto const uncovered = [&](double w) __attribute__((always_inline))
        {
            auto const d = blocks * w, fall = slope * (d - 1);
            auto const end = 4 * w + 1;
            Four const side{above, below, above, below};
            Four const one{mode_, marked - mode_, mode_, marked - mode_};
            Four const other{spare + mode_, draws - mode_, spare + mode_, draws - mode_};
            return bits(
                (d * (2 * above + fall) < twice_log * ((mode_ + d) * (spare + mode_ + d))) |
                (d * (2 * below + fall) <
                 twice_log * ((marked - mode_ + d) * (draws - mode_ + d))) |
                (2 * w * (side + slope * (4 * w)) < 1.38630 * ((one + end) * (other + end))));
        };
        auto const denominator = (mode_ + 1) * (spare + mode_ + 1);
        auto const root = _mm_sqrt_pd(_mm_set_sd(denominator / slope));
        for (auto w = std::floor(0.5 * _mm_cvtsd_f64(root)) + 1;;) {
            double const either[] = {w, w + std::floor(w / 16) + 1};
            bool const first_fails = uncovered(either[0]) != 0;
            bool const second_fails = uncovered(either[1]) != 0;
            if (!(first_fails & second_fails)) return either[first_fails];
            w = either[1] + std::floor(either[1] / 16) + 1;
        }
    }

    /// log k! (marked-k)! (draws-k)! (spare+k)!
    CRX_AHEAD double log_factorials_at(std::int64_t k) const
    {
        auto const* const of = log_factorials.of;
        return (of[k] + of[marked_ - k]) + (of[draws_ - k] + of[spare_ + k]);
    }
    CRX_AHEAD Four log_factorials_at(Mask const& k) const
    {
        auto const* const of = log_factorials.of;
        auto const up = reinterpret_cast<__m256i>(k), down = reinterpret_cast<__m256i>(-k);
        Four const a = _mm256_i64gather_pd(of, up, 8);
        Four const b = _mm256_i64gather_pd(of + marked_, down, 8);
        Four const c = _mm256_i64gather_pd(of + draws_, down, 8);
        Four const d = _mm256_i64gather_pd(of + spare_, up, 8);
        return (a + b) + (c + d);
    }
    /// k, or if that is impossible the nearest that is not.
    CRX_AHEAD Mask possible(Four const& k) const
    {
        // Between 2^52 and 2^53 the last bit is worth 1. Halves of a word are bounded each for
        // itself: the upper one is 0, or -1 below 0.
        constexpr double shift = 6755399441055744; // 3 2^51
        auto const whole = reinterpret_cast<__m256i>(reinterpret_cast<Mask>(k + shift) -
                                                     reinterpret_cast<Mask>(Four{} + shift));
        return reinterpret_cast<Mask>(
            _mm256_min_epi32(_mm256_max_epi32(whole, __m256i{}), _mm256_set1_epi64x(marked_)));
    }

    /// FactorialRatio::log_within_1e8, in lanes where x is at least 1.
    CRX_AHEAD static Four log_within_1e8(Four const& x)
    {
        auto whole = reinterpret_cast<Whole>(x);
        auto const power = (whole - 0x3fe6a09e667f3bcd) >> 52;
        whole -= power << 52;
        auto const m = reinterpret_cast<Four>(whole);
        auto const z = (m - 1) / (m + 1), q = z * z;
        return number(power) * log_2 +
               2 * z * (1 + q * (1.0 / 3 + q * (1.0 / 5 + q * (1.0 / 7 + q * (1.0 / 9)))));
    }

    std::int64_t population_, marked_, draws_, spare_;
    WordsAhead& words_;
    double mode_, width_;
    double at_mode_; ///< log_factorials_at(mode)
};

/// hypergeometric_by_urn() for up to 12 draws: the same answer by the same words. Where each comes
/// from is computed for all of them, as few are marked.
/// Contract: draws <= marked, 2 marked <= population < 2^32.
CRX_AHEAD inline std::int64_t urn_ahead(std::int64_t population, std::int64_t marked,
                                        std::int64_t draws, WordsAhead& words)
{
    using Whole = std::uint64_t __attribute__((vector_size(32)));
    constexpr int parts = ReducedHypergeometric::most_by_urn / 4;
    static_assert(2 * WordsAhead::most_looked_at >= 4 * parts);
    auto const* const look = words.look();
    Whole place[parts], size = static_cast<std::uint64_t>(population) - Whole{0, 1, 2, 3};
    unsigned unclear = 0, drawn = 0;
    for (int q = 0; q < parts; ++q, size -= 4) {
        auto const half =
            _mm256_cvtepu32_epi64(_mm_loadu_si128(reinterpret_cast<__m128i const*>(look + 2 * q)));
        auto const product =
            reinterpret_cast<Whole>(_mm256_mul_epu32(half, reinterpret_cast<__m256i>(size)));
        place[q] = product >> 32;
        auto const bits = [](auto const& mask) __attribute__((always_inline))
        {
            return static_cast<unsigned>(_mm256_movemask_pd(reinterpret_cast<__m256d>(mask)));
        };
        unclear |= bits((product & 0xffffffff) < size) << 4 * q; // Lemire may reject it
        drawn |= bits(place[q] < static_cast<std::uint64_t>(marked)) << 4 * q;
    }
    auto const asked = (1u << draws) - 1;
    if ((unclear & asked) != 0) [[unlikely]]
        return hypergeometric_by_urn(population, marked, draws, words);
    words.use(static_cast<std::uint64_t>(draws + 1) / 2);
    std::int64_t found = 0;
    for (drawn &= asked; drawn != 0; drawn &= drawn - 1) {
        auto const j = __builtin_ctz(drawn);
        found += static_cast<std::int64_t>(place[j / 4][j % 4]) < marked - found;
    }
    return found;
}

/// hypergeometric() by the same words.
[[gnu::noinline]] inline std::int64_t hypergeometric_ahead(std::int64_t population,
                                                           std::int64_t marked, std::int64_t draws,
                                                           WordsAhead& words)
{
    auto const r = reduce_hypergeometric(population, marked, draws);
    if (r.marked >= HypergeometricByZiggurat::least_marked) {
        HypergeometricByZiggurat const layers(population, marked, draws);
        if (layers.cover()) {
            auto ratio = hypergeometric_ratio(population, marked, draws, layers.mode());
            return draw_by_layers(layers, ratio, words);
        }
    }
    if (r.marked == 0) return r.offset;
    if (r.by_urn()) return r.offset + r.sign * urn_ahead(population, r.draws, r.marked, words);
    if (population > RejectionAhead::most)
        return r.offset + r.sign * hypergeometric_by_blocks(population, r.marked, r.draws, words);
    return r.offset + r.sign * RejectionAhead(population, r.marked, r.draws, words).execute();
}

} // namespace
} // namespace crx

#undef CRX_AHEAD
