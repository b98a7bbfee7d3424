#include "host/memory_reserve.hh"

#include <atomic>
#include <cstdlib>
#include <new>

namespace crx {

namespace {

/// Plans, messages and a chunk's rows of a store take some ten kilobytes.
constexpr std::size_t reserve_bytes = 1 << 20;

std::atomic<void*> reserve{nullptr};

/// What `new` calls where it finds no memory; it tries again when this returns.
void spend_reserve()
{
    void* const block = reserve.exchange(nullptr);
    if (block == nullptr) throw std::bad_alloc();
    std::free(block);
}

} // namespace

void hold_memory_reserve()
{
    std::set_new_handler(spend_reserve);
    refill_memory_reserve();
}

void refill_memory_reserve()
{
    if (reserve.load() != nullptr) return;
    void* const block = std::malloc(reserve_bytes);
    if (block == nullptr) throw std::bad_alloc();
    void* none = nullptr;
    if (!reserve.compare_exchange_strong(none, block)) std::free(block);
}

} // namespace crx
