#pragma once

#include "kernels/base/processor.hh"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace crx_test {

/// The instruction sets that parts of the program are compiled for and this processor has.
inline std::vector<crx::SimdLevel> simd_levels()
{
    std::vector<crx::SimdLevel> levels;
    for (auto const level : {crx::SimdLevel::avx2, crx::SimdLevel::avx512})
        if (level <= crx::simd_level()) levels.push_back(level);
    return levels;
}
inline std::string name_of(testing::TestParamInfo<crx::SimdLevel> const& level)
{
    return level.param == crx::SimdLevel::avx2 ? "Avx2" : "Avx512";
}

/// Tests that are run with each of all instruction sets; skipped with those that this processor
/// lacks.
class InEachLevel : public testing::TestWithParam<crx::SimdLevel>
{
  protected:
    void SetUp() override
    {
        if (GetParam() > crx::simd_level()) GTEST_SKIP() << "this processor has no such vectors";
    }
};

#define CRX_IN_EACH_LEVEL(Suite)                                                                   \
    INSTANTIATE_TEST_SUITE_P(, Suite,                                                              \
                             testing::Values(crx::SimdLevel::avx2, crx::SimdLevel::avx512),        \
                             [](auto const& level) { return crx_test::name_of(level); })

} // namespace crx_test
