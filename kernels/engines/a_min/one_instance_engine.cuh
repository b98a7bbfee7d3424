#pragma once

#include "kernels/base/integers.cuh"
#include "kernels/base/warp_lanes.cuh"
#include "kernels/base/warp_moves.cuh"
#include "kernels/engines/a_min/a_min_small.hh"
#include "kernels/engines/a_min/waiting_queue.cuh"
#include "kernels/policies/traits.cuh"
#include "kernels/random/warp_words.cuh"

#include <algorithm>

namespace crx {
namespace {

/// Writes one number of an array of vectors of a warp. Such arrays are registers, which cannot be
/// indexed by what is not known when it is compiled.
template <int vectors>
CRX_HD void put_in_lanes(Lanes* values, int lane, std::int32_t value)
{
    for (int b = 0; b < vectors; ++b)
        values[b] = choose(equal(Lanes::numbers(), Lanes::all(lane - b * Lanes::count)),
                           Lanes::all(value), values[b]);
}

/// A number of each of `most` slots that is asked for one at a time.
template <int most>
class SlotRow
{
  public:
    CRX_HD std::int32_t operator[](int slot) const
    {
        // Of every vector, and then one is taken: a vector taken first would be read by its
        // address.
        auto found = number_at(of_[0], slot % Lanes::count);
        for (int b = 1; b < most / Lanes::count; ++b) {
            auto const here = number_at(of_[b], slot % Lanes::count);
            found = slot / Lanes::count == b ? here : found;
        }
        return found;
    }
    CRX_HD void put(int slot, std::int32_t value)
    {
        put_in_lanes<most / Lanes::count>(of_, slot, value);
    }

  private:
    Lanes of_[most / Lanes::count];
};

/// For a warp: at most 64 active requests and the look-ahead check of
/// docs/model.md#look-ahead-check upon them. Each has a lane of its own, and what is asked of them
/// is asked of all at once, a vector a step, without a branch on what they are. Rounds are below
/// 2^24, working lengths below 2^23, memory is at most 2^28.
///
/// Of each working end E to come it is kept what those hold at time E that end then or later, and
/// how many they are, as in MemoryProfile. Of a time T between ends that sum is the largest, over
/// all later ends E, of what is kept of E less (E - T) a head: the next end has the most heads.
class ActiveLanes
{
  public:
    static constexpr std::int32_t most = 64;
    static constexpr std::int32_t never = 1 << 24;

    CRX_HD explicit ActiveLanes(std::int32_t memory) : memory_(memory)
    {
        for (int b = 0; b < blocks; ++b) {
            end_[b] = held_[b] = heads_[b] = index_[b] = Lanes::zero();
            stop_[b] = Lanes::all(last_key);
            length_[b] = Lanes::all(INT32_MAX);
        }
    }

    CRX_HD std::int32_t count() const { return count_; }
    CRX_HD RequestId id(std::int32_t lane) const { return static_cast<RequestId>(id_[lane]); }
    CRX_HD std::int32_t start(std::int32_t lane) const { return start_[lane]; }
    CRX_HD std::int32_t length(std::int32_t lane) const { return length_of_[lane]; }
    CRX_HD std::int32_t prompt(std::int32_t lane) const { return prompt_[lane]; }

    /// Starts a request with prompt s and working length e in round t, which completes at `stop`;
    /// returns its lane. Contract: count() < most.
    CRX_HD std::int32_t add(RequestId id, std::int32_t t, std::int32_t s, std::int32_t e,
                            std::int32_t stop)
    {
        auto const end = t + e;
        auto held = Lanes::zero(), heads = Lanes::zero();
        auto const own_end = Lanes::all(end);
        for (int b = 0; b < blocks; ++b) {
            auto const over = end_[b] - own_end;
            auto const later = at_least(over, Lanes::zero());
            held = larger(held, or_zero(later, held_[b] - heads_[b] * over));
            heads = larger(heads, or_zero(later, heads_[b]));
        }
        change(t, end, s - t, 1);
        auto const lane = lowest_bit(free_);
        free_ &= free_ - 1;
        ++count_;
        last_end_ = last_end_ > end ? last_end_ : end;
        put(end_, lane, end);
        put(held_, lane, greatest_of(held) + s + e);
        put(heads_, lane, greatest_of(heads) + 1);
        put(stop_, lane, stop * most + lane);
        put(length_, lane, e);
        put(index_, lane, static_cast<std::int32_t>(id));
        length_of_.put(lane, e);
        start_.put(lane, t);
        prompt_.put(lane, s);
        id_.put(lane, static_cast<std::int32_t>(id));
        return lane;
    }

    /// Takes one away at time t.
    CRX_HD void remove(std::int32_t t, std::int32_t lane)
    {
        auto const start = start_[lane], end = start + length_of_[lane];
        if (end > t) change(t, end, prompt_[lane] - start, -1);
        free_ |= std::uint64_t{1} << lane;
        --count_;
        put(end_, lane, 0);
        put(stop_, lane, last_key);
        put(length_, lane, INT32_MAX);
    }

    /// Who completes next, and when.
    struct Stop
    {
        std::int32_t round = never, lane = 0;
    };
    CRX_HD Stop next_stop() const
    {
        auto const key = least(stop_);
        return {key / most, key % most};
    }

    /// Those with the least working length, a bit each. Contract: count() > 0.
    CRX_HD std::uint64_t of_least_length() const
    {
        auto const length = least(length_);
        std::uint64_t set = 0;
        for (int b = 0; b < blocks; ++b)
            set |= std::uint64_t{bits_of(equal(length_[b], Lanes::all(length)))} << b * lanes;
        return set;
    }
    /// The lane of member number r of such a set by index.
    CRX_HD std::int32_t member(std::uint64_t set, std::int32_t r) const
    {
        if ((set & (set - 1)) == 0) return lowest_bit(set);
        Lanes below[blocks] = {};
        for (auto rest = set; rest != 0; rest &= rest - 1) {
            auto const index = Lanes::all(id_[lowest_bit(rest)]);
            for (int b = 0; b < blocks; ++b)
                below[b] = count_where(more(index_[b], index), below[b]);
        }
        for (int b = 0; b < blocks; ++b) {
            auto const found =
                static_cast<unsigned>(set >> b * lanes) & bits_of(equal(below[b], Lanes::all(r)));
            if (found != 0) return b * lanes + lowest_bit(found);
        }
        contract_violated("a member of the set", __FILE__, __LINE__);
    }

    /// The longest prompt of a request that passes the check in round t with working length e, the
    /// next token of those that have outlived theirs left out.
    CRX_HD std::int32_t most_prompt(std::int32_t t, std::int32_t e) const
    {
        if (last_end_ <= t) return memory_ - e;
        auto const own = Lanes::all(e), zero = Lanes::zero();
        auto most_held = own;
        for (int b = 0; b < blocks; ++b) {
            auto const left = end_[b] - Lanes::all(t), after = left - own; // its own end
            auto const held = held_[b] + choose(more(after, zero), own - heads_[b] * after, left);
            most_held = larger(most_held, or_zero(more(left, zero), held));
        }
        return memory_ - greatest_of(most_held);
    }

    /// First round >= t, before `limit`, in which a request (s, e) passes that check if nothing
    /// else changes; `limit` if there is none. Contract: limit is at most the next stop.
    CRX_HD std::int32_t first_fit(std::int32_t t, std::int32_t s, std::int32_t e,
                                  std::int32_t limit) const
    {
        while (t < limit) {
            auto bounds = Lanes::all(t);
            for (int b = 0; b < blocks; ++b)
                bounds =
                    larger(bounds, start_bounds(end_[b], held_[b], heads_[b], t, s, e, memory_));
            auto const bound = greatest_of(bounds);
            if (bound == t) return t;
            t = bound;
        }
        return limit;
    }

  private:
    static constexpr int lanes = Lanes::count;
    static constexpr int blocks = most / lanes; ///< vectors; all are looked through, so that
                                                ///< they stay in registers
    static constexpr std::int32_t last_key = never * most;

    CRX_HD std::int32_t least(Lanes const* values) const
    {
        auto found = Lanes::zero() - values[0];
        for (int b = 1; b < blocks; ++b) found = larger(found, Lanes::zero() - values[b]);
        return -greatest_of(found);
    }
    /// `sign` requests that hold time + shift at any time up to `end` come or go at time t.
    CRX_HD void change(std::int32_t t, std::int32_t end, std::int32_t shift, std::int32_t sign)
    {
        auto const first = Lanes::all(t), last = Lanes::all(end), more_held = Lanes::all(shift),
                   by = Lanes::all(sign);
        for (int b = 0; b < blocks; ++b) {
            auto const own = end_[b];
            auto const one = or_zero(at_most(more(own, first), own, last), by);
            held_[b] = held_[b] + one * (own + more_held);
            heads_[b] = heads_[b] + one;
        }
    }
    /// Writes one lane as a vector: it is read as one next.
    CRX_HD static void put(Lanes* values, int lane, std::int32_t value)
    {
        put_in_lanes<blocks>(values, lane, value);
    }

    std::int32_t memory_, count_ = 0, last_end_ = 0;
    std::uint64_t free_ = ~std::uint64_t{0}; ///< lanes, a bit each
    Lanes end_[blocks];                      ///< working end; 0: no request
    Lanes held_[blocks];   ///< at that time, as above; means nothing once it is past
    Lanes heads_[blocks];  ///< by how many
    Lanes stop_[blocks];   ///< completion and lane
    Lanes length_[blocks]; ///< working length e
    Lanes index_[blocks];  ///< the request's
    SlotRow<most> length_of_, start_, prompt_, id_;
};

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
            if (log_.should_abort(outcome_.events)) return outcome_;
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
