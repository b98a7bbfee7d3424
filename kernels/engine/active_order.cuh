#pragma once

#include "kernels/base/arena.cuh"

namespace crx {

/// Active requests by (working length, index), for cancelling the least first: a sorted array.
class ActiveOrder
{
  public:
    CRX_HD ActiveOrder(Arena& arena, std::int64_t n) : keys_(arena.take<std::uint64_t>(n)) {}

    CRX_HD void insert(std::int32_t length, RequestId id)
    {
        auto const key = key_of(length, id);
        auto const at = lower_bound(key);
        for (auto k = size_; k > at; --k) keys_[k] = keys_[k - 1];
        keys_[at] = key;
        ++size_;
    }
    CRX_HD void erase(std::int32_t length, RequestId id)
    {
        auto const at = lower_bound(key_of(length, id));
        --size_;
        for (auto k = at; k < size_; ++k) keys_[k] = keys_[k + 1];
    }
    /// How many have the least working length. Contract: not empty.
    CRX_HD std::int64_t least_count() const { return lower_bound(((keys_[0] >> 32) + 1) << 32); }
    CRX_HD RequestId at(std::uint64_t r) const { return static_cast<RequestId>(keys_[r]); }

  private:
    CRX_HD static std::uint64_t key_of(std::int32_t length, RequestId id)
    {
        return std::uint64_t{static_cast<std::uint32_t>(length)} << 32 | id;
    }
    CRX_HD std::int64_t lower_bound(std::uint64_t key) const
    {
        std::int64_t low = 0, high = size_;
        while (low < high) {
            auto const middle = (low + high) / 2;
            if (keys_[middle] < key)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }

    std::uint64_t* keys_;
    std::int64_t size_ = 0;
};

} // namespace crx
