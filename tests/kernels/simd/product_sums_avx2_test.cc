#include "kernels/simd/processor.hh"
#include "kernels/simd/product_sums_cases.hh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#include "kernels/simd/in_lanes.hh"

#include <cstring>
#include <immintrin.h>
#include <type_traits>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"
#pragma GCC push_options
#pragma GCC target("avx2,fma,bmi,bmi2,lzcnt,popcnt")
#define CRX_LANE_BYTES 32
#include "kernels/simd/product_sums_lanes.hh"
#pragma GCC pop_options
#pragma GCC diagnostic pop

namespace crx {
namespace {

TEST(ProductSums, Avx2AreExact)
{
    if (lane_width() < LaneWidth::half) GTEST_SKIP() << "this processor has no AVX2";
    crx_test::expect_exact_sums(lanes_of_floats, wrong_in_floats, wrong_in_doubles,
                                crx_test::test_seed());
}

} // namespace
} // namespace crx
#endif
