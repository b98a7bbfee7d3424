#pragma once

#include "kernels/base/arena.cuh"

namespace crx {

/// Active requests by the round in which they stop of themselves: a binary heap that knows where
/// each request lies, so a cancelled one leaves at once.
class StopHeap
{
  public:
    CRX_HD StopHeap(Arena& arena, std::int64_t n)
        : heap_(arena.take<Entry>(n)), place_(arena.take<std::int32_t>(n))
    {
    }

    CRX_HD bool empty() const { return size_ == 0; }
    CRX_HD Rounds next_stop() const { return heap_[0].stop; }
    CRX_HD RequestId top() const { return heap_[0].id; }
    CRX_HD void push(RequestId id, Rounds stop) { rise(size_++, {stop, id}); }
    CRX_HD void pop() { erase(heap_[0].id); }

    CRX_HD void erase(RequestId id)
    {
        auto const hole = place_[id];
        auto const last = heap_[--size_];
        if (last.id == id) return;
        if (hole > 0 && last.stop < heap_[(hole - 1) / 2].stop)
            rise(hole, last);
        else
            sink(hole, last);
    }

  private:
    struct Entry
    {
        Rounds stop;
        RequestId id;
    };

    CRX_HD void put(std::int32_t at, Entry const& entry)
    {
        heap_[at] = entry;
        place_[entry.id] = at;
    }
    CRX_HD void rise(std::int32_t at, Entry const& entry)
    {
        for (; at > 0 && entry.stop < heap_[(at - 1) / 2].stop; at = (at - 1) / 2)
            put(at, heap_[(at - 1) / 2]);
        put(at, entry);
    }
    CRX_HD void sink(std::int32_t at, Entry const& entry)
    {
        for (;;) {
            auto child = 2 * at + 1;
            if (child >= size_) break;
            if (child + 1 < size_ && heap_[child + 1].stop < heap_[child].stop) ++child;
            if (!(heap_[child].stop < entry.stop)) break;
            put(at, heap_[child]);
            at = child;
        }
        put(at, entry);
    }

    Entry* heap_;
    std::int32_t* place_; ///< of each active request in the heap
    std::int32_t size_ = 0;
};

} // namespace crx
