#pragma once

#include "kernels/base/in_lanes.hh"
#include "kernels/laws/workload.cuh"
#include "kernels/model/outcome.cuh"
#include "kernels/policies/policy_kind.cuh"
#include "kernels/random/word_stream.cuh"

namespace crx {
namespace {

/// The round model for a-max, an instance in each lane: HiddenLengthsEngine for its one working
/// length, u.
///
/// Cohorts start one after the other and end in that order, so a new one ends last, and who is
/// asked whether they are of a class is the next cohort for each class. Of each cohort is kept the
/// memory left at its working end, where those that end before hold nothing. With
/// E = s + its working end and R that room, a request that starts in round t takes E - t of R; so
/// min floor(R / (E - t)) can start, and one fits from round max min(E - R, E - s) on.
///
/// Numbers are whole and exact in T (upper_lanes). Cost of a round in which something
/// happens, in all lanes of a register together: two passes over its places, of which each holds a
/// cohort of every lane that started one in the same step.
///
/// Form: what lanes are, those of a register (vector_form.hh) or threads (thread_form.cuh). `most`:
/// no fewer than the classes.
template <class Form, int most>
class UpperLaneEngine
{
    using Lanes = typename Form::Lanes;
    using Number = typename Lanes::Number;
    using Mask = typename Lanes::Mask;
    using Index = typename Form::Index;
    using T = typename Lanes::Scalar;

  public:
    static constexpr int registers = Form::registers;

    using Places = typename Form::template Places<3>;

    /// `lottery`: what Form::Lottery is built of.
    template <class... Where>
    CRX_IN_LANES UpperLaneEngine(WorkloadView const& w, Places const& places, Where... lottery)
        : classes_(static_cast<int>(w.output_value.size())),
          prompt_(static_cast<T>(w.prompt_constant)), memory_(static_cast<T>(w.memory)),
          reach_(static_cast<T>(w.prompt_constant + w.interval.upper)), places_(places),
          lottery_(lottery...)
    {
    }

    /// Most places in use at a time.
    static std::int64_t most_places(WorkloadView const& w)
    {
        auto const cohorts = std::int64_t{w.interval.upper} + 1;
        return most_after(static_cast<Index>(w.requests < cohorts ? w.requests : cohorts));
    }

    /// counts[apart k + j]: requests of the j-th length in instance first + k.
    /// Contract: 0 <= instances <= lanes.
    CRX_HD void open(WorkloadView const& w, std::int64_t first, int instances,
                     std::int64_t const* counts, std::int64_t apart);

    /// Runs registers of lanes in turns: one has something to do while another waits for a result.
    CRX_IN_LANES static void run(UpperLaneEngine* engines)
    {
        Asked asked[registers];
        for (auto& one : asked) one.open();
        for (bool any = true; any;) {
            any = false;
            CRX_NO_UNROLL
            for (int r = 0; r < registers; ++r)
                if (engines[r].any_runs()) engines[r].stop(asked[r]);
            CRX_NO_UNROLL
            for (int r = 0; r < registers; ++r)
                if (engines[r].any_runs()) engines[r].settle(asked[r]);
            CRX_NO_UNROLL
            for (int r = 0; r < registers; ++r)
                if (engines[r].any_runs()) {
                    engines[r].admit(asked[r]);
                    any = true;
                }
        }
    }

    /// The same for threads. Those of a warp go through it together, and a draw of one holds up
    /// all: who is to draw stands still until all are, or has done so for a while. Each is at a
    /// time of its own, so nothing depends on it but how long it takes. Contract: all threads of a
    /// warp call it, those without an instance too.
    CRX_IN_LANES void run()
    {
        using Warp = typename Form::Warp;
        Asked asked;
        asked.open();
        for (int waited = 0;;) {
            bool const draws = running_ && draws_next(asked);
            auto const running = Warp::ballot(running_), drawing = Warp::ballot(draws);
            if (running == 0) return;
            bool const together = drawing == running || waited == Form::patience;
            waited = together || drawing == 0 ? 0 : waited + 1;
            if (running_ && (together || !draws)) {
                stop(asked);
                settle(asked);
                admit(asked);
            }
        }
    }

    /// counts[k]: requests of the k-th length in this lane.
    CRX_HD Outcome outcome(WorkloadView const& w, int lane, std::int64_t const* counts) const
    {
        Outcome o;
        o.total_latency = waited_[lane];
        for (int k = 0; k < classes_; ++k)
            o.total_latency += counts[k] * w.output_value[static_cast<std::size_t>(k)];
        o.makespan = static_cast<std::int64_t>(Lanes::get(t_, lane));
        o.peak_memory = static_cast<std::int64_t>(Lanes::get(peak_, lane));
        o.events = static_cast<std::int64_t>(Lanes::get(events_, lane));
        return o;
    }

  private:
    static constexpr T never = Lanes::never;

    /// The requests of each lane that started in one round.
    struct Cohort
    {
        Number end;  ///< s plus the working end; 0: nobody
        Number room; ///< memory left at the working end
        Number count;
    };
    /// What is next for each class. Locals of run(), so that they can be in registers.
    struct Asked
    {
        Number last[most];                 ///< `end` of the cohort that was asked last
        Number next[most];                 ///< that of the next
        Number count[most];                ///< and its size
        Number found[most], started[most]; ///< who completed now, and when they started
        Number quotient;                   ///< of the least room, for its time to an end

        CRX_IN_LANES void open()
        {
            CRX_UNROLL
            for (int k = 0; k < most; ++k) {
                last[k] = count[k] = found[k] = started[k] = Number{};
                next[k] = Number{} + never;
            }
        }
    };
    struct Class
    {
        Number lag;   ///< value - (s + u): age of the cohorts asked, counted from `end`
        bool certain; ///< in no lane anything is random: who is left is of this class
    };

    /// Places until which it does not pay to pack so many again.
    CRX_HD static constexpr Index most_after(Index packed)
    {
        return packed + (packed / 4 > 16 ? packed / 4 : 16);
    }

    CRX_IN_LANES bool any_runs() const { return Lanes::bits(running_) != 0; }

    /// Of a thread: whether stop() will draw.
    CRX_IN_LANES bool draws_next(Asked const& asked) const
    {
        bool draws = false;
        CRX_UNROLL
        for (int k = 0; k < most - 1; ++k)
            if (!class_[k].certain && asked.next[k] + class_[k].lag == t_)
                draws = draws || lottery_.draws(k, asked.count[k]);
        return draws;
    }

    /// Completions at time t_.
    CRX_IN_LANES void stop(Asked& asked)
    {
        peak_ = Lanes::larger(peak_, held_);
        events_ = Lanes::add_where(running_, events_, Number{} + 1);
        // The oldest cohorts first: those that are asked for the longest class.
        CRX_UNROLL
        for (int k = most - 1; k >= 0; --k) {
            auto const due = Lanes::equal(asked.next[k] + class_[k].lag, t_);
            asked.last[k] = Lanes::pick(due, asked.next[k], asked.last[k]);
            asked.started[k] = asked.last[k] - reach_;
            auto const count = Lanes::where(due, asked.count[k]);
            if (k == most - 1 || class_[k].certain)
                asked.found[k] = count;
            else
                asked.found[k] = lottery_.take(k, count);
            active_ -= asked.found[k];
            held_ -= asked.found[k] * (t_ - asked.started[k] + prompt_);
        }
    }

    CRX_IN_LANES void admit(Asked& asked)
    {
        auto const t = t_;
        auto const m = Lanes::smaller(Lanes::floor(asked.quotient), waiting_);
        auto const some = Lanes::less(Number{}, m);
        waiting_ -= m;
        active_ += m;
        held_ += m * prompt_;
        wait(m);

        auto const nobody = Number{} + never, prompt = Number{} + prompt_;
        auto const end = t + reach_, left = memory_ - m * reach_;
        auto bound = Lanes::where(some, end - Lanes::larger(left, prompt));
        bound = Lanes::larger(bound, t + 1);
        for (auto i = low_; i < high_; ++i) {
            auto const end_here = places_.at(i, 0);
            auto& room_here = places_.at(i, 1);
            room_here -= m * (end_here - t);
            bound = Lanes::larger(bound, end_here - Lanes::larger(room_here, prompt));
        }
        insert(some, {Lanes::where(some, end), Lanes::pick(some, left, nobody), m});

        auto soonest = nobody;
        CRX_UNROLL
        for (int k = 0; k < most; ++k) {
            Mask const first = Lanes::equal(asked.next[k], nobody) & some;
            asked.next[k] = Lanes::pick(first, end, asked.next[k]);
            asked.count[k] = Lanes::pick(first, m, asked.count[k]);
            soonest = Lanes::smaller(soonest, asked.next[k] + class_[k].lag);
        }
        soonest =
            Lanes::pick(Lanes::less(Number{}, waiting_), Lanes::smaller(soonest, bound), soonest);
        running_ = running_ & Lanes::less(soonest, nobody);
        t_ = Lanes::pick(running_, soonest, t);
        held_ += active_ * (t_ - t);
    }

    /// Adds the rounds that those who start now have waited: in all more than T holds.
    CRX_IN_LANES void wait(Number const& m)
    {
        auto const many = Lanes::integers(m), now = Lanes::integers(t_);
        Lanes::each([&](int j) CRX_LAMBDA_IN_LANES {
            waited_[j] += static_cast<std::int64_t>(many[j]) * now[j];
        });
    }

    /// Takes out who completed; the least quotient room / size, and for each class who is asked
    /// next. An empty place limits nothing: at the next end as many are active.
    CRX_IN_LANES void settle(Asked& asked)
    {
        auto const t = t_, nobody = Number{} + never;
        auto room = Number{} + memory_, size = Number{} + reach_;
        Number next[most], count[most], last[most], found[most], started[most];
        CRX_UNROLL
        for (int k = 0; k < most; ++k) {
            next[k] = nobody;
            count[k] = Number{};
            last[k] = asked.last[k];
            found[k] = asked.found[k];
            started[k] = asked.started[k];
        }
        constexpr int longest = most - 1; // who was asked about it is gone
        for (auto i = high_; i-- > low_;) {
            Cohort c{places_.at(i, 0), places_.at(i, 1), places_.at(i, 2)};
            Mask was[longest];
            CRX_UNROLL
            for (int k = 0; k < longest; ++k) {
                was[k] = Lanes::at_most(c.end, last[k]);
                c.room = Lanes::add_where(was[k], c.room, found[k] * (c.end - started[k]));
                c.count = Lanes::add_where(Lanes::equal(c.end, last[k]), c.count, -found[k]);
            }
            // Who was not yet asked about the shortest class is still there.
            next[0] = Lanes::pick(was[0], next[0], c.end);
            count[0] = Lanes::pick(was[0], count[0], c.count);
            Mask const here = Lanes::less(Number{}, c.count) & Lanes::less(last[longest], c.end);
            c.end = Lanes::where(here, c.end);
            c.room = Lanes::pick(here, c.room, nobody);
            keep(i, c);
            CRX_UNROLL
            for (int k = 1; k < most; ++k) {
                Mask const later = k == longest ? here : Lanes::less(last[k], c.end);
                next[k] = Lanes::pick(later, c.end, next[k]);
                count[k] = Lanes::pick(later, c.count, count[k]);
            }
            auto const size_here = c.end - t;
            auto const less = Lanes::less(c.room * size, room * size_here);
            room = Lanes::pick(less, c.room, room);
            size = Lanes::pick(less, size_here, size);
        }
        CRX_UNROLL
        for (int k = 0; k < most; ++k) {
            asked.next[k] = next[k];
            asked.count[k] = count[k];
        }
        asked.quotient = room / size;
        while (low_ < high_ && Lanes::bits(Lanes::less(Number{}, places_.at(low_, 0))) == 0) ++low_;
    }

    /// A place for all lanes: those who start nobody leave theirs empty.
    CRX_IN_LANES void insert(Mask some, Cohort const& cohort)
    {
        if (Lanes::bits(some) == 0) return;
        if (high_ - low_ >= most_places_) pack();
        places_.make_room(low_, high_);
        keep(high_++, cohort);
    }
    CRX_IN_LANES void keep(Index i, Cohort const& cohort)
    {
        places_.at(i, 0) = cohort.end;
        places_.at(i, 1) = cohort.room;
        places_.at(i, 2) = cohort.count;
    }

    /// Puts those in use together lane by lane, so that no place is left empty in between: some
    /// lanes start cohorts less often than others.
    CRX_HD void pack();

    int classes_;
    T prompt_, memory_;
    T reach_; ///< s + u
    Places places_;
    Number t_{}, waiting_{}, active_{}, events_{};
    Number held_{}, peak_{};                               ///< memory at time t_ and most so far
    typename Lanes::template Each<std::int64_t> waited_{}; ///< sum of the rounds of all starts
    Index low_ = 0, high_ = 0; ///< no lane has anybody outside of these places
    Index most_places_ = 0;    ///< between them, until they are packed
    Mask running_{};
    Class class_[most]{};
    typename Form::template Lottery<most - 1> lottery_; ///< who is of each class but the last
};

template <class Form, int most>
CRX_HD void UpperLaneEngine<Form, most>::open(WorkloadView const& w, std::int64_t first,
                                              int instances, std::int64_t const* counts,
                                              std::int64_t apart)
{
    t_ = waiting_ = active_ = events_ = held_ = peak_ = Number{};
    Lanes::each([&](int j) CRX_LAMBDA_IN_LANES { waited_[j] = 0; });
    places_.open();
    low_ = high_ = 0;
    most_places_ = most_after(0);
    auto const all = Lanes::first(instances);
    running_ = Lanes::of_bits(all);
    CRX_UNROLL
    for (int k = 0; k < most; ++k) {
        class_[k].lag = Number{} + never;
        class_[k].certain = true;
        if (k < classes_ && k < most - 1)
            Lanes::each([&](int j) CRX_LAMBDA_IN_LANES { lottery_.open_line(k, j, 0, 0); });
    }
    Lanes::each_of(all, [&](int j) CRX_LAMBDA_IN_LANES {
        Lanes::set(waiting_, j, static_cast<T>(w.requests));
        lottery_.open(j, w.seed, stream_policy + static_cast<std::uint32_t>(PolicyKind::a_max),
                      static_cast<std::uint64_t>(first + j));
        auto const* const own = counts + apart * j;
        auto longer = w.requests;
        CRX_UNROLL
        for (int k = 0; k < most; ++k) {
            if (k >= classes_) break;
            auto const marked = own[k];
            if (k < most - 1) { // the last is always certain
                lottery_.open_line(k, j, longer, marked);
                class_[k].certain &= marked == longer;
            }
            longer -= marked;
            if (marked > 0)
                Lanes::set(class_[k].lag, j,
                           static_cast<T>(w.output_value[static_cast<std::size_t>(k)]) - reach_);
        }
    });
}

template <class Form, int most>
CRX_HD void UpperLaneEngine<Form, most>::pack()
{
    auto const front = places_.front(low_);
    typename Lanes::template Each<Index> kept;
    Lanes::each([&](int j) CRX_LAMBDA_IN_LANES {
        kept[j] = front;
        for (auto i = low_; i < high_; ++i) {
            auto const end = Lanes::get(places_.at(i, 0), j);
            if (end == 0) continue;
            auto const to = kept[j]++;
            Lanes::set(places_.at(to, 0), j, end);
            for (int f = 1; f < 3; ++f)
                Lanes::set(places_.at(to, f), j, Lanes::get(places_.at(i, f), j));
        }
    });
    auto const end = Lanes::most(kept);
    Lanes::each([&](int j) CRX_LAMBDA_IN_LANES {
        for (auto i = kept[j]; i < end; ++i) {
            Lanes::set(places_.at(i, 0), j, 0);
            Lanes::set(places_.at(i, 1), j, never);
            Lanes::set(places_.at(i, 2), j, 0);
        }
    });
    low_ = front;
    high_ = end;
    most_places_ = most_after(high_ - low_);
}

} // namespace
} // namespace crx
