#pragma once

#include "kernels/engines/cohorts/least_quotient.cuh"
#include "kernels/model/requests.cuh"
#include "kernels/model/workload.cuh"
#include "kernels/policies/ladder.cuh"
#include "kernels/policies/policy_spec.cuh"
#include "kernels/random/word_stream.cuh"

namespace crx {
namespace {

/// The round model where all that start together leave together, at their working end, and working
/// lengths only rise: mc-sf, shortest class first, and a-ell where every output is l or u. An
/// instance in each lane: KnownLengthsEngine, and HiddenLengthsEngine for its two lengths.
///
/// Cohorts end in the order in which they started. Of each is kept the memory left at its working
/// end, which is the most that is held from its predecessor's end on. With E = s + its working end
/// and R that room, a request that starts in round t takes E - t of R; so min floor(R / (E - t))
/// can start, and one fits from round max min(E - R, E - s) on. What is left of R when the cohort
/// ends is M minus what was held.
///
/// A step starts, in each lane, the requests of one working length at one time. Numbers are whole
/// and exact in T (lanes_hold), the least quotient rounded down too (least_quotient.cuh). Cost of a
/// step in all lanes together: two passes over the cohorts of as many steps as one is active.
///
/// Form: what lanes are, those of a register (vector_form.hh) or threads (thread_form.cuh).
template <class Form, bool hidden>
class FixedLengthBatchEngine
{
    using Lanes = typename Form::Lanes;
    using Number = typename Lanes::Number;
    using Mask = typename Lanes::Mask;
    using Index = typename Form::Index;
    using T = typename Lanes::Scalar;

  public:
    using Places = typename Form::template Places<hidden ? 4 : 3>;

    /// `sampler`: what Form::Sampler is built of; a-ell alone draws.
    template <class... Where>
    CRX_IN_LANES FixedLengthBatchEngine(WorkloadView const& w, Places const& places,
                                        Where... sampler)
        : classes_(static_cast<int>(w.output_value.size())), value_(w.output_value.data()),
          prompt_(static_cast<T>(w.prompt_constant)), memory_(static_cast<T>(w.memory)),
          lower_(w.interval.lower), upper_(w.interval.upper), places_(places), sampler_(sampler...)
    {
    }

    /// counts[apart k + j]: requests of the j-th length in instance first + k, kept until run().
    /// Contract: 0 <= instances <= lanes.
    CRX_HD void open(WorkloadView const& w, std::int64_t first, int instances,
                     std::int64_t const* counts, std::int64_t apart);
    CRX_HD void run()
    {
        while (running_ != 0) step();
    }
    CRX_HD Outcome outcome(WorkloadView const&, int lane, std::int64_t const* /*counts*/) const;

  private:
    static constexpr T never = Lanes::never;

    /// The requests of each lane that started in one step.
    struct Cohort
    {
        Number& end;   ///< s plus the working end; 0: no request
        Number& room;  ///< memory left at the working end
        Number& count; ///< requests
    };
    CRX_IN_LANES Cohort cohort(Index i)
    {
        return {places_.at(i, 0), places_.at(i, 1), places_.at(i, 2)};
    }
    /// Of a-ell: `count` if they run for the first time, else 0.
    CRX_IN_LANES Number& untried(Index i) { return places_.at(i, 3); }

    /// What the pass over all cohorts finds.
    struct Found
    {
        LeastQuotient<Lanes> least; ///< of a room, and what a request would take of it
        Number ended, untried;      ///< requests at their end
        Number soonest;             ///< s plus the next end; never: none
    };

    CRX_IN_LANES void step()
    {
        auto const t = t_;
        auto found = settle(t);
        if (Lanes::bits(Lanes::less(Number{}, found.ended)) != 0) complete(t, found);
        auto const m = Lanes::smaller(fit(found.least), waiting_);
        auto const some = Lanes::less(Number{}, m);
        waiting_ -= m;
        auto const bound = start(t, m, some);
        auto const end =
            Lanes::smaller(found.soonest, Lanes::pick(some, t + reach_, Number{} + never)) -
            prompt_;
        auto const blocked = Lanes::less(Number{}, waiting_);
        auto const soonest = Lanes::pick(blocked, Lanes::smaller(bound, end), end);
        // Lanes that turn to the next working length stay at this time.
        unsigned turned = more_ & ~Lanes::bits(blocked);
        if (turned != 0) turned = turn_to_next(turned);
        auto const goes_on = Lanes::bits(Lanes::less(soonest, Number{} + never / 2)) & ~turned;
        auto const on = Lanes::of_bits(goes_on);
        t_ = Lanes::pick(on, soonest, t);
        events_ += Lanes::pick(on, Number{} + 1, Number{});
        running_ &= goes_on | turned;
    }

    /// Takes out what ends at time t.
    CRX_IN_LANES Found settle(Number const& t)
    {
        auto const empty = Number{} + never, now = t + prompt_;
        auto least = empty; // held in a register
        Found found{{Number{} + memory_, reach_}, Number{}, Number{}, empty};
        Mask oldest{};
        for (auto i = high_; i-- > low_;) {
            auto const c = cohort(i);
            auto const due = Lanes::equal(c.end, now);
            found.ended += Lanes::pick(due, c.count, Number{});
            if constexpr (hidden) found.untried += Lanes::pick(due, untried(i), Number{});
            least = Lanes::smaller(least, Lanes::pick(due, c.room, empty));
            c.room = Lanes::pick(due, empty, c.room);
            auto const end = c.end = Lanes::pick(due, Number{}, c.end);
            auto const active = Lanes::less(now, end);
            oldest = active;
            found.soonest = Lanes::smaller(found.soonest, Lanes::pick(active, end, empty));
            found.least.show(c.room, end - t);
        }
        least_room_ = Lanes::smaller(least_room_, least);
        if (low_ < high_ && Lanes::bits(oldest) == 0) ++low_; // the oldest are gone in all lanes
        return found;
    }

    /// How many more there is memory for.
    CRX_IN_LANES Number fit(LeastQuotient<Lanes> const& least)
    {
        auto const fit = least.rounded_down();
        if (memory_ > LeastQuotient<Lanes>::sure_room) { // nearly all memory must be left, too
            auto const unsure = LeastQuotient<Lanes>::unsure(fit, reach_);
            if (Lanes::bits(unsure & Lanes::less(Number{}, waiting_)) != 0) return fit_of(fit);
        }
        return fit;
    }
    /// How many can start, at most `fit`, by a division for each cohort. Inlined: a call would put
    /// the engine into a GPU's memory.
    CRX_IN_LANES Number fit_of(Number fit)
    {
        auto const empty = Number{} + never;
        for (auto i = low_; i < high_; ++i) {
            auto const c = cohort(i);
            auto const here = Lanes::less(c.room, empty);
            fit = Lanes::smaller(fit, Lanes::pick(here, Number(c.room / (c.end - t_)), fit));
        }
        return Lanes::floor(fit);
    }

    /// m requests start at time t; the first round from which another will fit.
    CRX_IN_LANES Number start(Number const& t, Number const& m, Mask const& some)
    {
        auto const prompt = Number{} + prompt_;
        auto const end = t + reach_, left = memory_ - m * reach_;
        auto bound = Lanes::pick(some, end - Lanes::larger(left, prompt), Number{});
        bound = Lanes::larger(bound, t + 1);
        for (auto i = low_; i < high_; ++i) {
            auto const c = cohort(i);
            c.room -= m * (c.end - t);
            bound = Lanes::larger(bound, c.end - Lanes::larger(c.room, prompt));
        }
        if (Lanes::bits(some) != 0) {
            places_.make_room(low_, high_);
            auto const c = cohort(high_);
            c.end = Lanes::pick(some, end, Number{});
            c.room = Lanes::pick(some, left, Number{} + never);
            c.count = m;
            if constexpr (hidden)
                untried(high_) =
                    Lanes::pick(Lanes::equal(reach_, Number{} + first_reach_), m, Number{});
            ++high_;
        }
        return bound;
    }

    CRX_IN_LANES void complete(Number const& t, Found const& found)
    {
        auto done = found.ended;
        if constexpr (hidden) {
            if (Lanes::bits(Lanes::less(Number{}, found.untried)) != 0) {
                auto const c = Number(found.untried - sampler_.take(0, found.untried)); // cancelled
                auto const first = Lanes::equal(reach_, Number{} + first_reach_);
                promoted_ += Lanes::pick(first, c, Number{});
                waiting_ += Lanes::pick(first, Number{}, c);
                done -= c;
                auto const many = Lanes::integers(c);
                Lanes::each([&](int j) CRX_LAMBDA_IN_LANES { cancelled_[j] += many[j]; });
            }
        }
        auto const ended = Lanes::integers(done), now = Lanes::integers(t);
        Lanes::each([&](int j) CRX_LAMBDA_IN_LANES {
            latency_[j] += static_cast<std::int64_t>(ended[j]) * now[j];
        });
        makespan_ = Lanes::pick(Lanes::less(Number{}, done), t, makespan_);
    }

    /// Advances lanes whose queue is empty to the next working length; returns their mask.
    CRX_IN_LANES unsigned turn_to_next(unsigned idle)
    {
        unsigned last = hidden ? idle : 0; // lanes that have no further one to come
        Lanes::each_of(idle, [&](int j) CRX_LAMBDA_IN_LANES {
            if constexpr (hidden) {
                Lanes::set(reach_, j, prompt_ + static_cast<T>(upper_));
                Lanes::set(waiting_, j, Lanes::get(promoted_, j));
            } else if (!take_class(j)) {
                last |= 1u << j;
            }
        });
        more_ &= ~last;
        return hidden ? idle : idle & ~last;
    }
    /// The next class that has requests; false if there is none.
    CRX_HD bool take_class(int j)
    {
        auto const* const counts = counts_ + apart_ * j;
        auto& k = next_class_[j];
        while (k < classes_ && counts[k] == 0) ++k;
        if (k == classes_) return false;
        Lanes::set(reach_, j, prompt_ + static_cast<T>(value_[k]));
        Lanes::set(waiting_, j, static_cast<T>(counts[k++]));
        return true;
    }

    int classes_;
    std::int32_t const* value_;
    T prompt_, memory_;
    std::int32_t lower_, upper_;
    T first_reach_ = 0; ///< s + l
    Places places_;
    Index low_ = 0, high_ = 0; ///< no lane has anybody outside of these
    Number t_, reach_;         ///< reach: s plus the working length that is served
    Number waiting_;           ///< with that length
    Number least_room_, makespan_, events_;
    unsigned running_ = 0, more_ = 0; ///< lanes; those with another working length to come
    std::int64_t const* counts_ = nullptr;
    std::int64_t apart_ = 0;
    typename Lanes::template Each<std::int64_t> latency_;
    typename Lanes::template Each<int> next_class_;
    // Of a-ell:
    Number promoted_; ///< cancelled while others wait to run for the first time
    typename Lanes::template Each<std::int64_t> cancelled_;
    typename Form::template Sampler<1> sampler_; ///< which requests are of length l
};

template <class Form, bool hidden>
CRX_HD void FixedLengthBatchEngine<Form, hidden>::open(WorkloadView const& w, std::int64_t first,
                                                       int instances, std::int64_t const* counts,
                                                       std::int64_t apart)
{
    counts_ = counts;
    apart_ = apart;
    places_.open();
    low_ = high_ = 0;
    t_ = waiting_ = makespan_ = events_ = promoted_ = Number{};
    first_reach_ = prompt_ + static_cast<T>(lower_);
    reach_ = Number{} + first_reach_;
    least_room_ = Number{} + memory_;
    running_ = more_ = Lanes::first(instances);
    Lanes::each([&](int j) CRX_LAMBDA_IN_LANES {
        latency_[j] = cancelled_[j] = next_class_[j] = 0;
        if constexpr (hidden) sampler_.open_line(0, j, 0, 0);
    });
    Lanes::each_of(running_, [&](int j) CRX_LAMBDA_IN_LANES {
        Lanes::set(events_, j, 1);
        if constexpr (hidden) {
            Lanes::set(waiting_, j, static_cast<T>(w.requests));
            sampler_.open(j, w.seed, stream_policy + static_cast<std::uint32_t>(PromoteLower::kind),
                          static_cast<std::uint64_t>(first + j));
            sampler_.open_line(0, j, w.requests, value_[0] == lower_ ? counts[apart * j] : 0);
        } else {
            take_class(j);
        }
    });
}

template <class Form, bool hidden>
CRX_HD Outcome FixedLengthBatchEngine<Form, hidden>::outcome(WorkloadView const&, int lane,
                                                             std::int64_t const*) const
{
    Outcome o;
    o.total_latency = latency_[lane];
    o.makespan = static_cast<std::int64_t>(Lanes::get(makespan_, lane));
    o.peak_memory = static_cast<std::int64_t>(memory_ - Lanes::get(least_room_, lane));
    o.events = static_cast<std::int64_t>(Lanes::get(events_, lane));
    o.cancellations = cancelled_[lane];
    o.wasted_tokens = cancelled_[lane] * lower_;
    return o;
}

} // namespace
} // namespace crx
