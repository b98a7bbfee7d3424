#include "kernels/cuda/device_array.cuh"

#include "kernels/base/seconds_since.hh"
#include "kernels/cuda/current_device.cuh"
#include "kernels/cuda/gpu_times.hh"

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
    TimedCardTask const timed(CardTask::allocation);
    auto* const pool = current_card().pool;
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
    TimedCardTask const timed(CardTask::allocation);
    if (current_card().pool != nullptr)
        cudaFreeAsync(at, nullptr);
    else
        cudaFree(at);
}

namespace {

bool measuring = false;
CardTimes times;
CardTask running = CardTask::other;
std::chrono::steady_clock::time_point since;

/// Charges the time since the last change to the task that ran, and goes on with `task`. A fault of
/// the GPU is found by whoever asks next.
void change_to(CardTask task)
{
    cudaDeviceSynchronize();
    times.seconds[static_cast<int>(running)] += seconds_since(since);
    since = std::chrono::steady_clock::now();
    running = task;
}

} // namespace

void measure_card_times(bool on)
{
    measuring = on;
    if (!on) return;
    times = {};
    running = CardTask::other;
    since = std::chrono::steady_clock::now();
}

CardTimes card_times()
{
    if (measuring) change_to(running);
    return times;
}

TimedCardTask::TimedCardTask(CardTask task) : before_(running)
{
    if (measuring) change_to(task);
}
TimedCardTask::~TimedCardTask()
{
    if (measuring) change_to(before_);
}

bool measures_card_times() { return measuring; }
void count_lost(std::int64_t run, std::int64_t lost)
{
    times.run += run;
    times.lost += lost;
}

} // namespace crx
