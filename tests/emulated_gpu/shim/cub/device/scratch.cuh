#pragma once

#include "cuda_runtime.h"

namespace cub {

/// What the GPU's primitives need of scratch memory, which is asked for first, and filled.
inline bool asks_for_bytes(void* scratch, std::size_t& bytes, std::int64_t size)
{
    auto const needed = static_cast<std::size_t>(size) / 16 + 1;
    if (scratch == nullptr) return bytes = needed, true;
    if (bytes < needed || !emulated::on_gpu(scratch, needed))
        emulated::fail("too little scratch memory");
    emulated::fill_with_garbage(scratch, needed);
    return false;
}

} // namespace cub
