#pragma once

#include "kernels/random/buffered_words.hh"
#include "kernels/random/near_ratio.hh"
#include "kernels/random/ziggurat_lanes.hh"
#include "kernels/random/ziggurat_rows.hh"

#include <cstring>

// For sources *_simd.cc.

namespace crx {
namespace {

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

} // namespace
} // namespace crx

// For sources *_simd.cc.

namespace crx {
namespace {

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
