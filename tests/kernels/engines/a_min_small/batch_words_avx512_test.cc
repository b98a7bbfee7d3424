#include "kernels/base/bits.cuh"
#include "kernels/random/buffered_words.hh"
#include "kernels/random/word_stream.cuh"
#include "kernels/simd/processor.hh"
#include "support/test_seed.hh"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <random>
#include <vector>

// As few_avx512.cc.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC target("avx512f,avx512vl,avx512bw,avx512dq,avx2,bmi,bmi2,lzcnt,popcnt")
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" // of values that instructions may ignore
#define CRX_LANE_BITS 512
#include "support/batch_words_check.hh"
#pragma GCC diagnostic pop
#pragma GCC pop_options

namespace crx {
namespace {

TEST(BatchWords, DrawAsTheStreamsDoAvx512)
{
    if (lane_width() < LaneWidth::full) GTEST_SKIP() << "no such processor";
    auto const draws = draw_in_groups<Lanes>(crx_test::test_seed(), 3000);
    EXPECT_EQ(draws.differing, 0);
    EXPECT_GT(draws.again, 1000);
    // With counts to 2^15 one of 2^18 draws: none in all of these once in 10^5 runs or less.
    auto const in_short = draw_in_groups<ShortLanes>(crx_test::test_seed(), 200'000);
    EXPECT_EQ(in_short.differing, 0);
    EXPECT_GT(in_short.again, 0);
}

} // namespace
} // namespace crx
#endif
