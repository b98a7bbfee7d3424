#include "kernels/base/product_sums_cases.hh"
#include "kernels/base/vector_lanes.hh"

namespace crx {
namespace {

/// Lanes whose sum is not what it should be.
template <class T>
int wrong_sums(crx_test::ProductCases const& cases)
{
    using Lanes = VectorLanes<T>;
    typename Lanes::ProductSums sums;
    sums.clear();
    for (std::size_t k = 0; k < cases.a.size(); k += Lanes::lanes) {
        typename Lanes::Number a{}, b{};
        for (int j = 0; j < Lanes::lanes; ++j) {
            a[j] = static_cast<T>(cases.a[k + static_cast<std::size_t>(j)]);
            b[j] = static_cast<T>(cases.b[k + static_cast<std::size_t>(j)]);
        }
        sums.add(a, b);
    }
    int wrong = 0;
    for (int j = 0; j < Lanes::lanes; ++j)
        wrong += sums.of(j) != cases.expected[static_cast<std::size_t>(j)];
    return wrong;
}

} // namespace

namespace CRX_SIMD_LEVEL {

int wrong_in_floats(crx_test::ProductCases const& cases) { return wrong_sums<float>(cases); }
int wrong_in_doubles(crx_test::ProductCases const& cases) { return wrong_sums<double>(cases); }

} // namespace CRX_SIMD_LEVEL
} // namespace crx
