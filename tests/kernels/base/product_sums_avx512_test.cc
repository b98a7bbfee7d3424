#include "kernels/base/processor.hh"
#include "kernels/base/product_sums_cases.hh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#include "kernels/base/in_lanes.hh"

#include <cstring>
#include <immintrin.h>
#include <type_traits>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" // what GCC's own intrinsics leave undefined
#pragma GCC push_options
#pragma GCC target("avx512f,avx512vl,avx512bw,avx512dq,avx2,fma,bmi,bmi2,lzcnt,popcnt")
#define CRX_LANE_BYTES 64
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

constexpr int lanes_of_floats = VectorLanes<float>::lanes;

int wrong_in_floats(crx_test::ProductCases const& cases) { return wrong_sums<float>(cases); }
int wrong_in_doubles(crx_test::ProductCases const& cases) { return wrong_sums<double>(cases); }

} // namespace
} // namespace crx
#pragma GCC pop_options
#pragma GCC diagnostic pop

namespace crx {
namespace {

// 2,000 sums of up to 400 products: of factors below 2^24, so that products, too, go beyond what a
// float holds, and below 2^26, or 2^12, in doubles.
TEST(ProductSums, Avx512AreExact)
{
    if (lane_width() < LaneWidth::full) GTEST_SKIP() << "this processor has no AVX-512";
    std::mt19937_64 rng(crx_test::test_seed());
    for (int run = 0; run < 2000 && !HasFailure(); ++run) {
        auto const steps = 1 + static_cast<int>(rng() % 400);
        crx_test::ProductCases const narrow(lanes_of_floats, run % 2 == 0 ? 24 : 12, steps, rng);
        EXPECT_EQ(wrong_in_floats(narrow), 0);
        crx_test::ProductCases wide(lanes_of_floats / 2, run % 2 == 0 ? 26 : 12, steps, rng);
        EXPECT_EQ(wrong_in_doubles(wide), 0);
        ++wide.a[0]; // planted
        EXPECT_EQ(wrong_in_doubles(wide), wide.b[0] != 0 ? 1 : 0);
    }
}

} // namespace
} // namespace crx
#endif
