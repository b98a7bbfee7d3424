#pragma once

#include "kernels/base/arena.cuh"

namespace crx {

inline constexpr Rounds no_round = INT64_MAX;

/// Memory that the active requests will hold at each of their working ends, and the look-ahead
/// check of SPEC section 3 upon it.
///
/// A request that started in round p with working length e has its working end at p + e and counts
/// s + t - p at every time t in (p, p + e]. Between two ends the sum grows, so the ends are the
/// only times at which it can first be too large. Requests that passed their end (outlived) are
/// counted apart. Cost of each operation: the number of different ends at worst.
class MemoryProfile
{
  public:
    CRX_HD MemoryProfile(Arena& arena, std::int64_t n, Tokens memory)
        : memory_(memory), capacity_(2 * n + 1), ends_(arena.take<End>(capacity_))
    {
    }

    /// m requests with prompt s start in round t with working length e.
    CRX_HD void add(Rounds t, Tokens s, Rounds e, std::int64_t m)
    {
        auto const end = t + e;
        auto const at = place_for(end);
        for (auto k = head_; k <= at; ++k) {
            ends_[k].held += m * (s + ends_[k].time - t);
            ends_[k].active += m;
        }
        ends_[at].own += m;
        ends_[at].own_base += m * (s - t);
    }

    /// m requests leave before their working end or at it; those that have outlived it are only
    /// counted.
    CRX_HD void remove(Rounds p, Tokens s, Rounds e, std::int64_t m = 1)
    {
        auto const end = p + e;
        if (end <= dropped_) return;
        auto at = head_;
        for (;; ++at) {
            ends_[at].held -= m * (s + ends_[at].time - p);
            ends_[at].active -= m;
            if (ends_[at].time == end) break;
        }
        ends_[at].own_base -= m * (s - p);
        ends_[at].own -= m;
        if (ends_[at].own > 0) return;
        for (auto k = at; k > head_; --k) ends_[k] = ends_[k - 1];
        ++head_;
    }

    /// Forgets ends at or before t: whoever is still there has outlived its working length.
    CRX_HD void drop_until(Rounds t)
    {
        while (head_ < tail_ && ends_[head_].time <= t) ++head_;
        dropped_ = t;
    }

    /// Earliest working end that was not dropped; `no_round` if nobody has one.
    CRX_HD Rounds next_end() const { return head_ < tail_ ? ends_[head_].time : no_round; }
    /// Memory held at next_end() by all who have not outlived theirs. Contract: there is one.
    CRX_HD Tokens held_at_next_end() const { return ends_[head_].held; }

    /// Memory held at time t by all who have not outlived theirs. Contract: no end before t.
    CRX_HD Tokens held_until_next_end(Rounds t) const
    {
        if (head_ == tail_) return 0;
        return ends_[head_].held - ends_[head_].active * (ends_[head_].time - t);
    }
    /// How many have not outlived theirs.
    CRX_HD std::int64_t counted() const { return head_ == tail_ ? 0 : ends_[head_].active; }

    /// First round >= t, before `limit`, in which a request (s, e) passes the check if nothing else
    /// changes; `no_round` if there is none before `limit`.
    CRX_HD Rounds first_fit(Rounds t, Tokens s, Rounds e, Rounds limit) const
    {
        auto own = head_; // first end at or after the candidate's own
        for (auto k = head_;;) {
            if (t >= limit) return no_round;
            while (own < tail_ && ends_[own].time < t + e) ++own;
            if (own < tail_) { // it ends among others: the sum grows towards the next end
                auto const& next = ends_[own];
                auto const held = next.held - next.active * (next.time - (t + e));
                if (held + s + e > memory_) {
                    t = next.time + 1 - e;
                    continue;
                }
            }
            for (; k < tail_ && ends_[k].time <= t + e; ++k) {
                if (ends_[k].time <= t) continue;
                auto const fits_from = ends_[k].held + s + ends_[k].time - memory_;
                if (fits_from <= t) continue;
                t = fits_from < ends_[k].time ? fits_from : ends_[k].time;
                break; // later start: look at its own end and the ends it now reaches
            }
            if (k >= tail_ || ends_[k].time > t + e) {
                if (own >= tail_ || ends_[own].time >= t + e) return t >= limit ? no_round : t;
            }
        }
    }

    /// Most copies of a request (s, e) that can start in round t together.
    CRX_HD std::int64_t most_copies(Rounds t, Tokens s, Rounds e) const
    {
        auto past = head_; // first end after the candidates' own
        while (past < tail_ && ends_[past].time <= t + e) ++past;
        Tokens held = 0;
        if (past < tail_)
            held = ends_[past].held - ends_[past].active * (ends_[past].time - (t + e));
        auto most = (memory_ - held) / (s + e);
        for (auto k = head_; k < past; ++k) { // a division only where it lowers the number
            auto const room = memory_ - ends_[k].held, size = s + ends_[k].time - t;
            if (room < most * size) most = room / size;
        }
        return most;
    }

  private:
    struct End
    {
        Rounds time;         ///< a working end
        Tokens held;         ///< memory that requests ending then or later hold at that time
        std::int64_t active; ///< how many they are
        std::int64_t own;    ///< how many end exactly then
        std::int64_t own_base;
    };

    /// Place of the end `end`, made if it is not there.
    CRX_HD std::int64_t place_for(Rounds end)
    {
        auto at = tail_;
        while (at > head_ && ends_[at - 1].time >= end) --at;
        if (at < tail_ && ends_[at].time == end) return at;
        End fresh{end, 0, 0, 0, 0};
        if (at < tail_) {
            fresh.active = ends_[at].active;
            fresh.held = ends_[at].held - fresh.active * (ends_[at].time - end);
        }
        if (head_ == tail_) head_ = tail_ = at = 0;
        if (at == tail_ && tail_ < capacity_) { // the usual case: the latest end of all
            ++tail_;
        } else if (head_ > 0) {
            --head_;
            --at;
            for (auto k = head_; k < at; ++k) ends_[k] = ends_[k + 1];
        } else {
            for (auto k = tail_; k > at; --k) ends_[k] = ends_[k - 1];
            ++tail_;
        }
        ends_[at] = fresh;
        return at;
    }

    Tokens memory_;
    std::int64_t capacity_;
    End* ends_; ///< [head_, tail_) by time, ascending
    std::int64_t head_ = 0, tail_ = 0;
    Rounds dropped_ = -1;
};

} // namespace crx
