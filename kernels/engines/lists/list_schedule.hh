#pragma once

#include "kernels/base/arena.cuh"
#include "kernels/base/processor.hh"
#include "kernels/model/requests.cuh"

#include <cstddef>

namespace crx {

/// Whether working ends come in ascending order, as they do if outputs do.
enum class Ends
{
    ascending,
    any
};

/// Earliest-feasible list scheduling: requests that are all there at 0 start in a given order, each
/// in the first round, not before its predecessor's, in which it passes the check of
/// docs/model.md#look-ahead-check with its true length. This is what the prefix rule does if
/// lengths are known, no request is cancelled and no request arrives later: the head of the order
/// then waits for nothing but time, so rounds need not be stepped.
///
/// Requests that run are known by their completion times alone. At the completion time E the later
/// ones hold H in all; a request (s, o) that starts in round t before E adds s + E - t, so it has
/// to start at H + E + s - M or later, or at E, whichever is less. Number: an integer that holds
/// memory plus the last completion.
template <class Number, Ends ends>
class ListSchedule
{
  public:
    CRX_HD ListSchedule(Arena& arena, std::int64_t n)
        : end_(arena.take<Number>(n + padding)), load_(arena.take<Number>(n + padding)),
          active_(arena.take<Number>(ends == Ends::any ? n + padding : 0))
    {
    }

    /// Starts the requests in the order given; writes starts where log.start is not null.
    CRX_HD Outcome execute(Requests const& r, RequestId const* order, Rounds* starts)
    {
        Outcome outcome;
        auto const memory = static_cast<Number>(r.memory);
        Number t = 0, last_start = -1;
        std::int64_t total = 0;
        for (std::int64_t k = 0; k < r.n; ++k) {
            auto const id = order[k];
            auto const s = static_cast<Number>(r.prompt[id]);
            auto const o = static_cast<Number>(r.output[id]);
            t = earliest(t, s, o, memory);
            if (t != last_start) {
                drop_until(t, outcome);
                // A start at a completion time is in a round that is counted already.
                if (head_ == 0 || end_[head_ - 1] != t) ++outcome.events;
                last_start = t;
            }
            add(t, s, o);
            total += std::int64_t{t} + o;
            if constexpr (!always_in_range)
                if (total >= time_limit) { // it was below, and so is a completion
                    outcome.give_up(Unfinished::out_of_range);
                    return outcome;
                }
            if (starts != nullptr) starts[id] = t;
        }
        if (r.n > 0) drop_until(end_[tail_ - 1], outcome);
        outcome.events += tail_;
        outcome.total_latency = total;
        outcome.makespan = r.n > 0 ? end_[tail_ - 1] : 0;
        return outcome;
    }

  private:
    static constexpr std::int64_t padding = 16;
    /// With 32 bits n and the last completion are at most the sum of outputs, below 2^31, and TEL
    /// is at most their product.
    static constexpr bool always_in_range = sizeof(Number) <= 4;

    CRX_HD static Number larger(Number a, Number b) { return a > b ? a : b; }
    CRX_HD static Number smaller(Number a, Number b) { return a < b ? a : b; }

    /// First round from t on in which (s, o) fits.
    CRX_HD Number earliest(Number t, Number s, Number o, Number memory) const
    {
        auto const excess = s - memory;
        auto head = head_;
        for (;;) {
            while (head < tail_ && end_[head] <= t) ++head;
            auto past = tail_; // first end after the candidate's own
            if constexpr (ends == Ends::any)
                while (past > head && end_[past - 1] > t + o) --past;
            // Each end demands a start of its own, whatever t is.
            auto bound = t;
            for (auto k = head; k < past; ++k)
                bound = larger(bound, smaller(end_[k], load_[k] + excess));
            if (ends == Ends::ascending) return bound;
            // It ends among others: what they hold grows towards the next end.
            if (past < tail_ && (past == head || end_[past - 1] != t + o)) {
                auto const held = held_before(past, t + o);
                if (held + s + o > memory) bound = larger(bound, end_[past] + 1 - o);
            }
            if (bound == t) return t;
            t = bound;
        }
    }

    /// Held at time t, before end number k and after the one before it.
    CRX_HD Number held_before(std::int64_t k, Number t) const
    {
        return load_[k] - end_[k] - active_[k] * (end_[k] - t);
    }

    /// Forgets ends at or before t; what was held at each can be seen now.
    CRX_HD void drop_until(Number t, Outcome& outcome)
    {
        for (; head_ < tail_ && end_[head_] <= t; ++head_) {
            auto const held = load_[head_] - end_[head_];
            if (held > outcome.peak_memory) outcome.peak_memory = held;
        }
    }

    CRX_HD void add(Number t, Number s, Number o)
    {
        auto const end = t + o, base = s - t;
        auto past = tail_;
        if constexpr (ends == Ends::any)
            while (past > head_ && end_[past - 1] > end) --past;
        bool const there = past > head_ && end_[past - 1] == end;
        Number load = end, active = 0; // of those that end later
        if (ends == Ends::any && !there && past < tail_) {
            load += held_before(past, end);
            active = active_[past];
        }
        for (auto k = head_; k < past; ++k) load_[k] += end_[k] + base;
        if constexpr (ends == Ends::any)
            for (auto k = head_; k < past; ++k) ++active_[k];
        if (there) return;
        if constexpr (ends == Ends::any)
            for (auto k = tail_; k > past; --k) {
                end_[k] = end_[k - 1];
                load_[k] = load_[k - 1];
                active_[k] = active_[k - 1];
            }
        end_[past] = end;
        load_[past] = load + s + o;
        if constexpr (ends == Ends::any) active_[past] = active + 1;
        ++tail_;
    }

    // Ends [head_, tail_) are to come, by time; those before head_ are past.
    Number* end_;
    Number* load_;   ///< what is held at that time by those that end then or later, plus the time
    Number* active_; ///< how many they are
    std::int64_t head_ = 0, tail_ = 0;
};

/// Bytes of arena that schedule_list takes for n requests.
std::size_t list_schedule_bytes(std::int64_t n);

/// ListSchedule on the CPU, with the narrowest integers that hold the instance and the machine's
/// vector instructions. Contract: all arrive at 0 and fit alone (s + o <= M).
Outcome schedule_list(Requests const& requests, RequestId const* order, Rounds* starts,
                      Arena& arena);

/// ListSchedule in 32 bits.
CRX_FOR_EACH_LEVEL(Outcome schedule_list_narrow(Requests const& r, RequestId const* order,
                                                Rounds* starts, Arena& arena);
                   /// Outputs ascend along `order`.
                   Outcome schedule_list_ascending(Requests const& r, RequestId const* order,
                                                   Rounds* starts, Arena& arena);)

} // namespace crx
