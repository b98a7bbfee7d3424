#pragma once

#include "kernels/engines/requests/class_lists.cuh"
#include "kernels/engines/requests/index_set.cuh"

namespace crx {

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
