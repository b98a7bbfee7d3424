#pragma once

#include <cub/device/device_scan.cuh>

namespace cub {

struct DeviceReduce
{
    template <class In, class T, class Join>
    static cudaError_t Reduce(void* scratch, std::size_t& bytes, In in, T* out, std::int64_t size,
                              Join join, T sum)
    {
        emulated::OpenMemory const open;
        if (asks_for_bytes(scratch, bytes, size)) return cudaSuccess;
        for (std::int64_t k = 0; k < size; ++k) sum = join(sum, in[k]);
        *out = sum;
        return cudaSuccess;
    }
};

} // namespace cub
