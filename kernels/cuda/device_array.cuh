#pragma once

#include "kernels/cuda/current_device.cuh"
#include "kernels/cuda/gpu_times.hh"

#include <span>
#include <utility>
#include <vector>

namespace crx {

/// Bytes of device memory, garbage at first, in the order of the default stream: null for none.
/// Throws std::runtime_error where the GPU has not so many. Contract: use_device() was called.
void* take_device_bytes(std::size_t bytes);

/// Gives them back to the GPU's pool, which keeps them for later (current_device.cuh). Says nothing
/// where that fails: after a fault every call does, and whoever unwinds has the reason already.
void give_back_device_bytes(void* at) noexcept;

/// Copies from device memory, through page-locked memory of the thread: the GPU writes there
/// without the host, whatever the other stream does. Waits for the kernels before.
void copy_to_host(void* to, void const* from, std::size_t bytes);

/// An array in device memory. Garbage at first: to write zeros would take as long as to use it.
template <class T>
class DeviceArray
{
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    DeviceArray() = default;
    explicit DeviceArray(std::size_t size)
        : at_(static_cast<T*>(take_device_bytes(size * sizeof(T)))), size_(size)
    {
    }
    explicit DeviceArray(std::span<T const> values) : DeviceArray(values.size())
    {
        if (size_ == 0) return;
        TimedGpuTask const timed(GpuTask::copies);
        CRX_CUDA_CHECK(cudaMemcpy(at_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    explicit DeviceArray(std::vector<T> const& values) : DeviceArray(std::span<T const>(values)) {}
    ~DeviceArray() { give_back_device_bytes(at_); }
    DeviceArray(DeviceArray&& other) noexcept
        : at_(std::exchange(other.at_, nullptr)), size_(std::exchange(other.size_, 0))
    {
    }
    DeviceArray& operator=(DeviceArray&& other) noexcept
    {
        std::swap(at_, other.at_);
        std::swap(size_, other.size_);
        return *this;
    }

    T* data() { return at_; }
    T const* data() const { return at_; }
    std::size_t size() const { return size_; }

    /// Waits for the kernels before.
    std::vector<T> first(std::size_t count) const
    {
        CRX_EXPECT(count <= size_);
        std::vector<T> values(count);
        copy_to_host(values.data(), at_, count * sizeof(T));
        return values;
    }
    std::vector<T> all() const { return first(size_); }

  private:
    T* at_ = nullptr;
    std::size_t size_ = 0;
};

} // namespace crx
