#include "kernels/cuda/current_device.cuh"

#include "kernels/cuda/launch_device.cuh"

#include <atomic>
#include <map>
#include <mutex>

namespace crx {
namespace {

std::atomic<int> chosen = 0;
std::mutex mutex; ///< of `known`
std::map<int, CardProperties> known;
thread_local CardProperties const* of_thread = nullptr;

int attribute_of(int card, cudaDeviceAttr attribute)
{
    int value = 0;
    CRX_CUDA_CHECK(cudaDeviceGetAttribute(&value, attribute, card));
    return value;
}

/// The GPU's pool, which keeps what is given back to it: the next launch asks for as much again.
cudaMemPool_t keeping_pool(int card)
{
    if (attribute_of(card, cudaDevAttrMemoryPoolsSupported) == 0) return nullptr;
    cudaMemPool_t pool = nullptr;
    CRX_CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, card));
    auto all = ~std::uint64_t{0};
    CRX_CUDA_CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
    return pool;
}

CardProperties properties_of(int card)
{
    cudaDeviceProp properties;
    CRX_CUDA_CHECK(cudaGetDeviceProperties(&properties, card));
    auto const capability = 10 * attribute_of(card, cudaDevAttrComputeCapabilityMajor) +
                            attribute_of(card, cudaDevAttrComputeCapabilityMinor);
    CardProperties found{card, properties.name, attribute_of(card, cudaDevAttrMultiProcessorCount),
                         capability, nullptr};
    if (capability >= least_capability) found.pool = keeping_pool(card);
    return found;
}

CardProperties const& known_properties(int card)
{
    std::lock_guard const lock(mutex);
    auto const found = known.find(card);
    return found != known.end() ? found->second
                                : known.emplace(card, properties_of(card)).first->second;
}

std::string capability_text(int capability)
{
    return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

/// Why a GPU of these properties cannot be used; empty: it can.
std::string refusal_of(CardProperties const& card)
{
    if (card.capability >= least_capability) return {};
    return card.name + " has compute capability " + capability_text(card.capability) +
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
        return {"", status != cudaSuccess ? cudaGetErrorString(status) : "no device present"};
    }
    if (chosen >= count)
        return {"", "there is no device " + std::to_string(chosen) + ", the last one is " +
                        std::to_string(count - 1)};
    auto const& card = known_properties(chosen);
    if (auto const refusal = refusal_of(card); !refusal.empty()) return {"", refusal};
    return {card.name, ""};
}

CardProperties const& use_card()
{
    auto const device = find_device();
    if (device.name.empty()) throw std::runtime_error("no CUDA device: " + device.reason);
    auto const& card = known_properties(chosen);
    CRX_CUDA_CHECK(cudaSetDevice(card.number));
    of_thread = &card;
    return card;
}

CardProperties const& current_card()
{
    CRX_EXPECT(of_thread != nullptr);
    return *of_thread;
}

std::size_t free_device_bytes()
{
    std::size_t free = 0, all = 0;
    CRX_CUDA_CHECK(cudaMemGetInfo(&free, &all));
    auto* const pool = current_card().pool;
    if (pool == nullptr) return free;
    auto const reserved = pool_bytes(pool, cudaMemPoolAttrReservedMemCurrent);
    return free + (reserved - pool_bytes(pool, cudaMemPoolAttrUsedMemCurrent));
}

void forget_cards()
{
    std::lock_guard const lock(mutex);
    known.clear();
    of_thread = nullptr;
    chosen = 0;
}

} // namespace crx
