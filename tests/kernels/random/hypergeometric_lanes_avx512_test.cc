#include "kernels/base/processor.hh"
#include "kernels/random/hypergeometric_lanes_cases.hh"
#include "support/test_seed.hh"

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

template <class T>
void expect_draws_one_by_one(std::int64_t largest)
{
    SCOPED_TRACE(testing::Message() << "rerun: CRX_TEST_SEED=" << crx_test::test_seed());
    auto const seed = crx_test::test_seed();
    EXPECT_EQ(crx_test::differing_draws(execute<T>, 30000, seed, largest, false), 0);
    EXPECT_GT(crx_test::differing_draws(execute<T>, 300, seed, largest, true), 50);
    EXPECT_EQ(crx_test::differing_draws_at_whole_scales(execute<T>, seed), 0);
    EXPECT_EQ(crx_test::differing_draws_by_crafted_words(execute<T>, seed, largest), 0);
    EXPECT_EQ(differing_draws_of_kept_places<T>(seed, 80, largest), 0);
}

TEST(HypergeometricLanes, Avx512DoublesEqualDrawsOneByOne)
{
    if (lane_width() < LaneWidth::full) GTEST_SKIP() << "this processor has no AVX-512";
    expect_draws_one_by_one<double>(crx_test::largest_population);
}
TEST(HypergeometricLanes, Avx512FloatsEqualDrawsOneByOne)
{
    if (lane_width() < LaneWidth::full) GTEST_SKIP() << "this processor has no AVX-512";
    expect_draws_one_by_one<float>(crx_test::largest_of_floats);
}

} // namespace
} // namespace crx
#endif
