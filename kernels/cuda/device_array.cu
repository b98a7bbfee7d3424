#include "kernels/cuda/device_array.cuh"

#include "kernels/base/seconds_since.hh"
#include "kernels/cuda/gpu_times.hh"

#include <algorithm>
#include <cstring>
#include <cuda_runtime.h>

namespace crx {
namespace {

cudaError_t take(void** at, std::size_t bytes, cudaMemPool_t pool)
{
    return pool != nullptr ? cudaMallocAsync(at, bytes, nullptr) : cudaMalloc(at, bytes);
}

} // namespace

void* take_device_bytes(std::size_t bytes)
{
    if (bytes == 0) return nullptr;
    TimedGpuTask const timed(GpuTask::allocation);
    auto* const pool = current_device().pool;
    void* at = nullptr;
    auto status = take(&at, bytes, pool);
    if (status == cudaErrorMemoryAllocation && pool != nullptr) {
        // The pool keeps pieces of other sizes.
        cudaGetLastError();
        CRX_CUDA_CHECK(cudaDeviceSynchronize());
        CRX_CUDA_CHECK(cudaMemPoolTrimTo(pool, 0));
        status = take(&at, bytes, pool);
    }
    if (status == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        throw std::runtime_error("the GPU has no memory for an array of " + std::to_string(bytes) +
                                 " bytes");
    }
    CRX_CUDA_CHECK(status);
    return at;
}

void give_back_device_bytes(void* at) noexcept
{
    if (at == nullptr) return;
    TimedGpuTask const timed(GpuTask::allocation);
    try {
        if (!thread_has_device()) use_device();
    } catch (std::exception const&) {
        return; // the GPU is gone, and its memory with it
    }
    if (current_device().pool != nullptr)
        cudaFreeAsync(at, nullptr);
    else
        cudaFree(at);
}

namespace {

class PinnedPiece
{
  public:
    static constexpr std::size_t bytes = std::size_t{1} << 20;

    PinnedPiece() { CRX_CUDA_CHECK(cudaMallocHost(&at_, bytes)); }
    ~PinnedPiece() { cudaFreeHost(at_); }
    PinnedPiece(PinnedPiece const&) = delete;
    PinnedPiece& operator=(PinnedPiece const&) = delete;

    void* data() const { return at_; }

  private:
    void* at_ = nullptr;
};

} // namespace

void copy_to_host(void* to, void const* from, std::size_t bytes)
{
    if (bytes == 0) return;
    TimedGpuTask const timed(GpuTask::copies);
    thread_local PinnedPiece const piece;
    for (std::size_t done = 0; done < bytes; done += PinnedPiece::bytes) {
        auto const size = std::min(PinnedPiece::bytes, bytes - done);
        CRX_CUDA_CHECK(cudaMemcpy(piece.data(), static_cast<char const*>(from) + done, size,
                                  cudaMemcpyDeviceToHost));
        std::memcpy(static_cast<char*>(to) + done, piece.data(), size);
    }
}

namespace {

bool measuring = false;
GpuTimes times;
GpuTask running = GpuTask::other;
std::chrono::steady_clock::time_point since;

/// Charges the time since the last change to the task that ran, and goes on with `task`. A fault of
/// the GPU is found by whoever asks next.
void change_to(GpuTask task)
{
    cudaDeviceSynchronize();
    times.seconds[static_cast<int>(running)] += seconds_since(since);
    since = std::chrono::steady_clock::now();
    running = task;
}

} // namespace

void measure_gpu_times(bool on)
{
    measuring = on;
    if (!on) return;
    times = {};
    running = GpuTask::other;
    since = std::chrono::steady_clock::now();
}

GpuTimes gpu_times()
{
    if (measuring) change_to(running);
    return times;
}

TimedGpuTask::TimedGpuTask(GpuTask task) : before_(running)
{
    if (measuring) change_to(task);
}
TimedGpuTask::~TimedGpuTask()
{
    if (measuring) change_to(before_);
}

bool measures_gpu_times() { return measuring; }
void count_lost(std::int64_t run, std::int64_t lost)
{
    times.run += run;
    times.lost += lost;
}

} // namespace crx
