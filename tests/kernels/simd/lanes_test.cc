#include "kernels/simd/lane_checks.hh"

#include "support/simd_levels.hh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

class Lanes : public crx_test::InEachLevel
{
};
CRX_IN_EACH_LEVEL(Lanes);

TEST_P(Lanes, SayWhatPlainNumbersSay)
{
    auto const seed = crx_test::test_seed();
    EXPECT_EQ(CRX_AT_LEVEL(GetParam(), wrong_in_16_bits)(seed), 0);
    EXPECT_EQ(CRX_AT_LEVEL(GetParam(), wrong_in_32_bits)(seed), 0);
    EXPECT_EQ(CRX_AT_LEVEL(GetParam(), wrong_without_sign)(seed), 0);
    EXPECT_EQ(CRX_AT_LEVEL(GetParam(), wrong_in_floats)(seed), 0);
    EXPECT_EQ(CRX_AT_LEVEL(GetParam(), wrong_in_doubles)(seed), 0);
}
TEST_P(Lanes, PartsQuotientsAndTables)
{
    EXPECT_EQ(CRX_AT_LEVEL(GetParam(), wrong_in_parts)(crx_test::test_seed()), 0);
}

} // namespace
} // namespace crx
