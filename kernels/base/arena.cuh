#pragma once

#include "kernels/base/host_device.cuh"

namespace crx {

/// Hands out arrays from one block of memory, so that an engine allocates nothing while it runs and
/// the same code works from a heap block on the host and a slice of device memory.
///
/// With a null block it only counts: bytes_used() then says how large a block is needed.
class Arena
{
  public:
    CRX_HD Arena(void* block, std::size_t bytes) : block_(static_cast<char*>(block)), bytes_(bytes)
    {
    }

    /// Uninitialised array of n; every array starts at a multiple of 16 bytes.
    template <class T>
    CRX_HD T* take(std::int64_t n)
    {
        auto const at = used_;
        used_ += (static_cast<std::size_t>(n) * sizeof(T) + 15) / 16 * 16;
        if (block_ == nullptr) return nullptr;
        CRX_EXPECT(used_ <= bytes_);
        return reinterpret_cast<T*>(block_ + at);
    }
    CRX_HD std::size_t bytes_used() const { return used_; }

  private:
    char* block_;
    std::size_t bytes_, used_ = 0;
};

/// Bytes of arena that what `take(arena)` builds needs. Nothing of it may be used.
template <class Take>
std::size_t arena_bytes_of(Take take)
{
    Arena counter(nullptr, 0);
    take(counter);
    return counter.bytes_used();
}

} // namespace crx
