#pragma once

#include "kernels/base/arena.cuh"
#include "kernels/engines/requests/stop_wheel.cuh"

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
/// docs/model.md#look-ahead-check upon them, for policies that keep nobody past the working end.
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

    /// Forgets the cohorts of which nobody is active.
    CRX_HD void drop_empty()
    {
        while (head_ < tail_ && cohort_[head_].count == 0) ++head_;
        auto kept = head_;
        while (kept < tail_ && cohort_[kept].count != 0) ++kept;
        for (auto k = kept; k < tail_; ++k)
            if (cohort_[k].count != 0) cohort_[kept++] = cohort_[k];
        tail_ = kept;
    }

    /// Most requests of working length e that can start in round t together. Contract: nobody's end
    /// is t or before.
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

} // namespace crx
