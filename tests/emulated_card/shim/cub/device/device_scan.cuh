#pragma once

#include "cuda_runtime.h"

namespace cub {

/// What the card's primitives need of scratch memory, which is asked for first, and filled.
inline bool asks_for_bytes(void* scratch, std::size_t& bytes, std::int64_t size)
{
    auto const needed = static_cast<std::size_t>(size) / 16 + 1;
    if (scratch == nullptr) return bytes = needed, true;
    if (bytes < needed || !emulated::on_card(scratch, needed))
        emulated::fail("too little scratch memory");
    emulated::fill_with_garbage(scratch, needed);
    return false;
}

struct DeviceScan
{
    template <class In, class Out, class Join, class T>
    static cudaError_t ExclusiveScan(void* scratch, std::size_t& bytes, In in, Out out, Join join,
                                     T sum, std::int64_t size)
    {
        emulated::OpenMemory const open;
        if (asks_for_bytes(scratch, bytes, size)) return cudaSuccess;
        for (std::int64_t k = 0; k < size; ++k) {
            auto const own = in[k];
            out[k] = sum;
            sum = join(sum, own);
        }
        return cudaSuccess;
    }
};

} // namespace cub
