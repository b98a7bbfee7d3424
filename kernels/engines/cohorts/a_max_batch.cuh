#pragma once

#include "kernels/engines/cohorts/least_quotient.cuh"
#include "kernels/model/requests.cuh"
#include "kernels/model/workload.cuh"
#include "kernels/policies/policy_spec.cuh"
#include "kernels/random/word_stream.cuh"

namespace crx {
namespace {

/// What AMaxBatchEngine knows of cohorts and classes, in all lanes.
template <class Lanes, int most>
struct AMaxBatchState
{
    using Number = typename Lanes::Number;

    /// The requests of each lane that started in one round.
    struct Cohort
    {
        Number end;  ///< s plus the working end
        Number room; ///< memory left at the working end, before those that started in the last
                     ///< step; never: no request is left
        Number count;
    };
    struct Class
    {
        Number lag;     ///< value - (s + u): age of the cohorts asked, counted from `end`
        Number without; ///< never where a lane has no request of this class, else 0
        bool certain;   ///< in no lane anything is random: all that are left are of this class
    };

    /// What is next for each class. Locals of AMaxBatchEngine::run(), so that they can be in
    /// registers.
    struct Asked
    {
        Number last[most];          ///< `end` of the cohort that was asked last
        Number next[most];          ///< that of the next
        Number due[most];           ///< the round in which it is asked
        Number count[most];         ///< and its size
        Number found[most];         ///< requests that complete now
        LeastQuotient<Lanes> least; ///< of all places, or nearly so
        Number fit;                 ///< how many have room at all places

        /// `without`: never where a lane has none of a class: as if all had been asked about it.
        CRX_IN_LANES void open(Class const (&of)[most])
        {
            CRX_UNROLL
            for (int k = 0; k < most; ++k) {
                last[k] = k < most - 1 ? of[k].without : Number{};
                count[k] = found[k] = Number{};
                next[k] = due[k] = Lanes::all(Lanes::never);
            }
        }
    };
};

/// The round model for a-max, an instance in each lane: HiddenLengthsEngine for its one working
/// length, u.
///
/// Cohorts start one after the other and end in that order, so a new one ends last. A class is the
/// requests of one output length; for each class the next cohort is asked which of its requests are
/// of it. Kept of each cohort is R, the memory left at its working end, where those that end before
/// hold nothing. With E = s + its working end a request that starts in round t takes E - t of R; so
/// min floor(R / (E - t)) can start, and one fits from round max min(E - R, E - s) on.
///
/// Numbers are whole and exact in T (lanes_hold), the least quotient rounded down too
/// (least_quotient.cuh). A place of the list of cohorts holds one of every lane that started one in
/// the same step. A round in which something happens costs, in all lanes of a vector together, a
/// pass over the places, and a second where the place that limits most leaves open whether a
/// request fits before the next round in which a cohort is asked.
///
/// Form: lanes are those of a vector (vector_form.hh) or GPU threads (thread_form.cuh). `most`:
/// no fewer than the lengths, of which the longest is class most - 1.
template <class Form, int most>
class AMaxBatchEngine
{
    using Lanes = typename Form::Lanes;
    using Number = typename Lanes::Number;
    using Mask = typename Lanes::Mask;
    using Index = typename Form::Index;
    using T = typename Lanes::Scalar;

  public:
    static constexpr int registers = Form::registers;

    using Sampler = typename Form::template Sampler<most - 1>;
    using Places = typename Form::template Places<3>;

    /// `sampler`: what Form::Sampler is built of.
    template <class... Where>
    CRX_IN_LANES AMaxBatchEngine(WorkloadView const& w, Places const& places, Where... sampler)
        : classes_(static_cast<int>(w.output_value.size())),
          prompt_(static_cast<T>(w.prompt_constant)), memory_(static_cast<T>(w.memory)),
          reach_(static_cast<T>(w.prompt_constant + w.interval.upper)), age_(reach_ + prompt_),
          places_(places), sampler_(sampler...)
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

    /// Runs several vectors in turns, all at the same part of a step: one has something to do while
    /// another waits for a result.
    CRX_IN_LANES static void run(AMaxBatchEngine* engines)
    {
        Asked asked[registers];
        for (int r = 0; r < registers; ++r) asked[r].open(engines[r].class_);
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

    /// Runs all instances by threads. Those of a warp go through it together, and a draw of one
    /// holds up all: a lane that needs a draw waits until all do, or has done so for a while. Each
    /// is at a time of its own, so nothing depends on it but how long it takes. Contract: all
    /// threads of a warp call it, those without an instance too.
    CRX_IN_LANES void run()
    {
        using Warp = typename Form::Warp;
        Asked asked;
        asked.open(class_);
        for (int waited = 0;;) {
            bool const draws = running_ && draws_next(asked);
            auto const running = Warp::ballot(running_), drawing = Warp::ballot(draws);
            if (running == 0) return;
            bool const together = drawing == running || waited == Form::stop_condition;
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
        o.total_latency = waited_.of(lane);
        for (int k = 0; k < classes_; ++k)
            o.total_latency += counts[k] * w.output_value[static_cast<std::size_t>(k)];
        o.makespan = static_cast<std::int64_t>(makespan_[lane]);
        o.peak_memory = static_cast<std::int64_t>(Lanes::get(peak_, lane));
        o.events = events_[lane];
        return o;
    }

  private:
    static constexpr T never = Lanes::never;

    using State = AMaxBatchState<Lanes, most>;
    using Cohort = typename State::Cohort;
    using Class = typename State::Class;
    using Asked = typename State::Asked;

    /// So many places may fill before it pays to pack again.
    CRX_HD static constexpr Index most_after(Index packed)
    {
        return packed + (packed / 4 > 16 ? packed / 4 : 16);
    }

    CRX_IN_LANES bool any_runs() const { return !none(running_); }
    CRX_IN_LANES static bool none(Mask mask) { return Lanes::bits(mask) == 0; }

    /// Of a thread: whether stop() will draw.
    CRX_IN_LANES bool draws_next(Asked const& asked) const
    {
        bool draws = false;
        CRX_UNROLL
        for (int k = 0; k < most - 1; ++k)
            if (!class_[k].certain && asked.due[k] == t_)
                draws = draws || sampler_.draws(k, asked.count[k]);
        return draws;
    }

    /// Completions at time t_.
    CRX_IN_LANES void stop(Asked& asked);
    CRX_IN_LANES bool is_drawn(int k) const { return k != most - 1 && !class_[k].certain; }
    CRX_IN_LANES Number due_now(Asked& asked, int k) const;
    CRX_IN_LANES void complete(Asked& asked, int k, Number const& found);

    CRX_IN_LANES void admit(Asked& asked)
    {
        auto const t = t_;
        auto const m = Lanes::smaller(asked.fit, waiting_);
        auto const some = Lanes::less(Number{}, m);
        waiting_ -= m;
        active_ += m;
        held_ += m * prompt_;
        waited_.add(m, t);

        auto const empty = Lanes::all(never), end = t + reach_;
        auto soonest = empty;
        CRX_UNROLL
        for (int k = 0; k < most; ++k) {
            Mask const first = Lanes::equal(asked.next[k], empty) & some;
            asked.next[k] = Lanes::pick(first, end, asked.next[k]);
            asked.count[k] = Lanes::pick(first, m, asked.count[k]);
            asked.due[k] = asked.next[k] + class_[k].lag;
            soonest = Lanes::smaller(soonest, asked.due[k]);
        }
        auto const waits = Lanes::less(Number{}, waiting_);
        auto after =
            Lanes::larger(Lanes::all(T{1}), fits_after(m, asked.least.room, asked.least.size));
        insert(some, {Lanes::where(some, end), Lanes::pick(some, Lanes::all(memory_), empty), m});
        // As a rule this place already says that no request fits before any is asked. Any place
        // would do: none says a later round than all together.
        if (!none(waits & Lanes::less(t + after, soonest))) {
            auto const high = high_;
            for (auto i = low_; i < high; ++i)
                after = Lanes::larger(after, fits_after(m, places_.at(i, 1), places_.at(i, 0) - t));
        }
        soonest = Lanes::pick(waits, Lanes::smaller(soonest, t + after), soonest);
        auto const runs = Lanes::less(soonest, empty);
        if (Lanes::bits(runs) != Lanes::bits(running_)) close(runs);
        t_ = soonest;
        held_ += active_ * (t_ - t);
        started_ = m;
        started_hold_ = m * (t_ - t);
    }

    /// Of the lanes that are running only these go on; the others are at their end.
    CRX_HD void close(Mask runs)
    {
        Lanes::each_of(Lanes::bits(Lanes::without(running_, runs)), [&](int j) CRX_LAMBDA_IN_LANES {
            makespan_[j] = Lanes::get(t_, j);
            events_[j] = steps_;
        });
        running_ = runs;
    }

    /// How many rounds from now on one more fits at an end `size` from now, where such room is
    /// before m start.
    CRX_IN_LANES Number fits_after(Number const& m, Number const& room, Number const& size) const
    {
        return size - Lanes::larger(room - m * size, Lanes::all(prompt_));
    }

    /// Takes out completed requests; the least room / size, and for each class which are asked
    /// next. An empty place limits nothing: at the next end as many are active.
    CRX_IN_LANES void settle(Asked& asked);
    /// settle() for the places whose cohort is, in some lane, still to be asked whether they
    /// are of the last class but one, or was just asked.
    CRX_IN_LANES void settle_young(Asked& asked, LeastQuotient<Lanes>& least);
    /// Of the other places: takes out what completed as the longest class, and finds what does
    /// next.
    CRX_IN_LANES void settle_oldest(Asked& asked);
    /// How many have room at all places, no more than `fit`, by a division for each place. Inlined:
    /// a call would put the engine into a GPU's memory.
    CRX_IN_LANES Number fit_of(Number fit);

    /// A place for all lanes: those that start no request leave theirs empty.
    CRX_IN_LANES void insert(Mask some, Cohort const& cohort)
    {
        if (none(some)) return;
        if (high_ - low_ >= most_places_) pack();
        auto const young = young_ - low_;
        places_.make_room(low_, high_);
        young_ = low_ + young;
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
    T age_;   ///< of a request's memory over `end`: 2 s + u
    Places places_;
    Number t_{}; ///< never in lanes that are not running
    Number waiting_{}, active_{};
    Number started_{};                   ///< in the last step; they are not taken off rooms yet,
    Number started_hold_{};              ///< nor what each took in the rounds until t_
    Number held_{}, peak_{};             ///< memory at time t_ and most so far
    typename Lanes::ProductSums waited_; ///< sum of the rounds of all starts
    Index low_ = 0, high_ = 0;           ///< no lane has anybody outside of these places
    Index young_ =
        0; ///< cohorts before it were asked about all but the longest class, in all lanes
    Index most_places_ = 0; ///< between them, until they are packed
    Mask running_{};
    Index steps_ = 0;
    typename Lanes::template Each<T> makespan_{};   ///< of lanes that ended,
    typename Lanes::template Each<Index> events_{}; ///< and their steps
    Class class_[most]{};
    Sampler sampler_; ///< which requests are of each class but the last
};

} // namespace
} // namespace crx

#include "kernels/engines/cohorts/a_max_steps.cuh"
