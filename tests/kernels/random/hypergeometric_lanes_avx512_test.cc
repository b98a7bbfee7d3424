#include "kernels/random/hypergeometric_lanes_cases.hh"
#include "kernels/simd/processor.hh"

#include <gtest/gtest.h>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" // what GCC's own intrinsics leave undefined
#pragma GCC push_options
#pragma GCC target("avx512f,avx512vl,avx512bw,avx512dq,avx2,fma,bmi,bmi2,lzcnt,popcnt")
#define CRX_LANE_BYTES 64
#include "kernels/random/hypergeometric_lanes_batch.hh"
#pragma GCC pop_options
#pragma GCC diagnostic pop

namespace crx {
namespace {

TEST(HypergeometricLanes, Avx512DoublesEqualDrawsOneByOne)
{
    if (lane_width() < LaneWidth::full) GTEST_SKIP() << "this processor has no AVX-512";
    crx_test::expect_draws_one_by_one(execute<double>, differing_draws_of_kept_places<double>,
                                      crx_test::largest_population);
}
TEST(HypergeometricLanes, Avx512FloatsEqualDrawsOneByOne)
{
    if (lane_width() < LaneWidth::full) GTEST_SKIP() << "this processor has no AVX-512";
    crx_test::expect_draws_one_by_one(execute<float>, differing_draws_of_kept_places<float>,
                                      crx_test::largest_of_floats);
}

} // namespace
} // namespace crx
#endif
