#include "emulated_gpu/shim/cuda_runtime.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

namespace {

cudaError_t last_error = cudaSuccess;
/// Once a kernel has faulted every call says so, and no call clears it.
cudaError_t fault = cudaSuccess;
bool fault_is_known = false; ///< a call has waited for the kernel

cudaError_t say(cudaError_t error)
{
    if (fault_is_known) return fault;
    if (error != cudaSuccess) last_error = error;
    return error;
}
/// The same for a call that waits for the kernels before.
cudaError_t say_after_kernels(cudaError_t error = cudaSuccess)
{
    fault_is_known = fault != cudaSuccess;
    return say(error);
}

/// The GPU's pool: it keeps what is given back, below its threshold, and serves from that.
struct Pool
{
    std::uint64_t threshold = 0, kept = 0, used = 0; ///< bytes
    std::map<void*, std::size_t> arrays;
    std::multiset<std::size_t> pieces; ///< that are kept, where they cannot be joined

    /// Bytes of an array that it has not kept and the GPU must give.
    std::size_t missing(std::size_t bytes) const
    {
        if (emulated::gpu().pool_in_pieces)
            return pieces.lower_bound(bytes) != pieces.end() ? 0 : bytes;
        return bytes - std::min<std::size_t>(bytes, kept);
    }
    void take(void* at, std::size_t bytes)
    {
        auto const from_gpu = missing(bytes);
        emulated::counters().allocated += from_gpu;
        if (auto const piece = pieces.lower_bound(bytes); piece != pieces.end())
            pieces.erase(piece);
        kept -= bytes - from_gpu;
        used += bytes;
        arrays[at] = bytes;
    }
    void give_back(void* at)
    {
        auto const bytes = arrays.at(at);
        arrays.erase(at);
        used -= bytes;
        kept += bytes;
        pieces.insert(bytes);
    }
    void trim(std::uint64_t to)
    {
        if (used + kept <= to) return;
        kept = 0;
        pieces.clear();
    }
} pool;

/// Whether the GPU has so many bytes that nobody has, the pool neither.
bool has_free(std::size_t bytes)
{
    return emulated::bytes_in_use() + pool.kept + bytes <= emulated::gpu().bytes;
}

} // namespace

void emulated::set_last_error(cudaError_t error) { say(error); }
void emulated::set_fault(cudaError_t error) { fault = error; }
bool emulated::has_fault() { return fault != cudaSuccess; }
void emulated::mend()
{
    last_error = fault = cudaSuccess;
    fault_is_known = false;
    pool = {};
}

cudaError_t emulated::active_blocks(int* blocks, int threads, std::size_t shared)
{
    constexpr std::size_t shared_a_processor = 96 * 1024;
    constexpr int threads_a_processor = 512;
    auto const by_shared =
        shared == 0 ? gpu().blocks_a_processor : static_cast<int>(shared_a_processor / shared);
    *blocks = std::min({gpu().blocks_a_processor, by_shared, threads_a_processor / threads});
    return cudaSuccess;
}

cudaError_t cudaGetLastError()
{
    emulated::OneAtATime const turn;
    return fault_is_known ? fault : std::exchange(last_error, cudaSuccess);
}
char const* cudaGetErrorString(cudaError_t error)
{
    switch (error) {
    case cudaSuccess: return "no error";
    case cudaErrorInvalidValue: return "invalid argument";
    case cudaErrorMemoryAllocation: return "out of memory";
    case cudaErrorInvalidConfiguration: return "invalid configuration argument";
    case cudaErrorIllegalAddress: return "an illegal memory access was encountered";
    case cudaErrorLaunchFailure: return "unspecified launch failure";
    case cudaErrorInvalidDevice: return "invalid device ordinal";
    case cudaErrorInsufficientDriver:
        return "CUDA driver version is insufficient for CUDA runtime version";
    case cudaErrorNoDevice: return "no CUDA-capable device is detected";
    }
    return "unrecognized error code";
}

cudaError_t cudaDriverGetVersion(int* version)
{
    *version = emulated::gpu().driver ? 13000 : 0;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count)
{
    emulated::OneAtATime const turn;
    if (!emulated::gpu().driver) return say(cudaErrorInsufficientDriver);
    *count = emulated::gpu().present ? emulated::gpu().gpus : 0;
    return say(emulated::gpu().present ? cudaSuccess : cudaErrorNoDevice);
}
cudaError_t cudaSetDevice(int device)
{
    emulated::OneAtATime const turn;
    return say(device < emulated::gpu().gpus ? cudaSuccess : cudaErrorInvalidDevice);
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device)
{
    emulated::OneAtATime const turn;
    if (device >= emulated::gpu().gpus) return say(cudaErrorInvalidDevice);
    ++emulated::counters().properties_asked;
    std::strcpy(properties->name, "emulated GPU");
    return say(cudaSuccess);
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device)
{
    emulated::OneAtATime const turn;
    if (device >= emulated::gpu().gpus) return say(cudaErrorInvalidDevice);
    auto const& gpu = emulated::gpu();
    switch (attribute) {
    case cudaDevAttrMultiProcessorCount: *value = gpu.processors; break;
    case cudaDevAttrMemoryPoolsSupported: *value = gpu.pools; break;
    case cudaDevAttrComputeCapabilityMajor: *value = gpu.capability / 10; break;
    case cudaDevAttrComputeCapabilityMinor: *value = gpu.capability % 10; break;
    }
    return say(cudaSuccess);
}
cudaError_t cudaDeviceSynchronize()
{
    emulated::OneAtATime const turn;
    pool.trim(pool.threshold);
    return say_after_kernels(last_error);
}

cudaError_t cudaMalloc(void** at, std::size_t bytes)
{
    emulated::OneAtATime const turn;
    *at = nullptr;
    if (auto const error = say_after_kernels(); error != cudaSuccess) return error;
    if (bytes == 0) return cudaSuccess;
    if (has_free(bytes)) *at = emulated::allocate(bytes);
    if (*at != nullptr) emulated::counters().allocated += bytes;
    return say(*at != nullptr ? cudaSuccess : cudaErrorMemoryAllocation);
}
cudaError_t cudaFree(void* at)
{
    emulated::OneAtATime const turn;
    emulated::release(at);
    return say_after_kernels();
}
cudaError_t cudaMallocHost(void** at, std::size_t bytes)
{
    emulated::OneAtATime const turn;
    *at = nullptr;
    if (auto const error = say_after_kernels(); error != cudaSuccess) return error;
    *at = std::malloc(bytes);
    return say(*at != nullptr ? cudaSuccess : cudaErrorMemoryAllocation);
}
cudaError_t cudaFreeHost(void* at)
{
    std::free(at); // at the end of a thread, when the GPU may be gone
    return cudaSuccess;
}
cudaError_t cudaMallocAsync(void** at, std::size_t bytes, cudaStream_t)
{
    emulated::OneAtATime const turn;
    if (!emulated::gpu().pools) emulated::fail("this GPU has no memory pools");
    *at = nullptr;
    if (auto const error = say(cudaSuccess); error != cudaSuccess) return error;
    if (has_free(pool.missing(bytes))) *at = emulated::allocate(bytes);
    if (*at == nullptr) return say(cudaErrorMemoryAllocation);
    pool.take(*at, bytes);
    return cudaSuccess;
}
cudaError_t cudaFreeAsync(void* at, cudaStream_t)
{
    emulated::OneAtATime const turn;
    if (!emulated::gpu().pools) emulated::fail("this GPU has no memory pools");
    if (at == nullptr) return say(cudaErrorInvalidValue);
    pool.give_back(at);
    emulated::release(at);
    return say(cudaSuccess);
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* which, int)
{
    emulated::OneAtATime const turn;
    *which = reinterpret_cast<cudaMemPool_t>(&pool);
    return say(cudaSuccess);
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr attribute, void* value)
{
    emulated::OneAtATime const turn;
    if (attribute != cudaMemPoolAttrReleaseThreshold) return say(cudaErrorInvalidValue);
    std::memcpy(&pool.threshold, value, sizeof pool.threshold);
    return say(cudaSuccess);
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t, cudaMemPoolAttr attribute, void* value)
{
    emulated::OneAtATime const turn;
    auto const bytes = attribute == cudaMemPoolAttrReservedMemCurrent ? pool.used + pool.kept
                       : attribute == cudaMemPoolAttrUsedMemCurrent   ? pool.used
                                                                      : pool.threshold;
    std::memcpy(value, &bytes, sizeof bytes);
    return say(cudaSuccess);
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, std::size_t bytes)
{
    emulated::OneAtATime const turn;
    pool.trim(bytes);
    return say(cudaSuccess);
}
cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* all_bytes)
{
    emulated::OneAtATime const turn;
    *all_bytes = emulated::gpu().bytes;
    *free_bytes =
        *all_bytes - std::min<std::size_t>(*all_bytes, emulated::bytes_in_use() + pool.kept);
    return say_after_kernels();
}
cudaError_t cudaMemcpy(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind)
{
    emulated::OneAtATime const turn;
    if (auto const error = say_after_kernels(); error != cudaSuccess) return error;
    pool.trim(pool.threshold); // as wherever the host waits
    if (bytes == 0) return cudaSuccess;
    if (kind == cudaMemcpyDeviceToDevice) {
        if (!emulated::on_gpu(to, bytes) || !emulated::on_gpu(from, bytes))
            return say(cudaErrorInvalidValue);
        emulated::OpenMemory const open;
        std::memcpy(to, from, bytes);
        return cudaSuccess;
    }
    auto const fits = [&](void const* at, bool here) {
        return here ? emulated::on_gpu(at, bytes) : !emulated::near_gpu(at, bytes);
    };
    if (!fits(to, kind != cudaMemcpyDeviceToHost) || !fits(from, kind != cudaMemcpyHostToDevice))
        return say(cudaErrorInvalidValue);
    emulated::OpenMemory const open(kind == cudaMemcpyDeviceToHost ? from : to);
    std::memcpy(to, from, bytes);
    return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t)
{
    emulated::OneAtATime const turn;
    return cudaMemcpy(to, from, bytes, kind);
}
cudaError_t cudaMemsetAsync(void* at, int value, std::size_t bytes, cudaStream_t)
{
    emulated::OneAtATime const turn;
    if (auto const error = say(cudaSuccess); error != cudaSuccess) return error;
    if (bytes == 0) return cudaSuccess;
    emulated::counters().filled += bytes;
    if (!emulated::on_gpu(at, bytes)) return say(cudaErrorInvalidValue);
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
    emulated::OneAtATime const turn;
    *event = new CUevent_st;
    return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    emulated::OneAtATime const turn;
    delete event;
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t)
{
    emulated::OneAtATime const turn;
    event->recorded = true;
    return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) { return say_after_kernels(); }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to)
{
    emulated::OneAtATime const turn;
    if (!from->recorded || !to->recorded) return say(cudaErrorInvalidValue);
    *milliseconds = 0.01f + static_cast<float>(emulated::any_word() % 1000) / 1000;
    return cudaSuccess;
}
