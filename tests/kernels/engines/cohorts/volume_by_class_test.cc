#include "kernels/cpu/single.hh"
#include "kernels/engines/cohorts/cohort.hh"
#include "kernels/engines/cohorts/composition.cuh"
#include "support/random_composition.hh"
#include "support/test_seed.hh"

#include <cstddef>
#include <gtest/gtest.h>

namespace crx {
namespace {

std::int64_t by_class(Workload const& w)
{
    std::vector<std::max_align_t> block(
        volume_by_class_bytes(view_of(w)) / sizeof(std::max_align_t) + 1);
    return volume_by_class(view_of(w), w.output_count.data(), block.data(),
                           block.size() * sizeof(std::max_align_t));
}

// Summed one by one: 40,000 sums with numbers up to 40.
TEST(SumOfFloors, IsTheSumOneByOne)
{
    std::mt19937_64 rng(crx_test::test_seed());
    for (int trial = 0; trial < 40000; ++trial) {
        std::uint64_t const n = rng() % 40, m = 1 + rng() % 40, a = rng() % 60, b = rng() % 60;
        std::uint64_t sum = 0;
        for (std::uint64_t j = 0; j < n; ++j) sum += (a * j + b) / m;
        ASSERT_EQ(static_cast<std::uint64_t>(sum_of_floors(n, m, a, b)), sum)
            << n << " " << m << " " << a << " " << b;
    }
}

// The request path sorts lengths and volumes and adds request by request: 4,000 compositions.
TEST(VolumeByClass, EqualsTheRequestPath)
{
    std::mt19937_64 rng(crx_test::test_seed());
    for (int trial = 0; trial < 4000; ++trial) {
        auto const workload = crx_test::random_composition(rng, 1 + trial % 30);
        ASSERT_EQ(by_class(workload), volume_bound(generate_single(workload, 0)))
            << crx_test::describe(workload);
    }
}

// By hand: M = 10, five of length 4 (volume 10 each): completions at 4, 4, 4, 4, 5.
TEST(VolumeByClass, ByHand)
{
    Workload w;
    w.output_kind = OutputKind::composition;
    w.requests = 5;
    w.memory = 10;
    w.output_value = {4};
    w.output_count = {5};
    EXPECT_EQ(by_class(w), 4 + 4 + 4 + 4 + 5);
}

// n = 4 10^9, M = 10^9: no product overflows. Volume o (o + 1) / 2 = 500,500 a request.
TEST(VolumeByClass, HoldsLargeNumbers)
{
    Workload w;
    w.output_kind = OutputKind::composition;
    w.requests = 4'000'000'000;
    w.memory = 1'000'000'000;
    w.output_value = {1000};
    w.output_count = {w.requests};
    auto const n = 4e9;
    // Sum of k volume / M, each rounded up (half a round a request), none below o = 1000.
    auto const expected =
        500'500 / 1e9 * n * (n + 1) / 2 + n / 2 + 1000.0 * 1000 * 1e9 / 500'500 / 2;
    EXPECT_NEAR(static_cast<double>(by_class(w)) / expected, 1, 1e-9);
}

} // namespace
} // namespace crx
