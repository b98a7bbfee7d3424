#pragma once

#include "kernels/engines/requests/completion_queue.cuh"

namespace crx {

/// Memory that the active requests will hold at each of their working ends, and the look-ahead
/// check of docs/model.md#look-ahead-check upon it.
///
/// A request that started in round p with working length e has its working end at p + e and counts
/// s + t - p at every time t in (p, p + e]. Between two ends the sum grows, so the ends are the
/// only times at which it can first be too large. Requests that passed their end (outlived) are
/// counted apart. Cost of each operation: the number of different ends at worst.
class MemoryProfile
{
  public:
    CRX_HD MemoryProfile(Arena& arena, std::int64_t n, Tokens memory)
        : memory_(memory), capacity_(2 * n + 1), time_(arena.take<Rounds>(capacity_)),
          held_(arena.take<Tokens>(capacity_)), active_(arena.take<std::int64_t>(capacity_)),
          own_(arena.take<std::int64_t>(capacity_))
    {
    }

    /// m requests with prompt s start in round t with working length e.
    CRX_HD void add(Rounds t, Tokens s, Rounds e, std::int64_t m)
    {
        auto const at = place_for(t + e);
        for (auto k = head_; k <= at; ++k) held_[k] += m * (s + time_[k] - t);
        for (auto k = head_; k <= at; ++k) active_[k] += m;
        own_[at] += m;
    }

    /// m requests leave before their working end or at it; those that have outlived it are only
    /// counted.
    CRX_HD void remove(Rounds p, Tokens s, Rounds e, std::int64_t m = 1)
    {
        auto const end = p + e;
        if (end <= dropped_) return;
        auto at = head_;
        while (time_[at] < end) ++at;
        for (auto k = head_; k <= at; ++k) held_[k] -= m * (s + time_[k] - p);
        for (auto k = head_; k <= at; ++k) active_[k] -= m;
        own_[at] -= m;
        if (own_[at] > 0) return;
        for (auto k = at; k > head_; --k) move(k - 1, k);
        ++head_;
    }

    /// Forgets ends at or before t: whoever is still there has outlived its working length.
    CRX_HD void drop_until(Rounds t)
    {
        while (head_ < tail_ && time_[head_] <= t) ++head_;
        dropped_ = t;
    }

    /// Earliest working end that was not dropped; `no_round` if no request has one.
    CRX_HD Rounds next_end() const { return head_ < tail_ ? time_[head_] : no_round; }
    /// Memory held at next_end() by all that have not outlived theirs. Contract: there is one.
    CRX_HD Tokens held_at_next_end() const { return held_[head_]; }

    /// Whether a request (s, e) that starts in round t passes the check. Contract: ends up to t
    /// were dropped.
    CRX_HD bool fits(Rounds t, Tokens s, Rounds e) const
    {
        auto const past = first_after(t + e);
        auto const room = memory_ - s + t;
        bool over = false;
        for (auto k = head_; k < past; ++k) over |= held_[k] + time_[k] > room;
        return !over && fits_at_own_end(past, t, s, e);
    }

    /// Memory held at time t by all that have not outlived theirs. Contract: no end before t.
    CRX_HD Tokens held_until_next_end(Rounds t) const
    {
        if (head_ == tail_) return 0;
        return held_[head_] - active_[head_] * (time_[head_] - t);
    }
    /// How many have not outlived theirs.
    CRX_HD std::int64_t counted() const { return head_ == tail_ ? 0 : active_[head_]; }

    /// First round >= t, before `limit`, in which a request (s, e) passes the check if nothing else
    /// changes; `no_round` if there is none before `limit`.
    CRX_HD Rounds first_fit(Rounds t, Tokens s, Rounds e, Rounds limit) const
    {
        while (t < limit) {
            // Each end up to its own demands a start of its own: when enough room is left then, or
            // at the end itself.
            auto const past = first_after(t + e);
            auto bound = t;
            for (auto k = head_; k < past; ++k) {
                auto const fits_from = held_[k] + time_[k] + s - memory_;
                auto const demand = fits_from < time_[k] ? fits_from : time_[k];
                bound = demand > bound ? demand : bound;
            }
            // It ends among others: the sum grows towards the next end.
            if (!fits_at_own_end(past, t, s, e) && time_[past] + 1 - e > bound)
                bound = time_[past] + 1 - e;
            if (bound == t) return t;
            t = bound;
        }
        return no_round;
    }

    /// Most copies of a request (s, e) that can start in round t together.
    CRX_HD std::int64_t most_copies(Rounds t, Tokens s, Rounds e) const
    {
        auto const past = first_after(t + e);
        Tokens held = 0;
        if (past < tail_) held = held_[past] - active_[past] * (time_[past] - (t + e));
        auto most = (memory_ - held) / (s + e);
        for (auto k = head_; k < past; ++k) { // a division only where it lowers the number
            auto const room = memory_ - held_[k], size = s + time_[k] - t;
            if (room < most * size) most = room / size;
        }
        return most;
    }

  private:
    /// Number of the first end after t.
    CRX_HD std::int64_t first_after(Rounds t) const
    {
        auto past = head_;
        for (auto k = head_; k < tail_; ++k) past += time_[k] <= t ? 1 : 0;
        return past;
    }
    /// Whether (s, e), started in round t, fits at its own end, `past` being the first after it. An
    /// end at the same time counts among those before.
    CRX_HD bool fits_at_own_end(std::int64_t past, Rounds t, Tokens s, Rounds e) const
    {
        if (past == tail_ || (past > head_ && time_[past - 1] == t + e)) return true;
        return held_[past] - active_[past] * (time_[past] - (t + e)) + s + e <= memory_;
    }

    CRX_HD void move(std::int64_t from, std::int64_t to)
    {
        time_[to] = time_[from];
        held_[to] = held_[from];
        active_[to] = active_[from];
        own_[to] = own_[from];
    }

    /// Place of the end `end`, made if it is not there.
    CRX_HD std::int64_t place_for(Rounds end)
    {
        auto at = tail_;
        while (at > head_ && time_[at - 1] >= end) --at;
        if (at < tail_ && time_[at] == end) return at;
        Tokens held = 0;
        std::int64_t active = 0;
        if (at < tail_) {
            active = active_[at];
            held = held_[at] - active * (time_[at] - end);
        }
        if (head_ == tail_) head_ = tail_ = at = 0;
        if (at == tail_ && tail_ < capacity_) { // the usual case: the latest end of all
            ++tail_;
        } else if (head_ > 0) {
            --head_;
            --at;
            for (auto k = head_; k < at; ++k) move(k + 1, k);
        } else {
            for (auto k = tail_; k > at; --k) move(k - 1, k);
            ++tail_;
        }
        time_[at] = end;
        held_[at] = held;
        active_[at] = active;
        own_[at] = 0;
        return at;
    }

    Tokens memory_;
    std::int64_t capacity_;
    // Ends [head_, tail_) by time, ascending.
    Rounds* time_;
    Tokens* held_;         ///< memory that requests ending then or later hold at that time
    std::int64_t* active_; ///< how many they are
    std::int64_t* own_;    ///< how many end exactly then
    std::int64_t head_ = 0, tail_ = 0;
    Rounds dropped_ = -1;
};

} // namespace crx
