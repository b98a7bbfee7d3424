#pragma once

#include "kernels/engines/a_min_small/variants.hh"

#include <gtest/gtest.h>

#include <string>

namespace crx_test {

/// Tests of the engines for few active requests, each run in every form that this processor has.
class InEachFewForm : public testing::TestWithParam<crx::AMinSmallVariant const*>
{
};

#define CRX_IN_EACH_FEW_FORM(Suite)                                                                \
    GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Suite);                                          \
    INSTANTIATE_TEST_SUITE_P(                                                                      \
        , Suite, testing::ValuesIn(a_min_small_variants().begin(), a_min_small_variants().end()),  \
        [](auto const& form) { return std::string(form.param->name); })

} // namespace crx_test
