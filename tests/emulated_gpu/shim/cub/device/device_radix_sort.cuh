#pragma once

#include <algorithm>
#include <cub/device/scratch.cuh>

namespace cub {

struct DeviceRadixSort
{
    template <class Key>
    static cudaError_t SortKeys(void* scratch, std::size_t& bytes, Key const* in, Key* out,
                                int size)
    {
        emulated::OpenMemory const open;
        if (asks_for_bytes(scratch, bytes, size)) return cudaSuccess;
        std::copy_n(in, size, out);
        std::sort(out, out + size);
        return cudaSuccess;
    }
};

} // namespace cub
