#include "kernels/random/hypergeometric_ahead_cases.hh"
#include "kernels/simd/processor.hh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" // what GCC's own intrinsics leave undefined
#pragma GCC push_options
#pragma GCC target("avx512f,avx512vl,avx512bw,avx512dq,avx2,fma,bmi,bmi2,lzcnt,popcnt")
#include "kernels/random/hypergeometric_ahead.hh"

namespace crx {
namespace {

std::int64_t draw(std::int64_t population, std::int64_t marked, std::int64_t draws,
                  WordsAhead& words)
{
    return hypergeometric_ahead(population, marked, draws, words);
}

} // namespace
} // namespace crx
#pragma GCC pop_options
#pragma GCC diagnostic pop

namespace crx {
namespace {

TEST(HypergeometricAhead, Avx512EqualsDrawsOneByOne)
{
    if (lane_width() < LaneWidth::full) GTEST_SKIP() << "this processor has no AVX-512";
    SCOPED_TRACE(testing::Message() << "rerun: CRX_TEST_SEED=" << crx_test::test_seed());
    auto const seed = crx_test::test_seed();
    EXPECT_EQ(crx_test::differing_series(draw, 100000, seed, false), 0);
    EXPECT_GT(crx_test::differing_series(draw, 300, seed, true), 50);
}

} // namespace
} // namespace crx
#endif
