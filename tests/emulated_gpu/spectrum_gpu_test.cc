#include "analysis/spectrum/tail_operator.hh"
#include "emulated_gpu/fresh_gpu.hh"
#include "kernels/cuda/spectrum_operator.hh"

#include <cmath>
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <thread>
#include <vector>

namespace crx::spectrum {
namespace {

using crx_test::test_seed;
using EmulatedSpectrum = crx_test::FreshGpu;

/// Ten times what either side may be off by.
constexpr double tolerance = 20 * TailOperator::relative_error;

void expect_same_steps(Problem const& problem)
{
    std::vector<double> host(static_cast<std::size_t>(problem.size()));
    for (std::size_t k = 0; k < host.size(); ++k)
        host[k] = 1 + std::sin(static_cast<double>(k)) / 2;
    auto device = host;
    TailOperator on_host(problem);
    DeviceSpectrum on_device(problem.weights(), device.data(), problem.size());
    for (double const shift : {0.0, 0.75}) {
        double const theta = 2.5;
        auto const expected = on_host.step(host, theta, shift);
        auto const got = on_device.step(theta, shift);
        EXPECT_NEAR(got.norm2, expected.norm2, tolerance * expected.norm2);
        // Entries are near in proportion, their differences to theta x as near as both.
        auto const size = std::sqrt(expected.residual2) + theta * std::sqrt(expected.norm2);
        EXPECT_NEAR(got.residual2, expected.residual2, tolerance * size * size);
        EXPECT_NEAR(got.cross, expected.cross, tolerance * size * size);
        EXPECT_NEAR(got.low, expected.low, tolerance * expected.low);
        EXPECT_NEAR(got.high, expected.high, tolerance * expected.high);
    }
    on_device.download(device.data());
    std::size_t different = 0;
    for (std::size_t k = 0; k < host.size(); ++k)
        different += !(std::abs(device[k] - host[k]) <= tolerance * host[k]);
    EXPECT_EQ(different, 0u) << problem.size() << " lengths";
}

std::vector<double> wavy_tail(std::int64_t size)
{
    std::vector<double> tail(static_cast<std::size_t>(size));
    for (std::size_t k = 0; k < tail.size(); ++k)
        tail[k] = 1 + std::cos(static_cast<double>(k)) / 3;
    return tail;
}

// Device memory may end in a thread that never asked for a GPU. Planted and caught: a contract that
// it did.
TEST_F(EmulatedSpectrum, EndsInAnyThread)
{
    auto const tail = wavy_tail(3000);
    auto device = std::make_unique<DeviceSpectrum>(SpectrumWeights{1, 0}, tail.data(), 3000);
    EXPECT_GT(emulated::bytes_in_use(), 0u);
    std::thread([&] { device.reset(); }).join();
    EXPECT_EQ(emulated::bytes_in_use(), 0u);
}

// Each run with threads and blocks in another order. That sums over tiles of 2,048 lengths, more
// than 256 of them, are in the order of the tiles. Planted and caught: norms that blocks add up
// with atomicAdd.
TEST_F(EmulatedSpectrum, EachRunGivesTheSameDigits)
{
    for (std::int64_t const size : {5, 2047, 2049, 40'000, 300 * 2048 + 5}) {
        std::vector<double> expected;
        for (std::uint64_t run = 0; run < 3; ++run) {
            emulated::seed_order(test_seed() + run);
            auto tail = wavy_tail(size);
            DeviceSpectrum device({1, 0}, tail.data(), size);
            auto const step = device.step(2, 0.5);
            device.download(tail.data());
            tail.insert(tail.end(), {step.norm2, step.cross, step.residual2, step.low, step.high});
            if (run == 0) expected = tail;
            EXPECT_TRUE(tail == expected) << size << " lengths";
        }
    }
}

// A planted fault: a sum in the order in which threads come has other digits in each run.
TEST_F(EmulatedSpectrum, AnAtomicSumHasOtherDigits)
{
    auto const tail = wavy_tail(40'000);
    std::set<double> sums;
    for (std::uint64_t run = 0; run < 3; ++run) {
        emulated::seed_order(test_seed() + run);
        double sum = 0;
        emulated::run_threads({10, 256, 0}, [&] {
            for (auto k = std::size_t{blockIdx.x} * 256 + threadIdx.x; k < tail.size(); k += 2560)
                atomicAdd(&sum, tail[k] * tail[k]);
        });
        sums.insert(sum);
    }
    EXPECT_GT(sums.size(), 1u);
}

// Around a thread's lengths, a tile of 2,048 and 256 of them.
TEST_F(EmulatedSpectrum, StepsAreTheHosts)
{
    ASSERT_TRUE(spectrum_device_present());
    for (std::int64_t const size : {1, 2, 7, 8, 9, 257, 2047, 2048, 2049, 5000, 2048 * 256 + 77})
        for (std::int64_t const l : {1, 7})
            expect_same_steps({l, l + size - 1, l == 1 ? 0.0 : 3.0});
}

TEST_F(EmulatedSpectrum, SaysWhereThereIsNoGpuOrNoMemory)
{
    changed_gpu().bytes = 50'000;
    std::vector<double> const tail(10'000, 1.0);
    EXPECT_THROW(DeviceSpectrum({1, 0}, tail.data(), 10'000), std::runtime_error);
    EXPECT_EQ(emulated::bytes_in_use(), 0u);
    changed_gpu().present = false;
    EXPECT_FALSE(spectrum_device_present());
}

} // namespace
} // namespace crx::spectrum
