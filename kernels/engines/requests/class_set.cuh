#pragma once

#include "kernels/base/arena.cuh"
#include "kernels/engines/requests/index_set.cuh"

namespace crx {

/// Classes of requests by working length as linked lists, found by hashing, and a heap of the
/// lengths that occur. Insertion and removal take constant time, the least length logarithmic time
/// when a new one has come.
class ClassLists
{
  public:
    /// At most n requests, with indices below n.
    CRX_HD ClassLists(Arena& arena, std::int64_t n)
        : most_(2 * n), mask_(n > 0 ? table_size(n) - 1 : -1), link_(arena.take<Link>(n)),
          list_(arena.take<List>(mask_ + 1)), heap_(arena.take<std::int32_t>(most_))
    {
    }
    CRX_HD void reset()
    {
        for (std::int64_t k = 0; k <= mask_; ++k) list_[k] = {};
        heap_size_ = 0;
    }

    CRX_HD void insert(RequestId id, std::int32_t length)
    {
        auto at = find(length);
        if (list_[at].length == 0) {
            if (heap_size_ == most_) {
                forget_empty();
                at = find(length);
            }
            list_[at] = {length, no_request};
            heap_[heap_size_++] = length;
            rise(heap_size_ - 1);
        }
        auto& list = list_[at];
        link_[id] = {list.first, no_request};
        if (list.first != no_request) link_[list.first].before = id;
        list.first = id;
    }
    CRX_HD void erase(RequestId id, std::int32_t length)
    {
        auto const [next, before] = link_[id];
        if (next != no_request) link_[next].before = before;
        if (before != no_request)
            link_[before].next = next;
        else
            list_[find(length)].first = next;
    }

    /// Least length of a class with members; 0 if there is none.
    CRX_HD std::int32_t least_length()
    {
        while (heap_size_ > 0) {
            if (list_[find(heap_[0])].first != no_request) return heap_[0];
            pop();
        }
        return 0;
    }

    /// Calls take(id) for each of the class with the least length, which leaves. Contract: it is
    /// least_length().
    template <class Take>
    CRX_HD void take_class(std::int32_t length, Take take)
    {
        auto& list = list_[find(length)];
        for (auto id = list.first; id != no_request; id = link_[id].next) take(id);
        list.first = no_request;
        pop();
    }

  private:
    static constexpr RequestId no_request = UINT32_MAX;

    struct Link
    {
        RequestId next, before;
    };
    /// A class at its place in the hash table. Length 0: a free place.
    struct List
    {
        std::int32_t length = 0;
        RequestId first = no_request;
    };

    /// A power of two; the table is never fuller than two thirds.
    CRX_HD static std::int64_t table_size(std::int64_t n)
    {
        std::int64_t size = 4;
        while (size < 3 * n) size *= 2;
        return size;
    }
    /// Multiplicative hashing by the golden ratio (Knuth, TAOCP 3, section 6.4).
    CRX_HD std::int64_t home(std::int32_t length) const
    {
        auto const product = static_cast<std::uint64_t>(length) * 0x9e3779b97f4a7c15;
        return static_cast<std::int64_t>(product >> 32) & mask_;
    }
    /// Place of the length's class, or the free place where it belongs.
    CRX_HD std::int64_t find(std::int32_t length) const
    {
        auto at = home(length);
        while (list_[at].length != length && list_[at].length != 0) at = (at + 1) & mask_;
        return at;
    }
    /// Frees a place, and moves up what would not be found behind it.
    CRX_HD void free_place(std::int64_t hole)
    {
        for (auto at = (hole + 1) & mask_; list_[at].length != 0; at = (at + 1) & mask_) {
            if (((at - home(list_[at].length)) & mask_) < ((at - hole) & mask_)) continue;
            list_[hole] = list_[at];
            hole = at;
        }
        list_[hole] = {};
    }

    CRX_HD void rise(std::int64_t at)
    {
        auto const length = heap_[at];
        for (; at > 0 && length < heap_[(at - 1) / 2]; at = (at - 1) / 2)
            heap_[at] = heap_[(at - 1) / 2];
        heap_[at] = length;
    }
    /// Removes the top of the heap and its class, which has no members.
    CRX_HD void pop()
    {
        free_place(find(heap_[0]));
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
    }
    /// Removes all classes without members: half of them or more, as the rest has one each.
    CRX_HD void forget_empty()
    {
        auto const all = heap_size_;
        heap_size_ = 0;
        for (std::int64_t k = 0; k < all; ++k) {
            auto const length = heap_[k];
            auto const at = find(length);
            if (list_[at].first == no_request) {
                free_place(at);
            } else {
                heap_[heap_size_++] = length;
                rise(heap_size_ - 1);
            }
        }
    }

    std::int64_t most_, mask_;
    Link* link_; ///< a request's neighbours in its list
    List* list_;
    std::int32_t* heap_; ///< lengths in the table, those of classes without members among them
    std::int64_t heap_size_ = 0;
};

/// A class of requests in a bitmap.
struct ClassSlot
{
    CRX_HD ClassSlot(Arena& arena, std::int64_t n) : members(arena, n) {}
    IndexSet members;
    std::int32_t length = 0;            ///< 0: no class
    std::int32_t least_prompt = 0;      ///< of the members, if known
    std::int64_t with_least_prompt = 0; ///< how many have it; 0: not known
};

/// Requests in classes by working length, of which the class with the least is asked for its r-th
/// member in ascending index.
///
/// A few classes lie in bitmaps, the one in front among them; the others in ClassLists. A class
/// moves to a bitmap when it comes to the front; if none is free, the smallest of those in one
/// moves out. So a member is moved rarely and all else takes constant time or nearly so.
class ClassSet
{
  public:
    /// At most n requests, with indices below n.
    CRX_HD ClassSet(Arena& arena, std::int64_t n)
        : lists_(arena, n), slots_(n > 0 ? most_slots : 0), slot_(arena.take<ClassSlot>(slots_))
    {
        for (int k = 0; k < slots_; ++k) {
            ClassSlot const slot(arena, n);
            if (slot_ != nullptr) slot_[k] = slot; // else the arena only counts
        }
    }

    CRX_HD void reset()
    {
        lists_.reset();
        for (int k = 0; k < slots_; ++k) slot_[k].members.clear();
    }

    CRX_HD bool empty() const { return size_ == 0; }
    CRX_HD std::int64_t size() const { return size_; }

    /// Returns the slot of the request's class, null if it has none.
    CRX_HD ClassSlot* insert(RequestId id, std::int32_t length)
    {
        ++size_;
        bool const in_front = front_ >= 0 && length < slot_[front_].length;
        auto const at = slot_of(length);
        if (in_front) front_ = at;
        if (at < 0) {
            lists_.insert(id, length);
            return nullptr;
        }
        slot_[at].members.insert(id);
        return &slot_[at];
    }
    CRX_HD void erase(RequestId id, std::int32_t length)
    {
        --size_;
        auto const at = slot_of(length);
        if (at < 0)
            lists_.erase(id, length);
        else
            slot_[at].members.erase(id);
    }

    /// Makes the class with the least length ready for front(). Contract: not empty().
    CRX_HD void open_front()
    {
        if (front_ >= 0 && slot_[front_].members.size() > 0) return;
        front_ = -1;
        for (int k = 0; k < slots_; ++k)
            if (slot_[k].members.size() > 0 &&
                (front_ < 0 || slot_[k].length < slot_[front_].length))
                front_ = k;
        auto const listed = lists_.least_length();
        if (listed > 0 && (front_ < 0 || listed < slot_[front_].length)) front_ = move_in(listed);
    }
    CRX_HD ClassSlot& front() { return slot_[front_]; }
    CRX_HD ClassSlot const& front() const { return slot_[front_]; }

  private:
    static constexpr int most_slots = 3;

    CRX_HD int slot_of(std::int32_t length) const
    {
        if (front_ >= 0 && slot_[front_].length == length) return front_; // so as a rule
        for (int k = 0; k < slots_; ++k)
            if (slot_[k].length == length) return k;
        return -1;
    }

    /// Gives the class a bitmap and returns its number.
    CRX_HD int move_in(std::int32_t length)
    {
        int at = 0;
        for (int k = 1; k < slots_; ++k)
            if (slot_[k].members.size() < slot_[at].members.size()) at = k;
        auto& slot = slot_[at];
        slot.members.for_each([&](RequestId id) { lists_.insert(id, slot.length); });
        slot.members.empty_out();
        slot.length = length;
        slot.with_least_prompt = 0;
        lists_.take_class(length, [&](RequestId id) { slot.members.insert(id); });
        return at;
    }

    ClassLists lists_;
    int slots_;
    ClassSlot* slot_; ///< in the arena: a GPU's registers cannot be indexed
    std::int64_t size_ = 0;
    int front_ = -1; ///< -1: to be found
};

} // namespace crx
