#include "kernels/random/hypergeometric_lanes_cases.hh"
#include "support/simd_levels.hh"

namespace crx {
namespace {

class HypergeometricLanes : public crx_test::InEachLevel
{
};
CRX_IN_EACH_LEVEL(HypergeometricLanes);

TEST_P(HypergeometricLanes, DoublesEqualDrawsOneByOne)
{
    crx_test::expect_draws_one_by_one(CRX_AT_LEVEL(GetParam(), draw_in_doubles),
                                      CRX_AT_LEVEL(GetParam(), differing_in_doubles),
                                      crx_test::largest_population);
}
TEST_P(HypergeometricLanes, FloatsEqualDrawsOneByOne)
{
    crx_test::expect_draws_one_by_one(CRX_AT_LEVEL(GetParam(), draw_in_floats),
                                      CRX_AT_LEVEL(GetParam(), differing_in_floats),
                                      crx_test::largest_of_floats);
}

} // namespace
} // namespace crx
