#pragma once

#include <cub/device/scratch.cuh>

namespace cub {

struct DeviceRunLengthEncode
{
    /// A key and the length of each run of equal keys; how many runs there are.
    template <class Key>
    static cudaError_t Encode(void* scratch, std::size_t& bytes, Key const* in, Key* keys,
                              int* lengths, int* runs, int size)
    {
        emulated::OpenMemory const open;
        if (asks_for_bytes(scratch, bytes, size)) return cudaSuccess;
        *runs = 0;
        for (int k = 0; k < size; ++k) {
            if (k == 0 || in[k] != in[k - 1]) {
                keys[*runs] = in[k];
                lengths[(*runs)++] = 0;
            }
            ++lengths[*runs - 1];
        }
        return cudaSuccess;
    }
};

} // namespace cub
