#pragma once

#include "kernels/base/arena.cuh"
#include "kernels/engines/cohorts/class_sampler.cuh"
#include "kernels/engines/requests/completion_queue.cuh"
#include "kernels/model/clock.cuh"
#include "kernels/model/requests.cuh"
#include "kernels/policies/traits.cuh"

namespace crx {

/// Requests that started in one round with one working length, of which `count` are active.
struct WorkingCohort
{
    Rounds start;
    Rounds end; ///< start plus the working length
    std::int64_t count;
    Rounds stop;             ///< the next round in which some of them can end
    std::int32_t tried;      ///< number of the working length
    std::int32_t next_class; ///< the shortest class they can be of
};

/// Active cohorts in order of their working ends, and the look-ahead check of
/// docs/model.md#look-ahead-check upon them, for policies that keep no request past the working
/// end.
///
/// Memory held grows between two ends, so the ends are the only times at which it can first be too
/// large. What is held at an end by the cohorts that end then or later is a sum from the last
/// cohort down to it: one pass finds all of them, and nothing has to be kept up to date when a
/// cohort shrinks. Cost of each question: the number of cohorts.
class WorkingCohorts
{
  public:
    /// At most `most` cohorts at a time. Contract: memory M below 2^52.
    CRX_HD WorkingCohorts(Arena& arena, std::int64_t most, Tokens prompt, Tokens memory)
        : prompt_(prompt), memory_(memory), capacity_(2 * most + 1),
          cohort_(arena.take<WorkingCohort>(capacity_))
    {
    }

    CRX_HD WorkingCohort* begin() { return cohort_ + head_; }
    CRX_HD WorkingCohort* end() { return cohort_ + tail_; }

    CRX_HD void insert(WorkingCohort const& cohort)
    {
        if (head_ == tail_) {
            head_ = tail_ = 0;
        } else if (tail_ == capacity_) {
            for (auto k = head_; k < tail_; ++k) cohort_[k - head_] = cohort_[k];
            tail_ -= head_;
            head_ = 0;
        }
        auto at = tail_++;
        for (; at > head_ && cohort_[at - 1].end > cohort.end; --at) cohort_[at] = cohort_[at - 1];
        cohort_[at] = cohort;
    }

    /// Forgets the cohorts of which no request is active.
    CRX_HD void drop_empty()
    {
        while (head_ < tail_ && cohort_[head_].count == 0) ++head_;
        auto kept = head_;
        while (kept < tail_ && cohort_[kept].count != 0) ++kept;
        for (auto k = kept; k < tail_; ++k)
            if (cohort_[k].count != 0) cohort_[kept++] = cohort_[k];
        tail_ = kept;
    }

    /// Most requests of working length e that can start in round t together. Contract: no request's
    /// end is t or before.
    CRX_HD std::int64_t most_copies(Rounds t, Rounds e) const
    {
        Sum sum;
        auto k = tail_;
        for (; k > head_ && cohort_[k - 1].end > t + e; --k) sum.add(cohort_[k - 1], prompt_);
        // The floor of a quotient of doubles is exact here: a/b below an integer q lies below it by
        // 1/b at least, more than half the distance of doubles at q, as a < 2^52.
        auto least = quotient(memory_ - sum.held_at(t + e), prompt_ + e);
        for (; k > head_; --k) {
            auto const& cohort = cohort_[k - 1];
            sum.add(cohort, prompt_);
            auto const most = quotient(memory_ - sum.held_at(cohort.end), prompt_ + cohort.end - t);
            least = most < least ? most : least;
        }
        return static_cast<std::int64_t>(least);
    }

    /// First round >= t, before `limit`, in which a request of working length e passes the check if
    /// nothing else changes; `no_round` if there is none before `limit`.
    CRX_HD Rounds first_fit(Rounds t, Rounds e, Rounds limit) const
    {
        while (t < limit) {
            Sum sum;
            auto bound = t;
            auto k = tail_;
            for (; k > head_ && cohort_[k - 1].end > t + e; --k) sum.add(cohort_[k - 1], prompt_);
            // It ends among others: the sum grows towards the next end.
            if (k < tail_ && sum.held_at(t + e) + prompt_ + e > memory_)
                bound = cohort_[k].end + 1 - e;
            // Each end up to its own demands a start of its own: when enough room is left then, or
            // at the end itself.
            for (; k > head_; --k) {
                auto const end = cohort_[k - 1].end;
                sum.add(cohort_[k - 1], prompt_);
                auto const fits_from = sum.held_at(end) + end + prompt_ - memory_;
                auto const demand = fits_from < end ? fits_from : end;
                bound = demand > bound ? demand : bound;
            }
            if (bound == t) return t;
            t = bound;
        }
        return no_round;
    }

  private:
    /// Of some requests: how many, and s minus the start of all together.
    struct Sum
    {
        std::int64_t active = 0;
        Tokens base = 0;

        CRX_HD void add(WorkingCohort const& cohort, Tokens prompt)
        {
            active += cohort.count;
            base += cohort.count * (prompt - cohort.start);
        }
        CRX_HD Tokens held_at(Rounds t) const { return base + active * t; }
    };

    CRX_HD static double quotient(Tokens room, Tokens size)
    {
        return static_cast<double>(room) / static_cast<double>(size);
    }

    Tokens prompt_, memory_;
    std::int64_t capacity_;
    WorkingCohort* cohort_; ///< [head_, tail_) by end, ascending
    std::int64_t head_ = 0, tail_ = 0;
};

/// Working lengths a policy that does not know lengths tries in turn, ascending to u: {u} for
/// a-max, {l, u} for a-ell, the ladder cut to [l, u] for a-ladder. Who is not done at one of them
/// is cancelled and waits with the next; a shorter one goes first. (In a-ell's queue
/// the cancelled stand behind all that were not tried yet, so the order is the same.)
struct WorkingLengths
{
    static constexpr int most = LadderLevels::most + 1;
    std::int32_t count = 0;
    std::int32_t length[most] = {};
};

/// The working lengths of a policy value with first_length and next_length.
template <class P>
CRX_HD WorkingLengths working_lengths(P const& policy, std::int32_t lower, std::int32_t upper)
{
    RequestView const view{0, 0, 0, lower, upper};
    WorkingLengths lengths;
    auto e = policy.first_length(view);
    for (lengths.length[lengths.count++] = e; e < upper; lengths.length[lengths.count++] = e)
        e = policy.next_length(view, e, e);
    return lengths;
}

/// The round model for a-max, a-ell and a-ladder. A cohort is the requests that started in one
/// round with one working length and are still active; all waiting requests of one working length
/// are alike, as all have outlived the one before and nothing more is known of them.
///
/// Cost of a round in which something happens: the number of cohorts, at most one for each working
/// length and each of the last u rounds, and a draw for each cohort and class that can end then.
template <class Sampler = ClassSampler>
class HiddenLengthsEngine
{
  public:
    CRX_HD HiddenLengthsEngine(WorkingLengths const& lengths, Composition const& composition,
                               std::int64_t most_classes, std::int64_t ends,
                               WordStream const& words, Arena& arena)
        : lengths_(lengths), composition_(composition), words_(words),
          sampler_(composition, arena, most_classes),
          cohorts_(arena, ends * lengths.count, composition.prompt, composition.memory)
    {
        waiting_[0] = composition.requests;
    }

    CRX_HD Outcome execute(ScheduleLog const& log = {})
    {
        advance(log, INT64_MAX);
        return outcome_;
    }

    /// Goes on for so many events at most; whether the instance is done.
    CRX_HD bool advance(ScheduleLog const& log, std::int64_t events)
    {
        auto const end = outcome_.events + events;
        for (auto t = next_; done_ < composition_.requests; t = next_) {
            if (outcome_.events == end) return false;
            if (passes_range(t, outcome_.total_latency, composition_.requests - done_)) {
                outcome_.give_up(Unfinished::out_of_range);
                return true;
            }
            ++outcome_.events;
            stop(t);
            admit(t);
            if (log.on_event != nullptr)
                log.on_event(log.context, t, held_before_, active_,
                             composition_.requests - done_ - active_);
            if (log.should_abort(outcome_.events)) return true;
            CRX_ENSURE(next_ != no_round || done_ == composition_.requests);
        }
        return true;
    }
    CRX_HD Outcome const& outcome() const { return outcome_; }

  private:
    /// First time at which some can complete or all are cancelled.
    CRX_HD Rounds stop_of(WorkingCohort const& c) const
    {
        auto const completion = c.start + composition_.value[c.next_class];
        return completion < c.end ? completion : c.end;
    }

    /// Completions and cancellations at time t; leaves the next time at which there can be any.
    CRX_HD void stop(Rounds t)
    {
        held_before_ = base_ + t * active_;
        if (held_before_ > outcome_.peak_memory) outcome_.peak_memory = held_before_;
        next_stop_ = no_round;
        bool emptied = false;
        for (auto& cohort : cohorts_) {
            if (cohort.stop <= t) {
                end_some(t, cohort);
                emptied |= cohort.count == 0;
                cohort.stop = cohort.count == 0 ? no_round : stop_of(cohort);
            }
            next_stop_ = cohort.stop < next_stop_ ? cohort.stop : next_stop_;
        }
        if (emptied) cohorts_.drop_empty();
    }

    CRX_HD void end_some(Rounds t, WorkingCohort& cohort)
    {
        if (cohort.start + composition_.value[cohort.next_class] == t) {
            auto const ended = sampler_.draw(cohort.next_class, cohort.count, words_);
            leave(cohort, ended);
            done_ += ended;
            outcome_.total_latency += ended * t;
            if (ended > 0) outcome_.makespan = t;
            ++cohort.next_class;
        }
        if (cohort.end > t || cohort.count == 0) return;
        waiting_[cohort.tried + 1] += cohort.count;
        outcome_.cancellations += cohort.count;
        outcome_.wasted_tokens += cohort.count * lengths_.length[cohort.tried];
        leave(cohort, cohort.count);
    }

    CRX_HD void leave(WorkingCohort& cohort, std::int64_t m)
    {
        base_ -= m * (composition_.prompt - cohort.start);
        active_ -= m;
        cohort.count -= m;
    }

    CRX_HD void admit(Rounds t)
    {
        next_ = no_round;
        std::int32_t next_class = 0; // the first that outlives the working length before
        for (std::int32_t k = 0; k < lengths_.count; ++k) {
            start_most(t, k, next_class);
            if (waiting_[k] > 0) break;
            while (next_class < composition_.classes &&
                   composition_.value[next_class] <= lengths_.length[k])
                ++next_class;
        }
        if (next_stop_ < next_) next_ = next_stop_;
    }

    /// Starts as many as fit of those that wait with the k-th working length; if some wait on,
    /// looks for the round that has room.
    CRX_HD void start_most(Rounds t, std::int32_t k, std::int32_t next_class)
    {
        auto& waiting = waiting_[k];
        if (waiting == 0) return;
        auto const e = lengths_.length[k];
        auto const room = cohorts_.most_copies(t, e);
        auto const m = room < waiting ? room : waiting;
        if (m > 0) {
            WorkingCohort cohort{t, t + e, m, 0, k, next_class};
            cohort.stop = stop_of(cohort);
            cohorts_.insert(cohort);
            base_ += m * (composition_.prompt - t);
            active_ += m;
            waiting -= m;
            if (cohort.stop < next_stop_) next_stop_ = cohort.stop;
        }
        if (waiting > 0) next_ = cohorts_.first_fit(t + 1, e, next_stop_);
    }

    WorkingLengths lengths_;
    Composition composition_;
    WordStream words_;
    Sampler sampler_;
    WorkingCohorts cohorts_;
    Outcome outcome_;
    std::int64_t waiting_[WorkingLengths::most] = {}; ///< with each working length
    std::int64_t active_ = 0, done_ = 0;
    Tokens base_ = 0; ///< all active requests hold base + t active tokens at time t
    Tokens held_before_ = 0;
    Rounds next_ = 0; ///< the next event
    Rounds next_stop_ = no_round;
};

} // namespace crx
