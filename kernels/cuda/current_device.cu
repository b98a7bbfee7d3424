#include "kernels/cuda/current_device.cuh"

#include <atomic>
#include <map>
#include <mutex>

namespace crx {
namespace {

std::atomic<int> chosen = 0;
std::mutex mutex; ///< of `known`
std::map<int, DeviceProperties> known;
thread_local DeviceProperties const* of_thread = nullptr;

int attribute_of(int gpu, cudaDeviceAttr attribute)
{
    int value = 0;
    CRX_CUDA_CHECK(cudaDeviceGetAttribute(&value, attribute, gpu));
    return value;
}

/// The GPU's pool, which keeps what is given back to it: the next launch asks for as much again.
cudaMemPool_t keeping_pool(int gpu)
{
    if (attribute_of(gpu, cudaDevAttrMemoryPoolsSupported) == 0) return nullptr;
    cudaMemPool_t pool = nullptr;
    CRX_CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, gpu));
    auto all = ~std::uint64_t{0};
    CRX_CUDA_CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
    return pool;
}

DeviceProperties properties_of(int gpu)
{
    cudaDeviceProp properties;
    CRX_CUDA_CHECK(cudaGetDeviceProperties(&properties, gpu));
    auto const capability = 10 * attribute_of(gpu, cudaDevAttrComputeCapabilityMajor) +
                            attribute_of(gpu, cudaDevAttrComputeCapabilityMinor);
    DeviceProperties found{gpu, properties.name, attribute_of(gpu, cudaDevAttrMultiProcessorCount),
                           capability, nullptr};
    if (capability >= least_capability) found.pool = keeping_pool(gpu);
    return found;
}

DeviceProperties const& known_properties(int gpu)
{
    std::lock_guard const lock(mutex);
    auto const found = known.find(gpu);
    return found != known.end() ? found->second
                                : known.emplace(gpu, properties_of(gpu)).first->second;
}

std::string capability_text(int capability)
{
    return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

/// Why a GPU of these properties cannot be used; empty: it can.
std::string refusal_of(DeviceProperties const& gpu)
{
    if (gpu.capability >= least_capability) return {};
    return gpu.name + " has compute capability " + capability_text(gpu.capability) +
           ", needed is " + capability_text(least_capability) + " or more";
}

std::uint64_t pool_bytes(cudaMemPool_t pool, cudaMemPoolAttr what)
{
    std::uint64_t bytes = 0;
    CRX_CUDA_CHECK(cudaMemPoolGetAttribute(pool, what, &bytes));
    return bytes;
}

} // namespace

void choose_device(int number)
{
    CRX_EXPECT(number >= 0);
    chosen = number;
}

DeviceInfo find_device()
{
    int count = 0;
    auto const status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess || count == 0) {
        cudaGetLastError();
        int driver = 0;
        if (cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0)
            return {"", "NVIDIA's driver (libcuda.so.1) was not found"};
        return {"", status != cudaSuccess ? cudaGetErrorString(status) : "no device present"};
    }
    if (chosen >= count)
        return {"", "there is no device " + std::to_string(chosen) + ", the last one is " +
                        std::to_string(count - 1)};
    auto const& gpu = known_properties(chosen);
    if (auto const refusal = refusal_of(gpu); !refusal.empty()) return {"", refusal};
    return {gpu.name, ""};
}

DeviceProperties const& use_device()
{
    auto const device = find_device();
    if (device.name.empty()) throw std::runtime_error("no CUDA device: " + device.reason);
    auto const& gpu = known_properties(chosen);
    CRX_CUDA_CHECK(cudaSetDevice(gpu.number));
    of_thread = &gpu;
    return gpu;
}

bool thread_has_device() { return of_thread != nullptr; }

DeviceProperties const& current_device()
{
    CRX_EXPECT(of_thread != nullptr);
    return *of_thread;
}

std::size_t free_device_bytes()
{
    std::size_t free = 0, all = 0;
    CRX_CUDA_CHECK(cudaMemGetInfo(&free, &all));
    auto* const pool = current_device().pool;
    if (pool == nullptr) return free;
    auto const reserved = pool_bytes(pool, cudaMemPoolAttrReservedMemCurrent);
    return free + (reserved - pool_bytes(pool, cudaMemPoolAttrUsedMemCurrent));
}

void forget_devices()
{
    std::lock_guard const lock(mutex);
    known.clear();
    of_thread = nullptr;
    chosen = 0;
}

} // namespace crx
