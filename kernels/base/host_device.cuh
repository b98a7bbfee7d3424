#pragma once

#include <cstdint>

// One body for both processors: CRX_HD marks what runs on either.
// CRX_HD_CALLED is not inlined on a GPU: what it needs itself would cost its callers' registers.
#ifdef __CUDACC__
#define CRX_HD __host__ __device__
#else
#define CRX_HD
#endif
#ifdef __CUDA_ARCH__
#define CRX_HD_CALLED CRX_HD __noinline__
#else
#define CRX_HD_CALLED CRX_HD
#endif

namespace crx {

/// KV-cache memory and request lengths, in tokens.
using Tokens = std::int64_t;
/// Time and duration in the round model, in rounds.
using Rounds = std::int64_t;
/// Position of a request in its instance, 0 .. n-1.
using RequestId = std::uint32_t;

/// Ends the program with file and line: for programmer errors, on both processors, in every build.
[[noreturn]] CRX_HD void contract_violated(char const* condition, char const* file, int line);

} // namespace crx

#define CRX_EXPECT(condition)                                                                      \
    ((condition) ? (void)0 : ::crx::contract_violated(#condition, __FILE__, __LINE__))
#define CRX_ENSURE(condition) CRX_EXPECT(condition)

#include <cstdio>
#include <cstdlib>

namespace crx {

CRX_HD_CALLED inline void contract_violated(char const* condition, char const* file, int line)
{
#ifdef __CUDA_ARCH__
    printf("%s:%d: broken contract: %s\n", file, line, condition);
    __trap();
#else
    std::fprintf(stderr, "%s:%d: broken contract: %s\n", file, line, condition);
    std::abort();
#endif
}

} // namespace crx

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
