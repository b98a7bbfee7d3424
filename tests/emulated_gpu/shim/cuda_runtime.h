#pragma once

// Stands in for the CUDA runtime's header in code for the emulated GPU: what the program uses of
// it, and nothing else.

#include "emulated_gpu/launch.hh"
#include "emulated_gpu/memory.hh"

#include <algorithm>

#define __global__
#define __host__
#define __device__
#define __forceinline__ inline
#define __noinline__ // a word of the standard library's attributes too
#define __grid_constant__
#define __launch_bounds__(...)

struct uint2
{
    unsigned x, y;
};
struct uint4
{
    unsigned x, y, z, w;
};
inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }

// --- calls of the host ---------------------------------------------------------------------------

enum cudaError_t
{
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInsufficientDriver = 35,
    cudaErrorNoDevice = 100,
    cudaErrorInvalidDevice = 101,
    cudaErrorIllegalAddress = 700,
    cudaErrorLaunchFailure = 719,
};
enum cudaMemcpyKind
{
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
};
enum cudaDeviceAttr
{
    cudaDevAttrMultiProcessorCount,
    cudaDevAttrMemoryPoolsSupported,
    cudaDevAttrComputeCapabilityMajor,
    cudaDevAttrComputeCapabilityMinor,
};
enum cudaMemPoolAttr
{
    cudaMemPoolAttrReleaseThreshold,
    cudaMemPoolAttrReservedMemCurrent,
    cudaMemPoolAttrUsedMemCurrent,
};
struct CUmemPoolHandle_st;
using cudaMemPool_t = CUmemPoolHandle_st*;
struct cudaDeviceProp
{
    char name[256];
};
struct CUevent_st;
using cudaEvent_t = CUevent_st*;
using cudaStream_t = void*;

namespace emulated {
void set_last_error(cudaError_t error);
/// A kernel ends with a fault: whoever waits for it gets the error, and every call from then on.
void set_fault(cudaError_t error);
bool has_fault();
/// Takes the fault away and empties the pool: another process would have a new gpu.
void mend();
cudaError_t active_blocks(int* blocks, int threads, std::size_t shared);
} // namespace emulated

cudaError_t cudaGetLastError();
char const* cudaGetErrorString(cudaError_t error);
cudaError_t cudaDriverGetVersion(int* version); ///< 0: there is none
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceSynchronize();

cudaError_t cudaMalloc(void** at, std::size_t bytes);
template <class T>
cudaError_t cudaMalloc(T** at, std::size_t bytes)
{
    return cudaMalloc(reinterpret_cast<void**>(at), bytes);
}
cudaError_t cudaFree(void* at);
cudaError_t cudaMallocHost(void** at, std::size_t bytes);
cudaError_t cudaFreeHost(void* at);
cudaError_t cudaMallocAsync(void** at, std::size_t bytes, cudaStream_t stream);
cudaError_t cudaFreeAsync(void* at, cudaStream_t stream);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t bytes);
cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* all_bytes);
cudaError_t cudaMemcpy(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream = nullptr);
cudaError_t cudaMemsetAsync(void* at, int value, std::size_t bytes, cudaStream_t stream = nullptr);

cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
/// Any time: whichever form of a kernel is tried may be the fastest.
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to);

template <class... Parameters>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void (*)(Parameters...),
                                                          int threads, std::size_t shared)
{
    return emulated::active_blocks(blocks, threads, shared);
}

// --- calls of kernels ----------------------------------------------------------------------------

static inline void __syncthreads() { emulated::meet_block(); }
static inline void __syncwarp(unsigned mask = ~0u) { emulated::meet_warp("__syncwarp", mask, 0); }
[[noreturn]] static inline void __trap() { emulated::end_kernel(); }

static inline int __popcll(unsigned long long word) { return __builtin_popcountll(word); }
static inline int __ffsll(long long word) { return __builtin_ffsll(word); }
static inline int __clzll(long long word)
{
    return word == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(word));
}

/// The lesser, or the larger, of both 16-bit numbers of a word.
template <class Choose>
inline unsigned of_halves(unsigned a, unsigned b, Choose choose)
{
    auto const half = [&](int shift) {
        auto const one = static_cast<std::int16_t>(a >> shift);
        auto const other = static_cast<std::int16_t>(b >> shift);
        return static_cast<unsigned>(static_cast<std::uint16_t>(choose(one, other))) << shift;
    };
    return half(0) | half(16);
}
static inline unsigned __vmins2(unsigned a, unsigned b)
{
    return of_halves(a, b, [](auto x, auto y) { return std::min(x, y); });
}
static inline unsigned __vmaxs2(unsigned a, unsigned b)
{
    return of_halves(a, b, [](auto x, auto y) { return std::max(x, y); });
}

template <class T>
inline T atomicAdd(T* at, T value)
{
    emulated::let_others_run();
    return std::exchange(*at, *at + value);
}

template <class T>
inline T atomicCAS(T* at, T expected, T value)
{
    emulated::let_others_run();
    return *at == expected ? std::exchange(*at, value) : *at;
}

static inline unsigned __ballot_sync(unsigned mask, bool set)
{
    unsigned bits = 0;
    auto const& all = emulated::meet_warp("__ballot_sync", mask, set);
    for (unsigned k = 0; k < all.size(); ++k) bits |= static_cast<unsigned>(all[k]) << k;
    return bits;
}
template <class T>
inline T __shfl_sync(unsigned mask, T value, int from)
{
    auto const& all = emulated::meet_warp("__shfl_sync", mask, static_cast<std::uint64_t>(value));
    return static_cast<T>(all[static_cast<unsigned>(from) % 32]);
}
template <class T>
inline T __shfl_up_sync(unsigned mask, T value, unsigned step)
{
    auto const& all =
        emulated::meet_warp("__shfl_up_sync", mask, static_cast<std::uint64_t>(value));
    auto const lane = threadIdx.x % 32;
    return static_cast<T>(all[lane < step ? lane : lane - step]);
}
template <class Join>
inline unsigned reduce_over_warp(char const* point, unsigned mask, unsigned value, Join join)
{
    auto const& all = emulated::meet_warp(point, mask, value);
    auto joined = static_cast<unsigned>(all[0]);
    for (std::size_t k = 1; k < all.size(); ++k)
        joined = join(joined, static_cast<unsigned>(all[k]));
    return joined;
}
static inline int __reduce_min_sync(unsigned mask, int value)
{
    auto const least = [](unsigned a, unsigned b) {
        return static_cast<int>(a) < static_cast<int>(b) ? a : b;
    };
    return static_cast<int>(
        reduce_over_warp("__reduce_min_sync", mask, static_cast<unsigned>(value), least));
}
static inline int __reduce_max_sync(unsigned mask, int value)
{
    auto const most = [](unsigned a, unsigned b) {
        return static_cast<int>(a) > static_cast<int>(b) ? a : b;
    };
    return static_cast<int>(
        reduce_over_warp("__reduce_max_sync", mask, static_cast<unsigned>(value), most));
}
static inline unsigned __reduce_add_sync(unsigned mask, unsigned value)
{
    return reduce_over_warp("__reduce_add_sync", mask, value, std::plus<unsigned>());
}
static inline unsigned __reduce_or_sync(unsigned mask, unsigned value)
{
    return reduce_over_warp("__reduce_or_sync", mask, value, std::bit_or<unsigned>());
}
