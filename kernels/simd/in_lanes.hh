#pragma once

#include "kernels/base/host_device.cuh"

// How functions of lanes are compiled. On the CPU all that hold vectors are inlined, so that none
// is shared with code for other processors; on a GPU so that what they hold stays in registers.
#ifdef __CUDACC__
#define CRX_IN_LANES CRX_HD __forceinline__
#define CRX_LAMBDA_IN_LANES
#define CRX_UNROLL _Pragma("unroll")
#define CRX_NO_UNROLL _Pragma("unroll 1")
#else
#define CRX_IN_LANES [[gnu::always_inline]] inline
#define CRX_LAMBDA_IN_LANES __attribute__((always_inline))
#define CRX_UNROLL _Pragma("GCC unroll 8")
#define CRX_NO_UNROLL _Pragma("GCC unroll 1")
#endif
