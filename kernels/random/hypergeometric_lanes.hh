#pragma once

#include "kernels/random/hypergeometric_one.hh"
#include "kernels/random/layer_trials.hh"
#include "kernels/random/layered_rejection.cuh"
#include "kernels/random/near_ratio.hh"
#include "kernels/random/word_places.hh"

#include <cstring>

// CPU only, as lane_numbers.hh.

namespace crx {
namespace {

/// hypergeometric() for several populations at once, each with words of its own: the same draws by
/// the same words. A place under the layers (LayerHat) is computed in all lanes together. Where it
/// needs a test, one in forty for large laws, it is tested by itself, and what that leaves open
/// drawn alone, from the trial on that could not be decided.
class HypergeometricLanes
{
  public:
    static constexpr int most = 64;

    /// Numbers of each draw, whole; where none is asked for they are to be no less than 0.
    alignas(lane_bytes) double population[most] = {}, marked[most] = {}, draws[most] = {};
    alignas(lane_bytes) double found[most];
    BufferedWords* words[most];
    WordPlaces<most> places; ///< in them

    /// Finds those of `asked`. Contract: as of hypergeometric() for each.
    void execute(std::uint64_t asked)
    {
        open_ = 0;
        for (int first = 0; asked >> first != 0; first += LanePairs::lanes) {
            auto const here = static_cast<unsigned>(asked >> first) & all_of<LanePairs>;
            if (here >> LanePairs::lanes / 2 == 0)
                try_all<LaneNumbers<double>>(first, here);
            else
                try_all<LanePairs>(first, here);
            if (first + LanePairs::lanes == most) break;
        }
        for (; open_ != 0; open_ &= open_ - 1) try_further(__builtin_ctzll(open_));
    }

  private:
    using One = LaneNumbers<double>;
    template <class Lanes>
    static constexpr unsigned all_of = (1u << Lanes::lanes) - 1;

    template <class X, class T>
    CRX_IN_LANES static X load(T const* from)
    {
        X x;
        std::memcpy(&x, from, sizeof x);
        return x;
    }
    template <class X, class T>
    CRX_IN_LANES static void store(T* to, X const& x)
    {
        std::memcpy(to, &x, sizeof x);
    }

    /// From the word on that comes next.
    void draw_alone(int j)
    {
        places.leave(j, *words[j]);
        found[j] = static_cast<double>(hypergeometric_one(
            static_cast<std::int64_t>(population[j]), static_cast<std::int64_t>(marked[j]),
            static_cast<std::int64_t>(draws[j]), *words[j]));
    }

    /// A trial of those of `asked`, of which the ones that need a test wait for it.
    template <class Lanes>
    [[gnu::noinline]] void try_all(int first, unsigned asked)
    {
        using Number = typename Lanes::Number;
        using Whole = typename Lanes::Whole;
        // Words first, which wait for nothing.
        auto next = load<Whole>(places.next + first);
        auto const last = load<Whole>(places.last + first);
        if ((Lanes::highest_bits(last - next) & asked) != 0) [[unlikely]] {
            // All of them, as they are read about as fast.
            for (auto rest = asked; rest != 0; rest &= rest - 1) {
                auto const j = first + __builtin_ctz(rest);
                places.look(j, *words[j]);
            }
            next = load<Whole>(places.next + first);
        }
        static constexpr std::uint64_t none = 0; // lanes without a draw look there
        auto const nowhere = Whole{} + reinterpret_cast<std::uint64_t>(&none);
        auto const word = Lanes::words_at(Lanes::as_whole(
            Lanes::pick(Lanes::of_bits(asked), Lanes::as_number(next), Lanes::as_number(nowhere))));
        LayersInLanes<Lanes> const law(load<Number>(population + first),
                                       load<Number>(marked + first), load<Number>(draws + first),
                                       asked);
        auto const drawn = asked & law.cover();
        LayerTrial<Lanes> const trial(law, word);
        store(found + first, trial.k());
        auto const sure = drawn & trial.inner() & trial.clear();
        store(places.next + first,
              Lanes::as_whole(Lanes::pick(Lanes::of_bits(sure), Lanes::as_number(next + 8),
                                          Lanes::as_number(next))));
        store(centre_ + first, law.centre); // no branch: who needs it cannot be foreseen
        store(scale_ + first, law.scale);
        store(inner_ + first, law.inner);
        open_ |= std::uint64_t{drawn & ~sure} << first;
        for (auto rest = asked & ~drawn; rest != 0; rest &= rest - 1)
            draw_alone(first + __builtin_ctz(rest));
    }

    /// One that needs a test, from the trial on that showed it.
    [[gnu::noinline]] void try_further(int j)
    {
        static_assert(LayerHat::outer_skew == LayerHat::inner_skew);
        constexpr double part = 0x1p-13 / LayerHat::scale_parts;
        auto const outer =
            (2 * scale_[j] - LayerHat::outer_less - LayerHat::inner_less) * part - inner_[j];
        auto const* const begin = reinterpret_cast<std::uint64_t const*>(places.next[j]);
        for (auto const* next = begin; next < begin + BufferedWords::most_looked_at; ++next) {
            auto const word = *next;
            auto const layer = word & 0x1ff;
            auto const row = layer_rows.reach[layer];
            LayerPlace const place(word, scale_[j] * row, centre_[j]);
            if (LayerPlace::is_tail(word) || !place.clear) break;
            std::uint64_t bits;
            std::memcpy(&bits, &row, sizeof bits);
            int verdict = -1;
            if (place.far <= inner_[j] * static_cast<double>(bits & 0xffff)) {
                verdict = 1;
            } else if (place.far < outer * layer_rows.outer[layer]) {
                NearRatio const ratio(population[j], marked[j], draws[j], centre_[j]);
                auto const thick = layer_rows.thick[layer];
                auto const low =
                    layer_rows.begin[layer] + static_cast<double>(word >> 10 & 0x7fffff) * thick;
                verdict = ratio.compare(place.k, low, thick);
            }
            if (verdict == 0) break;
            places.next[j] += sizeof *next;
            if (verdict < 0) continue;
            found[j] = place.k;
            return;
        }
        draw_alone(j);
    }

    std::uint64_t open_ = 0; ///< those that need a test
    alignas(lane_bytes) double centre_[most], scale_[most], inner_[most];
};

} // namespace
} // namespace crx
