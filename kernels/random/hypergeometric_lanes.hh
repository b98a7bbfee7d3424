#pragma once

#include "kernels/random/hypergeometric_one.hh"
#include "kernels/random/reduced_in_lanes.hh"

#include <cstring>

// CPU only, as lane_numbers.hh.

namespace crx {
namespace {

/// hypergeometric() for several populations at once, each with words of its own: the same draws by
/// the same words. A place under the hat and the series about the mode (FactorialRatio) are
/// computed in all lanes together. After one trial of each those that are still to be drawn are
/// put together; what lanes leave open is drawn alone, from the trial on that could not be decided.
class HypergeometricLanes
{
  public:
    static constexpr int most = LanePairs::lanes;

    /// Numbers of each draw, whole; where none is asked for they are to be no less than 0.
    alignas(lane_bytes) double population[most] = {}, marked[most] = {}, draws[most] = {};
    alignas(lane_bytes) double found[most + 1]; ///< and one more place, for lanes without a draw
    BufferedWords* words[most];

    /// Finds those of `asked`. Contract: as of hypergeometric() for each.
    void execute(unsigned asked)
    {
        if (asked == 0) return;
        drawn_ = waiting_ = 0;
        if (asked >> most / 2 == 0)
            First<LaneNumbers<double>>::try_all(*this, asked);
        else
            First<LanePairs>::try_all(*this, asked);
        for (unsigned k = 0; k < waiting_; k += LaneNumbers<double>::lanes)
            try_further(k, waiting_ - k);
        for (auto rest = drawn_; rest != 0; rest &= rest - 1) {
            auto const j = __builtin_ctz(rest);
            words[j]->use_until(reinterpret_cast<std::uint64_t const*>(place_[j]));
        }
    }

  private:
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

    void draw_alone(int j)
    {
        found[j] = static_cast<double>(hypergeometric_one(
            static_cast<std::int64_t>(population[j]), static_cast<std::int64_t>(marked[j]),
            static_cast<std::int64_t>(draws[j]), *words[j]));
    }
    /// The same from the trial on whose words begin there.
    void draw_alone_from(int j, std::uint64_t place)
    {
        words[j]->use_until(reinterpret_cast<std::uint64_t const*>(place));
        draw_alone(j);
        drawn_ &= ~(1u << j);
    }

    template <class Lanes>
    struct First
    {
        using Number = typename Lanes::Number;
        using Whole = typename Lanes::Whole;

        /// Those of `asked`, of which the ones that are rejected wait for further trials.
        [[gnu::noinline]] static void try_all(HypergeometricLanes& all, unsigned asked)
        {
            ReducedInLanes<Lanes> const d(load<Number>(all.population), load<Number>(all.marked),
                                          load<Number>(all.draws));
            all.drawn_ = asked & d.by_rejection();
            auto const alone = asked & ~all.drawn_;
            if (all.drawn_ != 0) try_those(all, d);
            for (auto rest = alone; rest != 0; rest &= rest - 1)
                all.draw_alone(__builtin_ctz(rest));
        }

      private:
        CRX_IN_LANES static void try_those(HypergeometricLanes& all, ReducedInLanes<Lanes> const& d)
        {
            auto const drawn = all.drawn_;
            static constexpr std::uint64_t none[8] = {}; // lanes without a draw look there
            alignas(lane_bytes) std::uint64_t begin[Lanes::lanes];
            for (int j = 0; j < Lanes::lanes; ++j) {
                auto const* const look = (drawn >> j & 1) != 0 ? all.words[j]->look() : none;
                begin[j] = reinterpret_cast<std::uint64_t>(look);
            }
            auto const place = load<Whole>(begin);
            auto const law = d.law(drawn);
            BlockTrial<Lanes> const trial(law, Lanes::words_at(place), Lanes::words_at(place + 8));
            store(all.found, Number(d.offset() + d.sign() * trial.k()));
            store(all.place_, trial.after(place));
            store(all.offset_, d.offset());
            store(all.sign_, d.sign());
            store(all.mode_, law.mode);
            store(all.width_, law.width);
            store(all.inverse_, law.inverse);
            for (int f = 0; f < 4; ++f) store(all.power_[f], law.power[f]);

            auto const unclear = drawn & ~(trial.accepted() | trial.rejected());
            for (auto rest = unclear; rest != 0; rest &= rest - 1)
                all.draw_alone_from(__builtin_ctz(rest), begin[__builtin_ctz(rest)]);
            auto const open = drawn & trial.rejected();
            for (int j = 0; j < Lanes::lanes; ++j) { // no branch
                all.waits_[all.waiting_] = static_cast<std::uint8_t>(j);
                all.waiting_ += open >> j & 1;
            }
        }
    };

    /// The k-th of those that wait and some behind it, until all are drawn.
    [[gnu::noinline]] void try_further(unsigned k, unsigned count)
    {
        using Lanes = LaneNumbers<double>;
        using Number = Lanes::Number;
        using Whole = Lanes::Whole;
        alignas(lane_bytes) std::uint64_t index[Lanes::lanes];
        for (unsigned j = 0; j < Lanes::lanes; ++j) // beyond the last: the first once more
            index[j] = waits_[k + (j < count ? j : 0)];
        auto const which = load<Whole>(index);
        auto const of = [&](double const* base)
                            CRX_LAMBDA_IN_LANES { return Lanes::of_two(base, which); };
        BlockLaw<Lanes> const law{of(mode_),
                                  of(width_),
                                  of(inverse_),
                                  {of(power_[0]), of(power_[1]), of(power_[2]), of(power_[3])}};
        auto place = Lanes::as_whole(of(reinterpret_cast<double const*>(place_)));
        auto const all = count < Lanes::lanes ? (1u << count) - 1 : (1u << Lanes::lanes) - 1;
        Number k_found{};
        auto open = all, in_lanes = all;
        for (int looked_at = 2; open != 0;) { // words, at most
            // Two at a time, as the second waits for little of the first.
            BlockTrial<Lanes> const one(law, Lanes::words_at(place), Lanes::words_at(place + 8));
            auto const next = one.after(place);
            BlockTrial<Lanes> const two(law, Lanes::words_at(next), Lanes::words_at(next + 8));
            auto const first = open & one.accepted(), on = open & one.rejected();
            auto const second = on & two.accepted();
            auto unclear = open & ~(first | (on & (two.accepted() | two.rejected())));
            looked_at += 4;
            if (looked_at + 4 > BufferedWords::most_looked_at) unclear = open & ~(first | second);
            if (unclear != 0) [[unlikely]] {
                std::uint64_t from[Lanes::lanes];
                store(from, place);
                for (auto rest = unclear; rest != 0; rest &= rest - 1)
                    draw_alone_from(static_cast<int>(index[__builtin_ctz(rest)]),
                                    from[__builtin_ctz(rest)]);
                in_lanes &= ~unclear;
            }
            k_found = Lanes::pick(Lanes::of_bits(second), two.k(), k_found);
            k_found = Lanes::pick(Lanes::of_bits(first), one.k(), k_found);
            place = Lanes::as_whole(
                Lanes::pick(Lanes::of_bits(on), Lanes::as_number(two.after(next)),
                            Lanes::pick(Lanes::of_bits(first), Lanes::as_number(next),
                                        Lanes::as_number(place))));
            open &= ~(first | second | unclear);
        }
        double result[Lanes::lanes];
        std::uint64_t end[Lanes::lanes];
        store(result, Number(of(offset_) + of(sign_) * k_found));
        store(end, place);
        for (int j = 0; j < Lanes::lanes; ++j) {
            auto const to = (in_lanes >> j & 1) != 0 ? index[j] : most;
            found[to] = result[j];
            place_[to] = end[j];
        }
    }

    unsigned drawn_ = 0;   ///< in lanes
    unsigned waiting_ = 0; ///< those that a further trial is made for
    std::uint8_t waits_[most + LaneNumbers<double>::lanes] = {};
    alignas(lane_bytes) std::uint64_t place_[most + 1]; ///< of the words that come next
    alignas(lane_bytes) double offset_[most], sign_[most], mode_[most], width_[most],
        inverse_[most], power_[4][most];
};

} // namespace
} // namespace crx
