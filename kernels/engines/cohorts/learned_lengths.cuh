#pragma once

#include "kernels/engines/cohorts/active_cohorts.cuh"
#include "kernels/engines/cohorts/class_sampler.cuh"
#include "kernels/engines/cohorts/end_ring.cuh"
#include "kernels/engines/cohorts/overflow_draw.cuh"
#include "kernels/model/clock.cuh"
#include "kernels/model/requests.cuh"
#include "kernels/policies/traits.cuh"
#include "kernels/random/hypergeometric.cuh"

namespace crx {

/// Waiting requests of a policy that learns working lengths: a pool for each length e from l to u,
/// whose members have all outlived e, and one more for those with e = l of which not even this is
/// known. The policy cannot tell the two pools of e = l apart, their hidden lengths differ.
class WaitingPools
{
  public:
    CRX_HD WaitingPools(Arena& arena, std::int32_t lower, std::int32_t upper)
        : lower_(lower), pools_(upper - lower + 2), count_(arena.take<std::int64_t>(pools_)),
          occupied_(arena, pools_)
    {
    }
    CRX_HD void clear()
    {
        for (std::int64_t k = 0; k < pools_; ++k) count_[k] = 0;
        occupied_.clear();
    }

    CRX_HD void put(std::int32_t e, bool outlived, std::int64_t m)
    {
        auto const pool = std::int64_t{e} - lower_ + (outlived ? 1 : 0);
        count_[pool] += m;
        total_ += m;
        occupied_.insert(pool);
    }
    CRX_HD std::int64_t total() const { return total_; }
    /// The least working length that anybody waits with. Contract: total() > 0.
    CRX_HD std::int32_t least_length()
    {
        auto const pool = occupied_.least();
        return static_cast<std::int32_t>(pool <= 1 ? lower_ : lower_ + pool - 1);
    }
    /// How many wait with it.
    CRX_HD std::int64_t with_length(std::int32_t e) const
    {
        return e == lower_ ? count_[0] + count_[1] : count_[e - lower_ + 1];
    }

    /// Takes m of those with working length e, drawn uniformly; calls take(m, outlived) for each
    /// pool that some come from.
    template <class Take>
    CRX_HD void draw(std::int32_t e, std::int64_t m, WordStream& words, Take take)
    {
        auto const fresh = e == lower_ ? hypergeometric(with_length(e), count_[0], m, words) : 0;
        if (fresh > 0) {
            remove(0, fresh);
            take(fresh, false);
        }
        if (m > fresh) {
            remove(e - lower_ + 1, m - fresh);
            take(m - fresh, true);
        }
    }

  private:
    CRX_HD void remove(std::int64_t pool, std::int64_t m)
    {
        count_[pool] -= m;
        total_ -= m;
        if (count_[pool] == 0) occupied_.erase(pool);
    }

    std::int64_t lower_, pools_;
    std::int64_t* count_; ///< of the unknown with e = l, then of each length
    LengthSet occupied_;
    std::int64_t total_ = 0;
};

/// The round model for a-min and a-min-evict: everybody is planned with a lower bound e that is
/// learnt by outliving it, and on overflow the least e is cancelled first (docs/model.md#a-min).
///
/// What is known of a request is e, and whether it has outlived it; all others are exchangeable. So
/// those that started in one round with one e move as a count, and those that wait with one e.
/// Where they learn what they reach (Learns), requests that wait with a learnt e have more than e
/// tokens; where they learn what they exceed, at least e, and with e = l that is no news. Cost of a
/// round: the working ends up to that of the last admitted, the cohorts that come and go, and a few
/// draws; n does not enter.
template <Outlived outlived, class Sampler = ClassSampler>
class LearnedLengthsEngine
{
  public:
    CRX_HD LearnedLengthsEngine(Composition const& composition, std::int64_t most_classes,
                                std::int64_t most_cohorts, Learns learns, WordStream const& words,
                                Arena& arena)
        : composition_(composition), exceeds_(learns == Learns::exceeded ? 1 : 0), words_(words),
          sampler_(composition, arena, most_classes),
          ends_(arena, composition.upper, composition.memory),
          waiting_(arena, composition.lower, composition.upper),
          active_(arena, composition.lower, composition.upper, most_cohorts),
          group_(arena.take<CancelGroup>(most_cohorts)),
          sums_(arena.take<std::int64_t>(most_cohorts / OverflowRule::block + 1))
    {
    }

    CRX_HD Outcome execute(ScheduleLog const& log = {})
    {
        advance(log, INT64_MAX);
        return outcome_;
    }

    /// Goes on for so many events at most; whether the instance is done.
    CRX_HD bool advance(ScheduleLog const& log, std::int64_t events)
    {
        if (outcome_.events == 0) clear();
        auto const end = outcome_.events + events;
        auto t = round_;
        for (; done_ < composition_.requests; t = next_event(t)) {
            if (outcome_.events == end) {
                round_ = t;
                return false;
            }
            CRX_ENSURE(t != no_round);
            if (passes_range(t, outcome_.total_latency, composition_.requests - done_)) {
                outcome_.give_up(Unfinished::out_of_range);
                return true;
            }
            ++outcome_.events;
            complete(t);
            ends_.drop_until(t);
            cancel_on_overflow(t);
            admit(t);
            if constexpr (outlived == Outlived::weightless)
                if (cancel_on_overflow(t)) look_again_ = true; // there may be room again
            if (log.on_event != nullptr)
                log.on_event(log.context, t, held_before_, requests_active_, waiting_.total());
            if (log.should_abort(outcome_.events)) return true;
        }
        return true;
    }
    CRX_HD Outcome const& outcome() const { return outcome_; }

  private:
    CRX_HD void clear()
    {
        if (composition_.requests == 0) return;
        waiting_.clear();
        active_.clear();
        ends_.clear();
        waiting_.put(composition_.lower, false, composition_.requests);
    }

    CRX_HD Tokens held_at(Rounds t) const { return base_ + t * requests_active_; }

    CRX_HD void complete(Rounds t)
    {
        held_before_ = held_at(t);
        if (held_before_ > outcome_.peak_memory) outcome_.peak_memory = held_before_;
        for (auto id = active_.first_stopping(t); id >= 0;) {
            auto& cohort = active_[id];
            auto const next = cohort.next_stopping;
            auto const k = cohort.next_class;
            auto const ended = sampler_.draw(k, cohort.count, words_);
            leave(cohort, ended);
            done_ += ended;
            outcome_.total_latency += ended * t;
            if (ended > 0) outcome_.makespan = t;
            if (cohort.count == 0)
                active_.remove(id);
            else
                active_.move_stop(id, cohort.start + composition_.value[k + 1], k + 1);
            id = next;
        }
    }

    CRX_HD void leave(ActiveCohort& cohort, std::int64_t m)
    {
        if (m == 0) return;
        ends_.remove(cohort.start, composition_.prompt, cohort.length, m);
        base_ -= m * (composition_.prompt - cohort.start);
        requests_active_ -= m;
        cohort.count -= m;
    }

    /// Returns whether anybody was cancelled.
    CRX_HD bool cancel_on_overflow(Rounds t)
    {
        auto excess = held_at(t + 1) - composition_.memory;
        if (excess <= 0) return false;
        while (excess > 0) {
            auto const first = active_.first_of_least();
            if (active_[first].next_alike < 0) { // as a rule: nothing is random
                auto const tokens = composition_.prompt + t - active_[first].start + 1;
                auto const all = active_[first].count;
                auto const m = all * tokens <= excess ? all : (excess + tokens - 1) / tokens;
                excess -= m * tokens;
                cancel(t, first, m);
                continue;
            }
            std::int64_t size = 0;
            for (auto id = first; id >= 0; id = active_[id].next_alike) {
                auto const& cohort = active_[id];
                group_[size++] = {id, composition_.prompt + t - cohort.start + 1, cohort.count, 0,
                                  0};
            }
            excess = OverflowDraw(group_, size, sums_, words_).execute(excess);
            for (std::int64_t j = 0; j < size; ++j)
                if (group_[j].cancelled > 0) cancel(t, group_[j].cohort, group_[j].cancelled);
        }
        return true;
    }

    CRX_HD void cancel(Rounds t, std::int32_t id, std::int64_t m)
    {
        auto& cohort = active_[id];
        auto const generated = static_cast<std::int32_t>(t - cohort.start);
        auto const learnt = generated + exceeds_;
        auto const e = cohort.length > learnt ? cohort.length : learnt;
        waiting_.put(e, e > composition_.lower || (exceeds_ == 0 && cohort.next_class > 0), m);
        outcome_.cancellations += m;
        outcome_.wasted_tokens += m * generated;
        leave(cohort, m);
        if (cohort.count == 0) active_.remove(id);
    }
    CRX_HD void admit(Rounds t)
    {
        blocked_ = 0;
        look_again_ = false;
        auto const s = composition_.prompt;
        auto const free =
            composition_.memory - (outlived == Outlived::counted ? held_at(t + 1) : 0);
        EndRing::Room room(ends_, t, s, free / (s + 1));
        while (waiting_.total() > 0) {
            auto const e = waiting_.least_length();
            auto const candidates = waiting_.with_length(e);
            auto const fit = room.most(e);
            auto const m = fit < candidates ? fit : candidates;
            if (m > 0) {
                ends_.add(t, s, e, m);
                room.take(m);
                base_ += m * (s - t);
                requests_active_ += m;
                waiting_.draw(e, m, words_, [&](std::int64_t part, bool known) {
                    std::int32_t k = known ? first_longer_than(e - exceeds_) : 0;
                    active_.add(t, part, e, k, t + composition_.value[k]);
                });
            }
            if (m < candidates) {
                blocked_ = e;
                return;
            }
        }
    }
    CRX_HD std::int32_t first_longer_than(std::int32_t e) const
    {
        std::int64_t low = 0, high = composition_.classes;
        while (low < high) {
            auto const middle = (low + high) / 2;
            if (composition_.value[middle] <= e)
                low = middle + 1;
            else
                high = middle;
        }
        return static_cast<std::int32_t>(low);
    }

    /// Next round in which anything can happen: overflow, room for the first that waits, or a
    /// completion.
    CRX_HD Rounds next_event(Rounds t) const
    {
        if (look_again_ || held_at(t + 2) > composition_.memory) return t + 1;
        auto limit = no_round;
        if (requests_active_ > 0) { // the least t' with base + (t' + 1) active > M
            auto const overflow = (composition_.memory - base_) / requests_active_;
            if (overflow > t) limit = overflow;
        }
        if (blocked_ > 0 && limit > t + 1) {
            // Only a completion or a cancellation makes room for the next token.
            if (outlived == Outlived::weightless || fits_next_token(t + 1)) {
                auto const fit = ends_.first_fit(t + 1, composition_.prompt, blocked_, limit);
                if (fit != no_round && (outlived == Outlived::weightless || fits_next_token(fit)))
                    limit = fit;
            }
        }
        return active_.next_stop(t, limit);
    }
    CRX_HD bool fits_next_token(Rounds t) const
    {
        return held_at(t + 1) + composition_.prompt + 1 <= composition_.memory;
    }

    Composition composition_;
    std::int32_t exceeds_; ///< tokens that a cancelled request has at least beyond those generated
    WordStream words_;
    Sampler sampler_;
    EndRing ends_;
    WaitingPools waiting_;
    ActiveCohorts active_;
    CancelGroup* group_;
    std::int64_t* sums_;
    Outcome outcome_;
    std::int64_t requests_active_ = 0, done_ = 0;
    Tokens base_ = 0; ///< all active requests hold base + t active tokens at time t
    Tokens held_before_ = 0;
    Rounds round_ = 0;         ///< in which advance() goes on
    std::int32_t blocked_ = 0; ///< working length of the first that waits for room; 0: no request
    bool look_again_ = false;  ///< the next round admits again, whatever happens
};

} // namespace crx
