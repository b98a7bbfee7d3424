#pragma once

#include "cuda_runtime.h"

#pragma push_macro("__CUDACC__")
#pragma push_macro("__CUDA_ARCH__")
#undef __CUDACC__
#undef __CUDA_ARCH__
#include <Random123/philox.h>
#pragma pop_macro("__CUDA_ARCH__")
#pragma pop_macro("__CUDACC__")

/// cuRAND's words are Random123's (tests/kernels/random/curand_words_test.cc).
static inline uint4 curand_Philox4x32_10(uint4 counter, uint2 key)
{
    auto const out =
        r123::Philox4x32()({{counter.x, counter.y, counter.z, counter.w}}, {{key.x, key.y}});
    return {out[0], out[1], out[2], out[3]};
}
