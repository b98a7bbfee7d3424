#pragma once

#include "kernels/engines/requests/class_set.cuh"
#include "kernels/engines/requests/index_set.cuh"

namespace crx {

/// Waiting requests of which the next is drawn uniformly among those with the least working length.
class DrawQueue
{
  public:
    CRX_HD DrawQueue(Arena& arena, std::int64_t n, std::int32_t const* prompt)
        : classes_(arena, n), prompt_(prompt)
    {
    }
    CRX_HD void reset() { classes_.reset(); }

    CRX_HD bool empty() const { return classes_.empty(); }
    CRX_HD std::int64_t size() const { return classes_.size(); }

    CRX_HD void push(RequestId id, std::int32_t length)
    {
        auto* const slot = classes_.insert(id, length);
        if (slot == nullptr || slot->with_least_prompt == 0) return;
        note_prompt(*slot, prompt_[id]);
    }

    /// Makes the class with the least working length ready to be drawn from. Contract: not empty().
    CRX_HD void open_front() { classes_.open_front(); }

    CRX_HD std::int32_t length() const { return classes_.front().length; }
    CRX_HD std::int64_t count() const { return classes_.front().members.size(); }

    /// Least prompt in the class in front: if that does not fit, no request does.
    CRX_HD std::int32_t least_prompt()
    {
        auto& front = classes_.front();
        if (equal_prompts_) return prompt_[0];
        if (front.with_least_prompt == 0) {
            front.least_prompt = INT32_MAX;
            front.members.for_each([&](RequestId id) { note_prompt(front, prompt_[id]); });
        }
        return front.least_prompt;
    }

    /// Member number r of the class in front, in ascending index.
    CRX_HD RequestId peek(std::uint64_t r) { return classes_.front().members.select(r); }
    /// Removes a member of the class in front.
    CRX_HD void take(RequestId id)
    {
        auto& front = classes_.front();
        if (front.with_least_prompt > 0 && prompt_[id] == front.least_prompt)
            --front.with_least_prompt;
        classes_.erase(id, front.length);
    }

    /// Tells the queue that all prompts are the same, which spares it looking for the least.
    CRX_HD void prompts_are_equal() { equal_prompts_ = true; }

  private:
    CRX_HD static void note_prompt(ClassSlot& slot, std::int32_t prompt)
    {
        if (prompt < slot.least_prompt) {
            slot.least_prompt = prompt;
            slot.with_least_prompt = 0;
        }
        if (prompt == slot.least_prompt) ++slot.with_least_prompt;
    }

    ClassSet classes_;
    std::int32_t const* prompt_;
    bool equal_prompts_ = false;
};

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

/// Waiting requests by keys that may change while they wait. Key: ordered by `<`.
template <class Key>
class KeyQueue
{
  public:
    CRX_HD KeyQueue(Arena& arena, std::int64_t n) : line_(arena.take<Place>(n)) {}
    CRX_HD bool empty() const { return size_ == 0; }
    CRX_HD std::int64_t size() const { return size_; }
    CRX_HD void push(RequestId id) { line_[size_++].id = id; }

    /// Puts the least key(id) in front; of equal keys the first arrival, then the least index.
    template <class KeyOf>
    CRX_HD void make_line(KeyOf key, Instant const* arrival)
    {
        for (std::int64_t k = 0; k < size_; ++k) {
            auto const id = line_[k].id;
            line_[k] = {key(id), arrival[id], id};
        }
        for (auto k = size_ / 2; k > 0; --k) sink(k - 1);
    }
    /// Contract: a line was made since the last push().
    CRX_HD RequestId front() const { return line_[0].id; }
    CRX_HD void pop(RequestId)
    {
        line_[0] = line_[--size_];
        if (size_ > 0) sink(0);
    }
    template <class Visit>
    CRX_HD void for_each(Visit visit) const
    {
        for (std::int64_t k = 0; k < size_; ++k) visit(line_[k].id);
    }

  private:
    struct Place
    {
        Key key;
        Instant arrival;
        RequestId id;

        CRX_HD bool operator<(Place const& other) const
        {
            if (key < other.key) return true;
            if (other.key < key) return false;
            return arrival != other.arrival ? arrival < other.arrival : id < other.id;
        }
    };

    CRX_HD void sink(std::int64_t at)
    {
        auto const moved = line_[at];
        for (;;) {
            auto child = 2 * at + 1;
            if (child >= size_) break;
            if (child + 1 < size_ && line_[child + 1] < line_[child]) ++child;
            if (!(line_[child] < moved)) break;
            line_[at] = line_[child];
            at = child;
        }
        line_[at] = moved;
    }

    Place* line_;
    std::int64_t size_ = 0;
};

/// The queue of a policy whose keys do not change.
struct NoKeyQueue
{
    CRX_HD NoKeyQueue(Arena&, std::int64_t) {}
    CRX_HD std::int64_t size() const { return 0; }
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
