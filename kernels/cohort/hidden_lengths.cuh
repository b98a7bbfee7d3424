#pragma once

#include "kernels/cohort/class_lottery.cuh"
#include "kernels/engine/memory_profile.cuh"
#include "kernels/model/outcome.cuh"

namespace crx {

/// What a policy that does not know lengths plans with.
enum class Planning
{
    with_upper,      ///< u for everybody (a-max)
    lower_then_upper ///< l first; who is not done then goes to the end of the queue and gets u
                     ///< (a-ell)
};

/// The round model for a-max and a-ell. A cohort is the requests that started in one round with one
/// working length and are still active; all waiting requests of one working length are alike.
///
/// Cost of a round in which something happens: the number of cohorts, at most two for each of the
/// last u rounds, and a hypergeometric draw for each cohort and class that can end then.
template <class Lottery = ClassLottery>
class HiddenLengthsEngine
{
  public:
    CRX_HD HiddenLengthsEngine(Planning planning, Composition const& composition,
                               std::int64_t most_classes, std::int64_t ends,
                               WordStream const& words, Arena& arena)
        : planning_(planning), composition_(composition), words_(words),
          lottery_(composition, arena, most_classes), profile_(arena, ends, composition.memory),
          cohorts_(arena.take<Cohort>(2 * ends))
    {
        fresh_ = composition.requests;
    }

    CRX_HD Outcome execute()
    {
        if (composition_.requests == 0) return outcome_;
        for (Rounds t = 0; done_ < composition_.requests; t = next_) {
            ++outcome_.events;
            stop(t);
            profile_.drop_until(t);
            admit(t);
            CRX_ENSURE(next_ != no_round || done_ == composition_.requests);
        }
        return outcome_;
    }

  private:
    struct Cohort
    {
        Rounds start;
        std::int64_t count;      ///< requests still active
        std::int32_t length;     ///< working length
        std::int32_t next_class; ///< the shortest class they can be of
        bool probing;            ///< cancelled at its working length
    };

    CRX_HD Rounds next_stop(Cohort const& c) const
    {
        return c.start + (c.probing ? c.length : composition_.value[c.next_class]);
    }

    /// Completions and cancellations at time t; leaves the next time at which there can be any.
    CRX_HD void stop(Rounds t)
    {
        auto const held = base_ + t * active_;
        if (held > outcome_.peak_memory) outcome_.peak_memory = held;
        next_stop_ = no_round;
        std::int64_t kept = 0;
        for (std::int64_t at = 0; at < live_; ++at) {
            auto cohort = cohorts_[at];
            if (next_stop(cohort) <= t) end_some(t, cohort);
            if (cohort.count == 0) continue;
            cohorts_[kept++] = cohort;
            auto const stop = next_stop(cohort);
            if (stop < next_stop_) next_stop_ = stop;
        }
        live_ = kept;
    }

    CRX_HD void end_some(Rounds t, Cohort& cohort)
    {
        if (!cohort.probing || composition_.value[cohort.next_class] == cohort.length) {
            auto const ended = lottery_.draw(cohort.next_class, cohort.count, words_);
            leave(cohort, ended);
            done_ += ended;
            outcome_.total_latency += ended * t;
            if (ended > 0) outcome_.makespan = t;
            ++cohort.next_class;
        }
        if (!cohort.probing || cohort.count == 0) return;
        promoted_ += cohort.count;
        outcome_.cancellations += cohort.count;
        outcome_.wasted_tokens += cohort.count * cohort.length;
        leave(cohort, cohort.count);
    }

    CRX_HD void leave(Cohort& cohort, std::int64_t m)
    {
        if (m == 0) return;
        profile_.remove(cohort.start, composition_.prompt, cohort.length, m);
        base_ -= m * (composition_.prompt - cohort.start);
        active_ -= m;
        cohort.count -= m;
    }

    CRX_HD void admit(Rounds t)
    {
        auto const probing = planning_ == Planning::lower_then_upper;
        next_ = next_stop_;
        start_most(t, fresh_, probing ? composition_.lower : composition_.upper, probing);
        if (fresh_ == 0) start_most(t, promoted_, composition_.upper, false);
        if (next_stop_ < next_) next_ = next_stop_;
    }

    /// Starts as many of `waiting` as fit; if some wait on, looks for the round that has room.
    CRX_HD void start_most(Rounds t, std::int64_t& waiting, std::int32_t e, bool probing)
    {
        if (waiting == 0) return;
        auto const s = composition_.prompt;
        auto const room = profile_.most_copies(t, s, e);
        auto const m = room < waiting ? room : waiting;
        if (m > 0) {
            // A promoted request has outlived l: its class is the first that is longer.
            bool const outlived = planning_ == Planning::lower_then_upper && !probing &&
                                  composition_.value[0] == composition_.lower;
            Cohort const cohort{t, m, e, outlived ? 1 : 0, probing};
            cohorts_[live_++] = cohort;
            profile_.add(t, s, e, m);
            base_ += m * (s - t);
            active_ += m;
            waiting -= m;
            if (next_stop(cohort) < next_stop_) next_stop_ = next_stop(cohort);
        }
        if (waiting == 0) return;
        auto const fit = profile_.first_fit(t + 1, s, e, next_stop_);
        if (fit < next_) next_ = fit;
    }

    Planning planning_;
    Composition composition_;
    WordStream words_;
    Lottery lottery_;
    MemoryProfile profile_;
    Cohort* cohorts_; ///< in order of start
    Outcome outcome_;
    std::int64_t live_ = 0;     ///< cohorts
    std::int64_t fresh_ = 0;    ///< waiting with the first working length
    std::int64_t promoted_ = 0; ///< waiting behind them with u
    std::int64_t active_ = 0, done_ = 0;
    Tokens base_ = 0; ///< all active requests hold base + t active tokens at time t
    Rounds next_ = no_round, next_stop_ = no_round;
};

} // namespace crx
