// cuRAND's Philox, which kernels use, run on the host against Random123's, which the CPU uses: no
// device is needed to see that they give the same words.
#ifdef CRX_HAVE_CUDA
#if __has_include(<curand_philox4x32_x.h>)
#define CRX_TEST_CURAND
#endif
#endif

#include "oracle/words.hh"

#include <gtest/gtest.h>

#ifdef CRX_TEST_CURAND
#include <cuda_runtime.h>
namespace curand {
// The header's own qualifiers are for devices; its host branch is the same arithmetic. Names that
// it shares with Random123 stay in this namespace.
#define QUALIFIERS inline
#undef PHILOX_W32_0
#undef PHILOX_W32_1
#undef PHILOX_M4x32_0
#undef PHILOX_M4x32_1
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#include <curand_philox4x32_x.h>
#pragma GCC diagnostic pop
} // namespace curand
#endif

namespace {

TEST(CurandWords, AreRandom123s)
{
#ifdef CRX_TEST_CURAND
    for (std::uint32_t k = 0; k < 100000; ++k) {
        std::uint64_t const seed = 0x9e3779b97f4a7c15u * (k + 1), instance = seed * (k | 1);
        auto const expected = oracle::philox_block(seed, instance, k % 30, k);
        auto const out = curand::curand_Philox4x32_10(
            make_uint4(k, k % 30, static_cast<std::uint32_t>(instance),
                       static_cast<std::uint32_t>(instance >> 32)),
            make_uint2(static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)));
        ASSERT_EQ(out.x, expected[0]);
        ASSERT_EQ(out.y, expected[1]);
        ASSERT_EQ(out.z, expected[2]);
        ASSERT_EQ(out.w, expected[3]);
    }
#else
    GTEST_SKIP() << "built without the CUDA toolkit";
#endif
}

} // namespace
