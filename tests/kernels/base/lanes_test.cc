#include "kernels/base/lane_checks.hh"

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
TEST(SimdLevels, OneThatTheProcessorLacksGivesNoFunction)
{
    constexpr auto beyond = static_cast<SimdLevel>(static_cast<int>(SimdLevel::avx512) + 1);
    EXPECT_EQ(usable_level(beyond), SimdLevel::none);
    EXPECT_EQ(CRX_AT_LEVEL(beyond, wrong_in_16_bits), nullptr);
    EXPECT_EQ(usable_level(simd_level()), simd_level());
}

TEST_P(Lanes, PartsQuotientsAndTables)
{
    EXPECT_EQ(CRX_AT_LEVEL(GetParam(), wrong_in_parts)(crx_test::test_seed()), 0);
}

} // namespace
} // namespace crx
