#include "kernels/engines/a_min/batch_draws.hh"

#include "support/simd_levels.hh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

class BatchWords : public crx_test::InEachLevel
{
};
CRX_IN_EACH_LEVEL(BatchWords);

TEST_P(BatchWords, DrawAsTheStreamsDo)
{
    auto* const draw = CRX_AT_LEVEL(GetParam(), draw_in_batches);
    auto const wide = draw(false, crx_test::test_seed(), 3000);
    EXPECT_EQ(wide.differing, 0);
    EXPECT_GT(wide.again, 1000);
    // With counts to 2^15 one of 2^18 draws: none in all of these once in 10^5 runs or less.
    auto const turns = GetParam() == SimdLevel::avx2 ? 400'000 : 200'000;
    auto const in_16_bits = draw(true, crx_test::test_seed(), turns);
    EXPECT_EQ(in_16_bits.differing, 0);
    EXPECT_GT(in_16_bits.again, 0);
}

} // namespace
} // namespace crx
