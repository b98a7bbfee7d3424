#pragma once

#include "kernels/engines/requests/index_set.cuh"

namespace crx {

/// Waiting requests by a rank that was fixed at the start: the lowest rank is in front.
class RankQueue
{
  public:
    /// order[k] is the request of rank k; rank[i] the inverse.
    CRX_HD RankQueue(Arena& arena, std::int64_t n, RequestId const* order,
                     std::uint32_t const* rank)
        : waiting_(arena, n), order_(order), rank_(rank)
    {
    }
    CRX_HD void reset() { waiting_.clear(); }
    CRX_HD bool empty() const { return waiting_.size() == 0; }
    CRX_HD std::int64_t size() const { return waiting_.size(); }
    CRX_HD void push(RequestId id) { waiting_.insert(rank_[id]); }
    CRX_HD RequestId front() { return order_[waiting_.select(0)]; }
    CRX_HD void pop(RequestId id) { waiting_.erase(rank_[id]); }

  private:
    IndexSet waiting_;
    RequestId const* order_;
    std::uint32_t const* rank_;
};

/// First come, first served: a ring of at most n requests.
class TicketQueue
{
  public:
    CRX_HD TicketQueue(Arena& arena, std::int64_t n)
        : ring_(arena.take<RequestId>(n)), ticket_(arena.take<std::uint32_t>(n)), n_(n)
    {
    }
    CRX_HD bool empty() const { return size_ == 0; }
    CRX_HD std::int64_t size() const { return size_; }
    CRX_HD void push(RequestId id)
    {
        auto const at = head_ + size_++;
        ring_[at < n_ ? at : at - n_] = id;
        ticket_[id] = next_ticket_++;
    }
    CRX_HD RequestId front() { return ring_[head_]; }
    CRX_HD void pop(RequestId)
    {
        if (++head_ == n_) head_ = 0;
        --size_;
    }
    /// Number of the request's latest entry: it says which was in the queue first.
    CRX_HD std::uint32_t ticket(RequestId id) const { return ticket_[id]; }

  private:
    RequestId* ring_;
    std::uint32_t* ticket_;
    std::int64_t n_, head_ = 0, size_ = 0;
    std::uint32_t next_ticket_ = 0;
};

} // namespace crx
