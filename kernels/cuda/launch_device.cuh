#pragma once

#include "kernels/cuda/current_device.cuh"

#include <algorithm>
#include <type_traits>

namespace crx {

inline constexpr int threads_a_block = 128;

template <class Execute>
__device__ void execute_own(std::int64_t n, Execute const& execute)
{
    auto const stride = std::int64_t{gridDim.x} * blockDim.x;
    for (auto k = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; k < n; k += stride)
        execute(k);
}

/// Runs execute(k) for k = 0 .. n-1, a thread each.
template <class Execute>
__global__ void __launch_bounds__(threads_a_block) execute_all(std::int64_t n, Execute execute)
{
    execute_own(n, execute);
}

/// execute_all for kernels that would spill at the default register budget: two blocks a
/// multiprocessor, so that a thread may take all registers that are left.
template <class Execute>
__global__ void __launch_bounds__(threads_a_block, 2) execute_wide(std::int64_t n, Execute execute)
{
    execute_own(n, execute);
}

/// Execute::wide, where there is one, says which of the two kernels runs it.
template <class Execute>
void launch(std::int64_t n, Execute execute)
{
    static_assert(std::is_trivially_copyable_v<Execute>);
    if (n == 0) return;
    auto const blocks = static_cast<unsigned>(
        std::min<std::int64_t>((n + threads_a_block - 1) / threads_a_block, 1 << 20));
    auto constexpr wide = [] {
        if constexpr (requires { Execute::wide; })
            return Execute::wide;
        else
            return false;
    }();
    if constexpr (wide)
        execute_wide<<<blocks, threads_a_block>>>(n, execute);
    else
        execute_all<<<blocks, threads_a_block>>>(n, execute);
    CRX_CUDA_CHECK(cudaGetLastError());
}

} // namespace crx
