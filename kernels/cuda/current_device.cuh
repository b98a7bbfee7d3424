#pragma once

#include "kernels/engines/cell.hh"

#include <cstddef>
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

/// What is known of a GPU; asked once a GPU and process.
struct DeviceProperties
{
    int number = 0; ///< as cudaSetDevice takes it
    std::string name;
    int processors = 0;
    int capability = 0;           ///< 10 times the compute capability: 80, 86, 90
    cudaMemPool_t pool = nullptr; ///< null: allocations cannot be put into the stream
};

/// The least that the program is compiled for (cmake/crx_cuda.cmake).
inline constexpr int least_capability = 80;

/// Makes the chosen GPU (choose_device) that of the calling thread. Throws std::runtime_error with
/// find_device()'s reason where it cannot be used.
DeviceProperties const& use_device();

bool thread_has_device(); ///< use_device() was called in this thread

/// The GPU that the calling thread uses. Contract: use_device() was called in this thread.
DeviceProperties const& current_device();

/// Bytes that the GPU has for new arrays: what is free, and what its pool keeps unused.
std::size_t free_device_bytes();

/// For tests: the next call asks for all properties again.
void forget_devices();

} // namespace crx

#define CRX_CUDA_CHECK(call) ::crx::check_cuda((call), #call, __FILE__, __LINE__)
