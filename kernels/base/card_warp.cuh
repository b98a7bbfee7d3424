#pragma once

#include "kernels/base/host_device.cuh"

namespace crx {

/// What the threads of a warp say to each other; all 32 must come to it. Blocks are of one
/// dimension. The CPU has no such threads: there it only has to compile.
struct CardWarp
{
#ifdef __CUDA_ARCH__
    CRX_HD static int lane() { return static_cast<int>(threadIdx.x % 32); }
    /// Bit k: that of lane k.
    CRX_HD static unsigned ballot(bool mine) { return __ballot_sync(~0u, mine); }
    CRX_HD static unsigned all_or(unsigned mine) { return __reduce_or_sync(~0u, mine); }
    CRX_HD static unsigned all_max(unsigned mine) { return __reduce_max_sync(~0u, mine); }
#else
    CRX_HD static int lane() { return 0; }
    CRX_HD static unsigned ballot(bool mine) { return mine; }
    CRX_HD static unsigned all_or(unsigned mine) { return mine; }
    CRX_HD static unsigned all_max(unsigned mine) { return mine; }
#endif
};

} // namespace crx
