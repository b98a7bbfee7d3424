#include "kernels/random/hypergeometric_ahead_cases.hh"
#include "support/simd_levels.hh"
#include "support/test_seed.hh"

namespace crx {
namespace {

class HypergeometricAhead : public crx_test::InEachLevel
{
};
CRX_IN_EACH_LEVEL(HypergeometricAhead);

TEST_P(HypergeometricAhead, EqualsDrawsOneByOne)
{
    auto const seed = crx_test::test_seed();
    SCOPED_TRACE(testing::Message() << "rerun: CRX_TEST_SEED=" << seed);
    auto* const draw = CRX_AT_LEVEL(GetParam(), draw_ahead);
    EXPECT_EQ(crx_test::differing_series(draw, 100000, seed, false), 0);
    EXPECT_GT(crx_test::differing_series(draw, 300, seed, true), 50);
}

} // namespace
} // namespace crx
