#pragma once

#include "kernels/engines/iterations/iteration_model.cuh"

namespace crx {

/// Keeps nothing of the iterations.
struct NoIterationLog
{
    CRX_HD void batch(Batch const&, Nanoseconds, Nanoseconds) const {}
};

/// Where a clock stands between two instants.
struct ClockState
{
    IterationTally tally;
    Nanoseconds batch_end = 0;
    bool busy = false;
};

/// Runs a policy of the iteration model on a stream of arrivals.
///
/// At one instant, in this order: the end of a batch, all arrivals up to now, one decision. No
/// decision is made while a batch runs. Source: docs/model.md#iteration-model; AO, Algorithms 1
/// and 2.
template <class Policy, class Arrivals, class Log = NoIterationLog, class Events = NoTypeEvents>
class IterationClock
{
  public:
    /// `capacity`: memory above which an iteration counts as an overflow; 0: none does.
    CRX_HD IterationClock(IterationTime time, PromptType const* types, std::int32_t type_count,
                          Tokens capacity, Policy& policy, Arrivals& arrivals, Log const& log = {},
                          Events const& events = {})
        : time_(time), types_(types), type_count_(type_count), capacity_(capacity), policy_(policy),
          arrivals_(arrivals), log_(log), events_(events)
    {
    }

    /// Goes on to the last instant that is not after `until`. Contract: not before the last call's.
    /// False: the policy ran out of room, and the path must be run again with more.
    CRX_HD bool run_until(Nanoseconds until)
    {
        auto steps = INT64_MAX;
        return run_until(until, steps);
    }
    /// run_until for `steps` instants at most, which it counts down: at 0 it stands somewhere
    /// between and goes on at the next call. Contract: steps >= 1.
    CRX_HD bool run_until(Nanoseconds until, std::int64_t& steps)
    {
        CRX_EXPECT(until >= tally_.until);
        while (policy_.has_room()) {
            auto const now = busy_ ? batch_end_ : arrivals_.time();
            if (now > until) break;
            if (steps == 0) return true;
            --steps;
            if (busy_) end_batch(now);
            admit_until(now);
            begin_batch(now);
        }
        admit_until(until); // they can change nothing before the batch ends
        tally_.until = until;
        return policy_.has_room();
    }
    /// A clock of the same policy and arrivals goes on from there.
    CRX_HD ClockState state() const { return {tally_, batch_end_, busy_}; }
    CRX_HD void go_on_from(ClockState const& state)
    {
        tally_ = state.tally;
        batch_end_ = state.batch_end;
        busy_ = state.busy;
    }
    /// Contract: the arrivals can tell their totals at the instant that was reached last.
    CRX_HD IterationTally tally() const
    {
        auto tally = tally_;
        for (std::int32_t j = 0; j < type_count_; ++j) {
            auto const [count, time] = arrivals_.totals(j, tally.until);
            tally.arrivals += count;
            tally.arrived_tokens += count * types_[j].output;
            tally.arrival_time += time;
        }
        return tally;
    }

  private:
    CRX_HD void admit_until(Nanoseconds now)
    {
        for (; arrivals_.time() <= now && policy_.has_room(); arrivals_.advance()) {
            [[maybe_unused]] auto const slot =
                policy_.arrive(arrivals_.type(), arrivals_.prompts());
            if constexpr (Events::names)
                if (slot >= 0) events_.arrived(slot, arrivals_.type(), arrivals_.time());
        }
    }

    CRX_HD void end_batch(Nanoseconds now)
    {
        busy_ = false;
        events_.at(now);
        BatchEnd const end = policy_.end_batch(events_);
        auto const time = static_cast<Unsigned128>(now);
        tally_.completed += end.completed;
        tally_.completed_tokens += end.completed_tokens;
        tally_.first_tokens += end.first_tokens;
        tally_.completion_time += time * static_cast<Unsigned128>(end.completed);
        tally_.first_token_time += time * static_cast<Unsigned128>(end.first_tokens);
        if constexpr (Events::names) events_.ended();
    }

    CRX_HD void begin_batch(Nanoseconds now)
    {
        if (!policy_.has_room()) return;
        events_.at(now);
        Batch const batch = policy_.begin_batch(events_);
        if (batch.prompts == 0) return;
        if constexpr (Events::names) events_.begun(batch.memory);
        busy_ = true;
        batch_end_ = time_.end(now, batch.tokens);
        ++tally_.iterations;
        tally_.batch_prompts += batch.prompts;
        tally_.cancelled += batch.cancelled;
        tally_.overflows += capacity_ > 0 && batch.memory > capacity_;
        if (batch.memory > tally_.peak_memory) tally_.peak_memory = batch.memory;
        log_.batch(batch, now, batch_end_);
    }

    IterationTime time_;
    PromptType const* types_;
    std::int32_t type_count_;
    Tokens capacity_;
    Policy& policy_;
    Arrivals& arrivals_;
    Log log_;
    Events events_;
    IterationTally tally_;
    Nanoseconds batch_end_ = 0;
    bool busy_ = false;
};

} // namespace crx
