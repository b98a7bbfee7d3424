#include "kernels/base/product_sums_cases.hh"
#include "support/simd_levels.hh"
#include "support/test_seed.hh"

namespace crx {
namespace {

class ProductSums : public crx_test::InEachLevel
{
};
CRX_IN_EACH_LEVEL(ProductSums);

TEST_P(ProductSums, AreExact)
{
    crx_test::expect_exact_sums(GetParam() == SimdLevel::avx2 ? 8 : 16,
                                CRX_AT_LEVEL(GetParam(), wrong_in_floats),
                                CRX_AT_LEVEL(GetParam(), wrong_in_doubles), crx_test::test_seed());
}

} // namespace
} // namespace crx
