#pragma once

#include <cuda_runtime.h>
#include <stdexcept>
#include <string>

namespace crx {

/// Throws with file and line if a CUDA call failed, and clears the error for the next.
inline void check_cuda(cudaError_t status, char const* call, char const* file, int line)
{
    if (status == cudaSuccess) return;
    cudaGetLastError();
    throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + call +
                             " failed: " + cudaGetErrorString(status));
}

} // namespace crx

#define CRX_CUDA_CHECK(call) ::crx::check_cuda((call), #call, __FILE__, __LINE__)
