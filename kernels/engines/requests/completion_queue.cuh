#pragma once

#include "kernels/base/arena.cuh"
#include "kernels/base/integers.cuh"

namespace crx {

inline constexpr Rounds no_round = INT64_MAX;

/// Active requests by the round in which they stop of themselves: a ring with a list for each of
/// the rounds that come next, and one list for all later ones. Insertion and removal take constant
/// time; the next stop is found by a bitmap of the rounds that have any.
class CompletionQueue
{
  public:
    CRX_HD CompletionQueue(Arena& arena, std::int64_t n)
        : ring_(ring_size(n)), far_(static_cast<std::uint32_t>(n + ring_)),
          node_(arena.take<Node>(n + ring_ + 1)), any_(arena.take<std::uint64_t>(ring_ / 64)),
          first_list_(static_cast<std::uint32_t>(n))
    {
    }
    CRX_HD void reset()
    {
        for (auto list = first_list_; list <= far_; ++list) node_[list] = {0, list, list};
        for (std::int64_t w = 0; w < ring_ / 64; ++w) any_[w] = 0;
    }

    CRX_HD bool empty() const { return size_ == 0; }
    /// Contract: not empty.
    CRX_HD Rounds next_stop()
    {
        if (next_stop_ == no_round) find_next_stop();
        return next_stop_;
    }
    /// Contract: stop is later than all that were taken.
    CRX_HD void push(RequestId id, Rounds stop)
    {
        ++size_;
        node_[id].stop = stop;
        if (next_stop_ != no_round && stop < next_stop_) next_stop_ = stop;
        if (size_ == 1) next_stop_ = stop;
        if (stop < now_ + ring_) {
            place(id);
        } else {
            link(id, far_);
            if (stop < next_far_) next_far_ = stop;
        }
    }
    CRX_HD void erase(RequestId id)
    {
        --size_;
        unlink(id);
        if (node_[id].stop == next_stop_) next_stop_ = no_round; // perhaps another stops then
    }
    /// Takes one that stops in round next_stop().
    CRX_HD RequestId pop()
    {
        auto const t = next_stop();
        if (t >= now_ + ring_ || next_far_ <= t) bring_near(t);
        now_ = t;
        auto const id = node_[list_of(t)].next;
        erase(id);
        return id;
    }

  private:
    /// In a circular list.
    struct Node
    {
        Rounds stop;
        std::uint32_t next, before;
    };

    CRX_HD static std::int64_t ring_size(std::int64_t n)
    {
        std::int64_t size = 64;
        while (size < 2 * n) size *= 2;
        return size;
    }
    CRX_HD std::int64_t place_of(Rounds t) const { return t & (ring_ - 1); }
    CRX_HD std::uint32_t list_of(Rounds t) const
    {
        return first_list_ + static_cast<std::uint32_t>(place_of(t));
    }

    CRX_HD void link(RequestId id, std::uint32_t list)
    {
        auto const next = node_[list].next;
        node_[id].next = next;
        node_[id].before = list;
        node_[next].before = id;
        node_[list].next = id;
    }
    CRX_HD void unlink(RequestId id)
    {
        auto const next = node_[id].next, before = node_[id].before;
        node_[before].next = next;
        node_[next].before = before;
        if (next != before || next < first_list_ || next == far_) return;
        auto const at = next - first_list_;
        any_[at / 64] &= ~(std::uint64_t{1} << (at % 64));
    }
    CRX_HD void place(RequestId id)
    {
        auto const at = place_of(node_[id].stop);
        any_[at / 64] |= std::uint64_t{1} << (at % 64);
        link(id, list_of(node_[id].stop));
    }

    CRX_HD void find_next_stop()
    {
        next_stop_ = first_in_ring();
        if (next_far_ >= next_stop_) return;
        bring_near(now_); // requests that were to stop then may have left
        next_stop_ = first_in_ring();
        if (next_far_ < next_stop_) next_stop_ = next_far_;
    }
    /// Stops in the ring lie in [now_, now_ + ring_), one round to a place.
    CRX_HD Rounds first_in_ring() const
    {
        auto const first = place_of(now_), words = ring_ / 64;
        auto w = first / 64;
        auto bits = any_[w] & (~std::uint64_t{0} << (first % 64));
        for (std::int64_t looked = 0; looked <= words; ++looked) {
            if (bits != 0) return now_ + ((w * 64 + lowest_bit(bits) - first) & (ring_ - 1));
            w = w + 1 == words ? 0 : w + 1;
            bits = any_[w];
        }
        return no_round;
    }

    /// Moves what stops before t + ring_ into the ring. Contract: nothing stops before t.
    CRX_HD void bring_near(Rounds t)
    {
        now_ = t;
        next_far_ = no_round;
        for (auto id = node_[far_].next; id != far_;) {
            auto const stop = node_[id].stop;
            auto const next = node_[id].next;
            if (stop < t + ring_) {
                unlink(id);
                place(id);
            } else if (stop < next_far_) {
                next_far_ = stop;
            }
            id = next;
        }
    }

    std::int64_t ring_;
    std::uint32_t far_;  ///< number of the list of later stops
    Node* node_;         ///< requests; from n on the lists themselves
    std::uint64_t* any_; ///< which places of the ring have somebody
    std::uint32_t first_list_;
    std::int64_t size_ = 0;
    Rounds now_ = 0;
    Rounds next_stop_ = no_round; ///< no_round: not known
    Rounds next_far_ = no_round;  ///< no request in the far list stops before
};

} // namespace crx
