#include "emulated_card/shim/cuda_runtime.h"

#include <algorithm>

namespace {

cudaError_t last_error = cudaSuccess;

cudaError_t say(cudaError_t error)
{
    if (error != cudaSuccess) last_error = error;
    return error;
}

} // namespace

void emulated::set_last_error(cudaError_t error) { say(error); }

cudaError_t emulated::active_blocks(int* blocks, int threads, std::size_t shared)
{
    constexpr std::size_t shared_a_processor = 96 * 1024;
    constexpr int threads_a_processor = 512;
    auto const by_shared =
        shared == 0 ? card().blocks_a_processor : static_cast<int>(shared_a_processor / shared);
    *blocks = std::min({card().blocks_a_processor, by_shared, threads_a_processor / threads});
    return cudaSuccess;
}

cudaError_t cudaGetLastError() { return std::exchange(last_error, cudaSuccess); }
char const* cudaGetErrorString(cudaError_t error)
{
    switch (error) {
    case cudaSuccess: return "no error";
    case cudaErrorInvalidValue: return "invalid argument";
    case cudaErrorMemoryAllocation: return "out of memory";
    case cudaErrorInvalidConfiguration: return "invalid configuration argument";
    case cudaErrorNoDevice: return "no CUDA-capable device is detected";
    }
    return "unrecognized error code";
}

cudaError_t cudaGetDeviceCount(int* count)
{
    *count = emulated::card().present ? 1 : 0;
    return say(emulated::card().present ? cudaSuccess : cudaErrorNoDevice);
}
cudaError_t cudaGetDevice(int* device)
{
    *device = 0;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device)
{
    if (device != 0) return say(cudaErrorInvalidValue);
    std::strcpy(properties->name, "emulated card");
    return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device)
{
    if (device != 0) return say(cudaErrorInvalidValue);
    *value = attribute == cudaDevAttrMultiProcessorCount ? emulated::card().processors
                                                         : static_cast<int>(emulated::card().pools);
    return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() { return last_error; }

cudaError_t cudaMalloc(void** at, std::size_t bytes)
{
    *at = nullptr;
    if (bytes == 0) return cudaSuccess;
    *at = emulated::allocate(bytes);
    return say(*at != nullptr ? cudaSuccess : cudaErrorMemoryAllocation);
}
cudaError_t cudaFree(void* at)
{
    emulated::release(at);
    return cudaSuccess;
}
cudaError_t cudaMallocAsync(void** at, std::size_t bytes, cudaStream_t)
{
    if (!emulated::card().pools) emulated::fail("this card has no memory pools");
    return cudaMalloc(at, bytes);
}
cudaError_t cudaFreeAsync(void* at, cudaStream_t)
{
    if (!emulated::card().pools) emulated::fail("this card has no memory pools");
    return cudaFree(at);
}
cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* all_bytes)
{
    *all_bytes = emulated::card().bytes;
    *free_bytes = *all_bytes - std::min(*all_bytes, emulated::bytes_in_use());
    return cudaSuccess;
}
cudaError_t cudaMemcpy(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind)
{
    if (bytes == 0) return cudaSuccess;
    if (kind == cudaMemcpyDeviceToDevice) emulated::fail("copies on the card are not modelled");
    auto const fits = [&](void const* at, bool here) {
        return here ? emulated::on_card(at, bytes) : !emulated::near_card(at, bytes);
    };
    if (!fits(to, kind != cudaMemcpyDeviceToHost) || !fits(from, kind != cudaMemcpyHostToDevice))
        return say(cudaErrorInvalidValue);
    emulated::OpenMemory const open(kind == cudaMemcpyDeviceToHost ? from : to);
    std::memcpy(to, from, bytes);
    return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* at, int value, std::size_t bytes, cudaStream_t)
{
    if (bytes == 0) return cudaSuccess;
    if (!emulated::on_card(at, bytes)) return say(cudaErrorInvalidValue);
    emulated::OpenMemory const open(at);
    std::memset(at, value, bytes);
    return cudaSuccess;
}

struct CUevent_st
{
    bool recorded = false;
};
cudaError_t cudaEventCreate(cudaEvent_t* event)
{
    *event = new CUevent_st;
    return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    delete event;
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t)
{
    event->recorded = true;
    return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to)
{
    if (!from->recorded || !to->recorded) return say(cudaErrorInvalidValue);
    *milliseconds = 0.01f + static_cast<float>(emulated::any_word() % 1000) / 1000;
    return cudaSuccess;
}
