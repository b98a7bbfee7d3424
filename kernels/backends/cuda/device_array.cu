#include "kernels/backends/cuda/device_array.cuh"

#include "kernels/backends/cuda/card_times.hh"
#include "kernels/backends/cuda/current_card.cuh"

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

} // namespace crx
