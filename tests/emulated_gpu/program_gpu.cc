// The GPU of the program crx_on_gpu, as the environment describes it: for tests of the program.
#include "emulated_gpu/memory.hh"

#include <cstdlib>

namespace {

template <class Number>
void read(char const* name, Number& number)
{
    if (auto const* const text = std::getenv(name)) number = static_cast<Number>(std::atoll(text));
}

[[maybe_unused]] bool const gpu_is_read = [] {
    auto& gpu = emulated::gpu();
    read("CRX_EMULATED_FAULT_AFTER", gpu.launches_to_fault);
    read("CRX_EMULATED_LOSE_AFTER", gpu.launches_to_lose);
    read("CRX_EMULATED_CAPABILITY", gpu.capability);
    read("CRX_EMULATED_GPUS", gpu.gpus);
    read("CRX_EMULATED_POOLS", gpu.pools);
    return true;
}();

} // namespace
