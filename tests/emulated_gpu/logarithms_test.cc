// That the fused GPU is another one than the host, or its tests would show nothing.
#include "emulated_gpu/fresh_gpu.hh"
#include "emulated_gpu/other_logarithms.hh"
#include "kernels/cuda/device_checks.cuh"

#include <gtest/gtest.h>

namespace crx {
namespace {

using EmulatedFused = crx_test::FreshGpu;

// Where a logarithm cannot decide integers do: neither numbers nor words change. Without the error
// that the filter allows for, 8 draws of so many differ; that all are equal then has probability
// exp(-8).
TEST_F(EmulatedFused, LogarithmsOfKernelsAreOthersAndDrawsAreNot)
{
    auto const before = emulated::logarithms_changed();
    constexpr std::uint64_t seed = 5;
    constexpr std::int64_t count = 2'000'000;
    auto const device = checked_draws_device(seed, 0, count);
    EXPECT_GT(emulated::logarithms_changed() - before, 1000);
    std::int64_t different = 0;
    for (std::int64_t k = 0; k < count; ++k)
        different += checked_draw(seed, static_cast<std::uint64_t>(k)) !=
                     device[static_cast<std::size_t>(k)];
    EXPECT_EQ(different, 0);
}

} // namespace
} // namespace crx
