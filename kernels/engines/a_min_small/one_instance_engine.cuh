#pragma once

#include "kernels/engines/a_min_small/a_min_small.hh"
#include "kernels/engines/a_min_small/active_lanes.cuh"
#include "kernels/engines/a_min_small/limits.cuh"
#include "kernels/policies/traits.cuh"
#include "kernels/simd/warp_lanes.cuh"
#include "kernels/simd/warp_words.cuh"

#include <algorithm>

namespace crx {
namespace {

/// By count, about a tenth of a second of a warp (docs/decisions/130-long-instances-in-slices.md).
inline constexpr std::int64_t most_warp_events = 1 << 16;

/// One run of execute_a_min_small_by_warp.
class AMinOneInstance
{
  public:
    CRX_HD AMinOneInstance(Outlived outlived, Requests const& requests, WarpWords const& words,
                           ScheduleLog const& log, Arena& arena)
        : outlived_(outlived), requests_(requests), log_(log), words_(words),
          memory_(static_cast<std::int32_t>(requests.memory)), active_(memory_),
          waiting_(arena, requests.n)
    {
    }

    /// Nothing past so many events, too: an instance holds its warp to the end.
    CRX_HD std::optional<Outcome> execute(std::int64_t most_events)
    {
        most_events_ = most_events;
        if (requests_.n == 0) return outcome_;
        if (!fits_lanes(requests_)) return {};
        waiting_.fill(requests_.lower, requests_.prompt);
        if (log_.cancellations != nullptr) std::fill_n(log_.cancellations, requests_.n, 0);
        for (std::int32_t t = 0; done_ < requests_.n; t = next_event(t)) {
            if (t >= never || outcome_.events >= most_events_) return {};
            ++outcome_.events;
            complete(t);
            cancel_on_overflow(t);
            t = admit(t);
            if (t == never) return {};
            if (outlived_ == Outlived::weightless)
                if (cancel_on_overflow(t)) next_fit_ = t + 1; // there may be room again
            if (log_.abandons(outcome_.events)) return outcome_;
        }
        return outcome_;
    }

  private:
    static constexpr std::int32_t never = ActiveLanes::never;

    /// All active requests hold base_ + t count tokens at time t.
    CRX_HD std::int32_t held_at(std::int32_t t) const { return base_ + t * active_.count(); }

    CRX_HD bool start(std::int32_t t, std::uint32_t member)
    {
        if (active_.count() == ActiveLanes::most) return false;
        auto const e = waiting_.length();
        auto const id = WaitingQueueByLength::id_of(waiting_.members()[member]);
        waiting_.take(member);
        auto const s = requests_.prompt[id];
        auto const stop = t + requests_.output[id];
        if (stop >= never) return false;
        if (log_.start != nullptr) log_.start[id] = t;
        auto const lane = active_.add(id, t, s, e, stop);
        if (stop < next_stop_.round) next_stop_ = {stop, lane};
        base_ += s - t;
        return true;
    }
    CRX_HD void leave(std::int32_t t, std::int32_t lane)
    {
        base_ -= active_.prompt(lane) - active_.start(lane);
        active_.remove(t, lane);
    }

    CRX_HD void note_peak(std::int32_t t)
    {
        outcome_.peak_memory = std::max<Tokens>(outcome_.peak_memory, held_at(t));
    }

    CRX_HD void complete(std::int32_t t)
    {
        note_peak(t);
        for (; next_stop_.round <= t; next_stop_ = active_.next_stop()) {
            auto const lane = next_stop_.lane;
            outcome_.total_latency += t;
            outcome_.first_token_latency += active_.start(lane) + 1;
            outcome_.makespan = t;
            if (log_.completion != nullptr) log_.completion[active_.id(lane)] = t;
            ++done_;
            leave(t, lane);
        }
    }

    /// Returns whether anybody was cancelled.
    CRX_HD bool cancel_on_overflow(std::int32_t t)
    {
        if (held_at(t + 1) <= memory_) return false;
        while (held_at(t + 1) > memory_) cancel(t, draw_of_least());
        next_stop_ = active_.next_stop();
        return true;
    }
    /// The lane of one of the active requests with the least working length.
    CRX_HD std::int32_t draw_of_least()
    {
        auto const all = active_.of_least_length();
        auto const r = words_.bounded(static_cast<std::uint64_t>(count_bits(all)));
        return active_.member(all, static_cast<std::int32_t>(r));
    }
    CRX_HD void cancel(std::int32_t t, std::int32_t lane)
    {
        auto const generated = t - active_.start(lane);
        auto const e = std::max(active_.length(lane), generated);
        auto const id = active_.id(lane);
        leave(t, lane);
        waiting_.push(id, active_.prompt(lane), e);
        ++outcome_.cancellations;
        outcome_.wasted_tokens += generated;
        if (log_.cancellations != nullptr) ++log_.cancellations[id];
    }

    /// The longest prompt that the next token leaves room for.
    CRX_HD std::int32_t most_prompt_next(std::int32_t t) const
    {
        return outlived_ == Outlived::weightless ? memory_ : memory_ - 1 - held_at(t + 1);
    }

    /// Admits in round t, and in those that follow it as long as only the draw decides: somebody
    /// fits, but not the request that was drawn. Returns the last of them; `never` if there is no
    /// lane left, or these were too many.
    CRX_HD std::int32_t admit(std::int32_t t)
    {
        next_fit_ = never;
        while (!waiting_.empty()) {
            auto const e = waiting_.length(), s = waiting_.least_prompt();
            std::int32_t others = 0; // when anything else happens: looked up if the draw fails
            auto const count = static_cast<std::uint64_t>(waiting_.count());
            for (auto const first = t;; ++t, ++outcome_.events, note_peak(t)) {
                auto const by_next = most_prompt_next(t);
                if (s > by_next) return t; // only a stop or a cancellation can help
                if (outcome_.events >= most_events_) return never;
                auto const by_lanes = active_.most_prompt(t, e);
                if (s > by_lanes) {
                    next_fit_ = next_fit(t, s, e);
                    return t;
                }
                auto const r = static_cast<std::uint32_t>(words_.bounded(count));
                if (WaitingQueueByLength::prompt_of(waiting_.members()[r]) <=
                    std::min(by_next, by_lanes)) {
                    if (!start(t, r)) return never;
                    break;
                }
                if (t == first) others = next_of_active(t);
                if (t + 1 >= others || held_at(t + 1) > memory_) {
                    next_fit_ = t + 1;
                    return t;
                }
            }
        }
        return t;
    }

    CRX_HD bool fits_next_token(std::int32_t t, std::int32_t s) const
    {
        return outlived_ == Outlived::weightless || held_at(t + 1) + s + 1 <= memory_;
    }
    /// First later round in which (s, e) fits if nothing else happens.
    CRX_HD std::int32_t next_fit(std::int32_t t, std::int32_t s, std::int32_t e) const
    {
        if (!fits_next_token(t + 1, s)) return never; // only a stop or a cancellation can help
        auto const fit = active_.first_fit(t + 1, s, e, next_stop_.round);
        return fit < next_stop_.round && fits_next_token(fit, s) ? fit : never;
    }

    /// First later round in which a request completes or memory overflows.
    CRX_HD std::int32_t next_of_active(std::int32_t t) const
    {
        auto next = next_stop_.round;
        if (base_ + std::int64_t{next} * active_.count() > memory_) {
            // Least t' with base + (t' + 1) count > M.
            auto const overflow = (memory_ - base_) / active_.count();
            if (overflow > t) next = std::min(next, overflow);
        }
        return next;
    }
    CRX_HD std::int32_t next_event(std::int32_t t) const
    {
        return std::min(next_fit_, next_of_active(t));
    }

    Outlived outlived_;
    Requests const& requests_;
    ScheduleLog const& log_;
    WarpWords words_;
    std::int32_t memory_;
    ActiveLanes active_;
    WaitingQueueByLength waiting_;
    Outcome outcome_;
    std::int64_t done_ = 0, most_events_ = 0;
    std::int32_t base_ = 0;
    ActiveLanes::Stop next_stop_;
    std::int32_t next_fit_ = never;
};

/// a-min (outlived requests counted) or a-min-evict (weightless) by a warp, for instances in which
/// few requests run at a time: those that run lie in lanes that are all looked at at once, those
/// that wait with the least working length in one array by index. The integers and the words are
/// those of RequestEngine. Nothing where execute_a_min_small says nothing, time reaches 2^24, or
/// there are more events than a warp may be held for.
/// Source: CHEN, Algorithm 2; docs/model.md#a-min.
CRX_HD inline std::optional<Outcome>
execute_a_min_small_by_warp(Outlived outlived, Requests const& requests, std::uint64_t seed,
                            std::uint32_t stream, std::uint64_t instance, ScheduleLog const& log,
                            Arena& arena, std::int64_t most_events = most_warp_events)
{
    if (requests.n > a_min_small_requests || requests.memory > a_min_small_memory ||
        requests.clock.affine() || !all_at_0(requests))
        return {};
    return AMinOneInstance(outlived, requests, WarpWords(seed, stream, instance), log, arena)
        .execute(most_events);
}

} // namespace
} // namespace crx
