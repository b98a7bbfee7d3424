#pragma once

#include "kernels/engine/index_set.cuh"

namespace crx {

/// Sorts a few items in place; for the short lists of one event.
template <class T>
CRX_HD void insertion_sort(T* items, std::int64_t n)
{
    for (std::int64_t i = 1; i < n; ++i) {
        T const item = items[i];
        auto at = i;
        for (; at > 0 && item < items[at - 1]; --at) items[at] = items[at - 1];
        items[at] = item;
    }
}

/// Waiting requests of which the next is drawn uniformly among those with the least working length.
///
/// One class (a working length) is resident in an IndexSet, the large one as a rule; all others lie
/// in a binary heap by (working length, index). The class in front is the resident one or, if a
/// lower one has come, a short list taken from the heap.
class DrawQueue
{
  public:
    CRX_HD DrawQueue(Arena& arena, std::int64_t n, std::int32_t const* prompt)
        : resident_(arena, n), heap_(arena.take<std::uint64_t>(n)),
          front_(arena.take<RequestId>(n)), prompt_(prompt)
    {
    }
    CRX_HD void reset() { resident_.clear(); }

    CRX_HD bool empty() const { return resident_.size() + heap_size_ + front_size_ == 0; }
    CRX_HD std::int64_t size() const { return resident_.size() + heap_size_ + front_size_; }

    CRX_HD void push(RequestId id, std::int32_t length)
    {
        give_front_back();
        if (resident_.size() == 0) resident_length_ = length;
        if (length == resident_length_)
            insert_resident(id);
        else
            push_heap(std::uint64_t{static_cast<std::uint32_t>(length)} << 32 | id);
    }

    /// Makes the class with the least working length ready to be drawn from. Contract: not empty().
    CRX_HD void open_front()
    {
        if (front_size_ > 0) return;
        if (resident_.size() == 0) {
            resident_length_ = length_of(heap_[0]);
            least_prompt_ = -1;
        }
        if (heap_size_ == 0 || length_of(heap_[0]) > resident_length_) return;
        if (length_of(heap_[0]) == resident_length_) {
            while (heap_size_ > 0 && length_of(heap_[0]) == resident_length_)
                insert_resident(static_cast<RequestId>(pop_heap()));
            return;
        }
        front_length_ = length_of(heap_[0]);
        while (heap_size_ > 0 && length_of(heap_[0]) == front_length_)
            front_[front_size_++] = static_cast<RequestId>(pop_heap());
    }

    CRX_HD std::int32_t length() const
    {
        return front_size_ > 0 ? front_length_ : resident_length_;
    }
    CRX_HD std::int64_t count() const { return front_size_ > 0 ? front_size_ : resident_.size(); }

    /// Least prompt in the class in front: if that does not fit, nobody does.
    CRX_HD std::int32_t least_prompt()
    {
        if (front_size_ > 0) {
            auto least = prompt_[front_[0]];
            for (std::int64_t i = 1; i < front_size_; ++i)
                if (prompt_[front_[i]] < least) least = prompt_[front_[i]];
            return least;
        }
        if (least_prompt_ < 0) {
            auto least = INT32_MAX;
            resident_.for_each(
                [&](RequestId id) { least = prompt_[id] < least ? prompt_[id] : least; });
            least_prompt_ = least;
        }
        return least_prompt_;
    }

    /// Member number r of the class in front, in ascending index.
    CRX_HD RequestId peek(std::uint64_t r)
    {
        return front_size_ > 0 ? front_[r] : resident_.select(r);
    }
    /// Removes the member that peek(r) gave.
    CRX_HD void take(std::uint64_t r, RequestId id)
    {
        if (front_size_ > 0) {
            --front_size_;
            for (auto i = static_cast<std::int64_t>(r); i < front_size_; ++i)
                front_[i] = front_[i + 1];
            return;
        }
        resident_.erase(id);
        if (prompt_[id] == least_prompt_ && !equal_prompts_) least_prompt_ = -1;
    }

    /// Tells the queue that all prompts are the same, which spares it looking for the least.
    CRX_HD void prompts_are_equal() { equal_prompts_ = true; }

  private:
    CRX_HD static std::int32_t length_of(std::uint64_t key)
    {
        return static_cast<std::int32_t>(key >> 32);
    }

    CRX_HD void insert_resident(RequestId id)
    {
        if (resident_.size() == 0)
            least_prompt_ = prompt_[id];
        else if (least_prompt_ >= 0 && prompt_[id] < least_prompt_)
            least_prompt_ = prompt_[id];
        resident_.insert(id);
    }
    CRX_HD void give_front_back()
    {
        while (front_size_ > 0)
            push_heap(std::uint64_t{static_cast<std::uint32_t>(front_length_)} << 32 |
                      front_[--front_size_]);
    }
    CRX_HD void push_heap(std::uint64_t key)
    {
        auto at = heap_size_++;
        for (; at > 0 && key < heap_[(at - 1) / 2]; at = (at - 1) / 2)
            heap_[at] = heap_[(at - 1) / 2];
        heap_[at] = key;
    }
    CRX_HD std::uint64_t pop_heap()
    {
        auto const top = heap_[0];
        auto const last = heap_[--heap_size_];
        std::int64_t at = 0;
        for (;;) {
            auto child = 2 * at + 1;
            if (child >= heap_size_) break;
            if (child + 1 < heap_size_ && heap_[child + 1] < heap_[child]) ++child;
            if (heap_[child] >= last) break;
            heap_[at] = heap_[child];
            at = child;
        }
        heap_[at] = last;
        return top;
    }

    IndexSet resident_;
    std::uint64_t* heap_; ///< (working length, index) of the other classes
    RequestId* front_;    ///< class below the resident one, ascending
    std::int32_t const* prompt_;
    std::int64_t heap_size_ = 0, front_size_ = 0;
    std::int32_t resident_length_ = 0, front_length_ = 0;
    std::int32_t least_prompt_ = -1; ///< of the resident class; -1: not known
    bool equal_prompts_ = false;
};

} // namespace crx
